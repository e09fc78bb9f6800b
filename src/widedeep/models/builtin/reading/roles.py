"""Who stands in a role to the subject of a passage: who directed it, whose child it is?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Literal

from widedeep.models.builtin.reading.countries import country, is_adjective
from widedeep.models.builtin.reading.lives import Fact
from widedeep.models.builtin.reading.passage import NAME, TITLES, Passage, name_key

Role = Literal[
    "director", "composer", "performer", "author", "producer", "founder", "creator", "publisher",
    "designer", "owner", "developer", "editor", "distributor", "father", "mother", "spouse",
    "child", "sibling",
]  # fmt: skip

_HONOURS = frozenset(f"{TITLES}|Sir|Dame|Dr|Dr.|Mr|Mr.|Mrs|Mrs.|Saint|Captain|General".split("|"))
_FULL = rf"{NAME.pattern}(?:, (?:{TITLES}) of {NAME.pattern})?"
_WHO = (
    r"(?:the |an? |his |her |its |late |fellow |film |director "
    rf"|(?:[a-z]+(?:er|or|ist|ian|ess|man|ic|ed|al)[ -](?:and )?)+)*(?P<who>{_FULL})"
)
_MADE: dict[Role, str] = {
    "director": r"(?:co-)?directed(?:[\w, ]{0,40}?)? by|direction of|director|film by|helmed by",
    "composer": r"composed by|music (?:is |was |were )?(?:composed |written |scored )?by|scored by"
    r"|score (?:is |was )?(?:composed )?by|composer|soundtrack (?:is |was )?(?:composed )?by",
    "performer": r"(?:song|single|album|track|EP|hit|record|ballad|recording|release)s?\b"
    r"[^.;,]{0,30}? (?:by|from|of)|(?:recorded|performed|sung|released) (?:and \w+ )?by",
    "author": r"written (?:and \w+ )?by|(?:novel|book|story|play|poem|memoir|work|series|novella"
    r"|comedy|drama)\b[^.;]{0,40}? (?:by|of)|authored by|author",
    "producer": r"(?:co-)?produced (?:and \w+ )?by|producer|production of",
    "founder": r"(?:co-)?founded[^.;]{0,40}? by|established[^.;]{0,40}? by"
    r"|founders?(?: is| was|,)?",
    "creator": r"created[^.;]{0,20}? by|creator|invented by|developed by",
    "publisher": r"published by|publisher",
    "designer": r"designed by|designer|architect",
    "owner": r"owned by|owner|subsidiary of|acquired by",
    "developer": r"developed by|developer",
    "editor": r"edited by|editor",
    "distributor": r"distributed by|released by",
    "spouse": r"(?:is |was |got |being |re-?)?married(?: first(?:ly)?| secondly| thirdly| again)?"
    r"(?: to| with)?|marriage to|wife(?: of)?,?"
    r"|husband(?: of)?,?"
    r"|spouse|widow of|widower of|consort(?: of)?|wed|engaged to|partner",
    "child": r"(?:father|mother|parent) of|(?:son|daughter|child|children)s?"
    r"(?: and [a-z ]{1,30})?,?",
    "sibling": r"(?:brother|sister|sibling)s?(?: of| to)?,?",
}
_NOUNS: dict[Role, str] = {
    "director": "director directed",
    "composer": "composer composed",
    "producer": "producer produced",
    "performer": "performer performed singer",
    "author": "author writer wrote",
    "founder": "founder",
    "creator": "creator",
    "publisher": "publisher",
    "designer": "designer architect",
    "owner": "owner",
    "developer": "developer",
    "editor": "editor",
    "distributor": "distributor",
    "father": "father dad",
    "mother": "mother",
    "spouse": "spouse wife husband",
    "child": "child son daughter",
    "sibling": "sibling brother sister",
}
ROLE_OF: dict[str, Role] = {word: role for role, words in _NOUNS.items() for word in words.split()}
_CHILD_OF = re.compile(
    rf"(?i:\b(?:son|daughter|child|sons|daughters|children|born\b[^.;()]{{0,60}}? to)\b,?"
    rf"(?: of| to)?) "
    rf"(?:[^.;()]{{0,60}}?\b(?:of|to) )??{_WHO}"
)
_SECOND = re.compile(
    r"^[^.;]{0,90}?\b(?:and(?: his| her| of)?(?: \w+)? (?:wife|mother|husband|consort),?"
    rf"|by(?: his)?(?: \w+)? (?:wife|mistress|consort|marriage to),?|and|with|by) {_WHO}"
)
_NAMED: dict[Role, re.Pattern[str]] = {
    role: re.compile(rf"\b(?i:{words})(?:,| was| is| were)? {_WHO}")
    for role, words in _MADE.items()
}
_PARENT = {
    "father": re.compile(rf"\b(?:father|fathered by),?(?: was| is)? {_WHO}"),
    "mother": re.compile(rf"\b(?:mother),?(?: was| is)? {_WHO}"),
}
_ABBREVIATED = re.compile(r"\b(?:[A-Z]|Jr|Sr)\.$")
_AFTER_ADJECTIVE = re.compile(rf"^(?:[ -](?:[a-z][a-z-]*,? )*)(?P<who>{_FULL})")
_ALBUM = re.compile(rf"(?P<who>{NAME.pattern})'s (?:[\w-]+ ){{0,3}}(?:album|single|song|record)\b")
_AND = re.compile(rf"^(?:,| and| &|, and) (?P<who>{_FULL})")


@lru_cache(maxsize=8192)
def holders(passage: Passage, role: Role) -> tuple[Fact, ...]:
    """Return who stands in a role to the subject, the surest first."""
    found: dict[str, Fact] = {}
    for at, sentence in enumerate(passage.sentences):
        for who in named_as(role, sentence.text):
            key = name_key(who)
            own = any(key.strip() in mine or mine.strip() in key for mine in passage.keys)
            if key and not own and country(who) is None:
                found.setdefault(key, Fact(passage, at, who))
    return tuple(found.values())


@lru_cache(maxsize=16384)
def named_as(role: Role, text: str) -> tuple[str, ...]:
    """Return the names that a sentence gives a role, the surest first."""
    return tuple(_names(role, text))


def _names(role: Role, text: str) -> Iterator[str]:
    if role in ("father", "mother"):
        yield from _parents(role, text)
        return
    if role == "performer":
        yield from (_bare(match["who"]) for match in _ALBUM.finditer(text))
    for match in _NAMED[role].finditer(text):
        yield from _listed(match["who"], text[match.end() :])


def _listed(who: str, rest: str) -> Iterator[str]:
    """Yield a name and those listed after it; a nationality leads on to the name: `Norwegian`."""
    if is_adjective(who):
        match = _AFTER_ADJECTIVE.match(rest)
        if match is None:
            return
        who, rest = match["who"], rest[match.end() :]
    yield _bare(who)
    yield from _more(rest)


def _more(rest: str) -> Iterator[str]:
    """Yield the names that are listed after a first one."""
    for _ in range(3):
        match = _AND.match(rest)
        if match is None:
            return
        yield _bare(match["who"])
        rest = rest[match.end() :]


def _parents(role: Role, text: str) -> Iterator[str]:
    for match in _PARENT[role].finditer(text):
        yield from islice(_listed(match["who"], text[match.end() :]), 1)
    for match in _CHILD_OF.finditer(text):
        if role == "father":
            yield from islice(_listed(match["who"], text[match.end() :]), 1)
        elif second := _SECOND.match(text[match.end() :]):
            yield _bare(second["who"])


def _bare(name: str) -> str:
    """Return a name without the nationality and titles before it and marks after it."""
    words = name.split()
    while len(words) > 1 and (is_adjective(words[0]) or words[0] in _HONOURS):
        words = words[1:]
    plain = " ".join(words).rstrip(",'’").removesuffix("'s")
    return plain if _ABBREVIATED.search(plain) else plain.rstrip(".")
