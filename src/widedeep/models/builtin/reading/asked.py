"""What does a question in prose ask for, and which of its words must be accounted for?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from widedeep.models.builtin.clean import clean
from widedeep.models.builtin.folding import fold
from widedeep.models.builtin.names import names
from widedeep.models.builtin.reading.passage import name_key, spaced
from widedeep.models.builtin.words import PREPOSITIONS, concept, is_generic, tokens
from widedeep.text import STOP

Sort = Literal["person", "place", "date", "year", "number", "yes_no", "named", "thing"]
"""Which sort of words would answer; `named`: what bears the head noun, `thing`: any phrase."""

_ASIDE = re.compile(r"\s*\([^()]*\)")
_YES_NO = re.compile(
    r"^(?:is|are|was|were|do|does|did|has|have|had|can|could)\b(?!.*\b(?:which|what|who)\b)",
    re.IGNORECASE,
)
_WH = re.compile(
    r"\b(?P<wh>who|whom|whose|when|where|which|what|how (?:many|much|long|old|tall|far|big|large"
    r"|high|often|deep))\b",
    re.IGNORECASE,
)
_PERSONS = frozenset(
    "person man woman actor actress singer author writer director composer producer player "
    "politician president king queen artist musician mother father wife husband son daughter "
    "brother sister grandfather grandmother uncle aunt spouse child founder leader performer "
    "character mayor governor minister coach inventor scientist painter poet philosopher "
    "architect engineer emperor pope general senator footballer athlete host owner creator "
    "designer ruler monarch stepmother stepfather sibling father-in-law mother-in-law".split()
)
_PLACES = frozenset(
    "city town village county country state province region district place location birthplace "
    "continent island river mountain lake capital nation municipality neighborhood suburb area "
    "headquarters territory".split()
)
_UNITS = frozenset(
    "number amount population height length area percentage total age rate temperature elevation "
    "altitude depth width size distance speed weight cost price budget revenue income salary debt "
    "wage density capacity duration lifespan rainfall snowfall precipitation attendance gdp "
    "turnover mileage voltage wavelength frequency ratio".split()
)
_EMPTY = frozenset("name kind type sort term question other".split())


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: the concepts it is made of with their weights, and what would answer it.

    `late`: concepts that stand nearest to what is asked. `arms`: two names to choose from or to
    compare. `keys`: its names as they would stand in a text.
    """

    text: str
    folded: str
    sort: Sort
    head: str
    words: tuple[str, ...]
    weights: tuple[float, ...]
    late: frozenset[str]
    names: tuple[str, ...]
    arms: tuple[str, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """Its names as they would stand in a text."""
        return tuple(key for name in self.names if (key := name_key(_ASIDE.sub("", name))))

    @property
    def bare(self) -> str:
        """The question in small letters without its names."""
        plain = self.text
        for name in sorted(self.names, key=len, reverse=True):
            plain = plain.replace(name, " " * len(name))
        return fold(plain)


@lru_cache(maxsize=512)
def asked(question: str, titles: tuple[str, ...] = ()) -> Asked:
    """Take a question apart.

    Args:
        question: the user's words.
        titles: titles of what was met; where one stands in the question it is a name.
    """
    text = clean(question)
    spans = names(text, titles)
    found = tuple(span.name for span in spans)
    named = {concept(token) for name in found for token in tokens(name)}
    wh = _WH.search(text)
    yes_no = bool(_YES_NO.match(text)) and not re.search(r"\bor\b", text)
    head = _head(text, wh) if wh and not yes_no else ""
    sort: Sort = "yes_no" if yes_no else _sort(wh["wh"].lower() if wh else "", head, text)
    words: dict[str, float] = {}
    for said in tokens(text):
        plain = said.removesuffix("'s").removesuffix("'")
        if _counts(plain):
            word = concept(plain)
            words.setdefault(word, _weight(plain, word, head, named))
    late = _late(text, wh, spans[-1].end if spans else 0) - named
    folded = spaced(tokens(text))
    arms = _arms(text, found)
    return Asked(text, folded, sort, head, tuple(words), tuple(words.values()), late, found, arms)


def _counts(word: str) -> bool:
    return len(word) > 1 and word not in STOP and word not in PREPOSITIONS


def _weight(token: str, word: str, head: str, named: set[str]) -> float:
    if word in named:
        return 0.2
    if is_generic(token) or word in _LIGHT:
        return 0.3
    if token == head:
        return 0.6
    return 1.0


_LIGHT = frozenset(
    concept(each)
    for each in (
        "located name called part film movie song country state city town place location person "
        "people county nation"
    ).split()
)


def _head(text: str, wh: re.Match[str]) -> str:
    """Return the noun that is asked for: `city` in `which California city is`."""
    rest = text[wh.end() :]
    if wh["wh"].lower() in ("who", "whom", "whose", "when", "where"):
        return ""
    if wh["wh"].lower().startswith("how"):
        found = re.match(r"\s+([\w-]+)", rest)
        return fold(found[1]) if found and wh["wh"].lower() == "how many" else ""
    direct = re.match(
        r"\s+(?P<np>(?!is\b|are\b|was\b|were\b|did\b|does\b|do\b|has\b|had\b)(?:[\w'.-]+\s+){0,3}?"
        r"[\w'.-]+?)(?=\s+(?:is|are|was|were|did|does|do|has|have|had|of|in|that|which|who|where"
        r"|whose|the|a|an|on|at|for|by|to|from|can|could|with)\b|[?,.]|\s+\w+(?:ed|s)\b|\s*$)",
        rest,
    )
    if direct:
        return fold(direct["np"].split()[-1])
    copula = re.match(
        r"\s+(?:is|are|was|were)\s+(?:the\s+|a\s+|an\s+)?(?P<np>(?:[a-z'-]+\s+){0,4}?[a-z'-]+)"
        r"(?=\s+(?:of|that|which|who|where|for|in|on|at|from|by|to|with)\b|[?,.]|\s*$)",
        rest,
    )
    if copula:
        nouns = [each for each in copula["np"].split() if fold(each) not in _EMPTY]
        return fold(nouns[-1]) if nouns else ""
    return ""


def _sort(wh: str, head: str, text: str) -> Sort:
    low = fold(text)
    if wh in ("who", "whom", "whose"):
        return "person"
    if wh == "when":
        return "date"
    if wh == "where":
        return "place"
    if wh.startswith("how") and wh != "how often":
        return "number"
    one = head.removesuffix("s")
    if one in ("year", "decade", "century") or re.search(r"\b(?:what|which) year\b", low):
        return "year"
    if one in ("date", "day", "month", "birthday") or "date of" in low:
        return "date"
    if one in _UNITS:
        return "number"
    if re.search(r"\bplace of (?:birth|death|burial)\b", low):
        return "place"
    if one in _PERSONS:
        return "person"
    if (
        one in _PLACES
        or head in _PLACES
        or (head.endswith(("ies",)) and head[:-3] + "y" in _PLACES)
    ):
        return "place"
    return "named" if head else "thing"


def _late(text: str, wh: re.Match[str] | None, last: int) -> frozenset[str]:
    """Return the concepts of what is asked last: by the question word and at the very end."""
    if wh is None:
        return frozenset()
    after = text[wh.end() :]
    chunk = re.split(r"\b(?:of|in|that|which|who|where|whose|by|for)\b|'s\b", after, maxsplit=1)[0]
    ending = text[last:] if last > wh.end() else ""
    return frozenset(
        concept(token)
        for token in (*tokens(chunk), *tokens(ending))
        if _counts(token) and not is_generic(token)
    )


def _arms(text: str, found: tuple[str, ...]) -> tuple[str, ...]:
    """Return the two names that a question sets side by side."""
    if len(found) < 2:
        return ()
    for first, second in pairwise(found):
        a, b = text.find(first), text.rfind(second)
        between = fold(text[a + len(first) : b]) if 0 <= a < b else "?"
        if re.fullmatch(
            r"['\",\s]*(?:\([^)]*\)\s*)?(?:,? ?(?:or|and|than|vs\.?))['\"\s]*"
            r"(?:(?:the|was|is|did|the film|film)\s+)*['\"]?",
            between + " ",
        ):
            return (first, second)
    return ()
