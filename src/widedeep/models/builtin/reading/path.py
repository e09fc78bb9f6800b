"""Which way leads from the names of a question to what is asked: whose director's birthplace?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from widedeep.models.builtin.folding import fold
from widedeep.models.builtin.reading.asked import Asked
from widedeep.models.builtin.reading.roles import ROLE_OF, Role
from widedeep.models.builtin.words import PREPOSITIONS
from widedeep.text import STOP

Aim = Literal["birth date", "death date", "birth place", "death place", "country", "release", "age",
              "founding", "who", "other"]  # fmt: skip

_INLAWS = {
    "grandfather": ("father", "father"),
    "grandmother": ("father", "mother"),
    "father-in-law": ("spouse", "father"),
    "mother-in-law": ("spouse", "mother"),
    "child-in-law": ("child", "spouse"),
    "son-in-law": ("child", "spouse"),
    "daughter-in-law": ("child", "spouse"),
    "sibling-in-law": ("spouse", "sibling"),
    "brother-in-law": ("spouse", "sibling"),
    "sister-in-law": ("spouse", "sibling"),
    "grandchild": ("child", "child"),
    "grandson": ("child", "child"),
    "granddaughter": ("child", "child"),
    "stepmother": ("father", "spouse"),
    "stepfather": ("mother", "spouse"),
    "uncle": ("father", "sibling"),
    "aunt": ("father", "sibling"),
    "nephew": ("sibling", "child"),
    "niece": ("sibling", "child"),
}
_MOST_REST = 2
_PLAIN = frozenset(
    "film movie song album book novel series play show date place city town year day place name "
    "from born birth die died death paternal maternal whose person located country".split()
)
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_AIMS: tuple[tuple[Aim, re.Pattern[str]], ...] = (
    ("age", re.compile(r"\blived longer\b|\blonger (?:life|lived)\b|\blife ?span\b")),
    ("death place", re.compile(
        r"\bwhere\b.*\b(?:die|died|killed)\b|\bplace of death\b|\bdeath ?place\b"
        r"|\b(?:city|town|country|place|state)\b.*\bdied?\b"
    )),
    ("birth place", re.compile(
        r"\bwhere\b.*\bborn\b|\bplace of birth\b|\bbirth ?place\b|\bcity of birth\b"
        r"|\b(?:city|town|place|village|state)\b.*\b(?:born|birth)\b"
    )),
    ("death date", re.compile(r"\b(?:die|died|death)\b")),
    ("country", re.compile(
        r"\b(?:nationality|country|citizenship|nation|countries|nationalities)\b"
    )),
    ("birth date", re.compile(
        r"\b(?:born|birth|birthday|older|younger|oldest|youngest|age)\b"
    )),
    ("release", re.compile(
        r"\b(?:released?|came out|come out|premiered?|newer|out (?:first|earlier|later))\b"
    )),
    ("founding", re.compile(
        r"\b(?:founded|established|formed|started|created|built|opened|launched|began"
        r"|established|published|first published|older|oldest)\b"
    )),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Path:
    """The roles to go through in order, and what is to be known at their end."""

    roles: tuple[Role, ...]
    aim: Aim
    rest: tuple[str, ...] = ()
    """Words of the question that neither name roles nor the aim."""

    @property
    def is_plain(self) -> bool:
        """The question asks for nothing beside what the path leads to."""
        return len(self.rest) < _MOST_REST


def path(asked: Asked) -> Path:
    """Return the way that a question's relation words describe."""
    plain = asked.text
    first = min((plain.find(name) for name in asked.names if name in plain), default=len(plain))
    for name in asked.names:
        plain = plain.replace(name, " " * len(name))
    before = _roles(fold(plain[:first]), outwards=True)
    after = _roles(fold(plain[max(first, 0) :]))
    roles = (*after, *before) if _is_owned(asked) else (*before, *after)
    bare = fold(plain)
    return Path(tuple(roles), _aim(bare, compares=bool(asked.arms)), _rest(bare))


def _rest(bare: str) -> tuple[str, ...]:
    """Return the words that say something beside roles, aims and sorts of things."""
    left = bare
    for _, words in _AIMS:
        left = words.sub(" ", left) if ".*" not in words.pattern else left
    return tuple(
        word
        for word in _WORD.findall(left)
        if not (word in STOP or word in PREPOSITIONS or word in _PLAIN or len(word) < 2)
        and not _is_role(word)
    )


def _is_role(word: str) -> bool:
    one = word.removesuffix("s")
    return not {word, one}.isdisjoint(_INLAWS) or not {word, one}.isdisjoint(ROLE_OF)


def _is_owned(asked: Asked) -> bool:
    return any(f"{name}'s" in asked.text or f"{name}'" in asked.text for name in asked.names)


def _roles(text: str, *, outwards: bool = False) -> list[Role]:
    """Return the roles that a stretch of text names, outwards from its end."""
    found: list[Role] = []
    said = _WORD.findall(text)
    for word in reversed(said) if outwards else said:
        one = word.removesuffix("s")
        if word in _INLAWS or one in _INLAWS:
            pair = _INLAWS.get(word) or _INLAWS[one]
            maternal = "maternal" in text
            first: Role = "mother" if maternal and pair[0] == "father" else pair[0]  # type: ignore[assignment]
            found += [first, pair[1]]  # type: ignore[list-item]
        elif (role := ROLE_OF.get(word) or ROLE_OF.get(one)) and (not found or found[-1] != role):
            found.append(role)
    return found


def _aim(text: str, *, compares: bool) -> Aim:
    if re.match(r"\s*who(?:se)?\b", text) and not compares:
        return "who"
    for aim, words in _AIMS:
        if words.search(text):
            return aim
    return "other"
