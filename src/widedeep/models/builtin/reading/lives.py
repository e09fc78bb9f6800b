"""When and where was the subject of a passage born, did it die, or did it come out?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from widedeep.models.builtin.reading.countries import is_adjective, named
from widedeep.models.builtin.reading.passage import NAME, Passage
from widedeep.models.builtin.values import DATE, MONTHS

Event = Literal["birth", "death", "release", "founding"]

_MONTH = "|".join(name.title() for name in MONTHS)
WHEN = (
    rf"(?:(?:c\.|ca\.|circa|around|about|after|before|in)\s*)?(?P<when>\d{{1,2}}(?:st|nd|rd|th)?"
    rf" (?:{_MONTH}),? \d{{3,4}}|(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?,? \d{{3,4}}"
    rf"|(?:{_MONTH}) \d{{4}}|\d{{3,4}})(?!\d)"
)
_LIFE = re.compile(
    rf"\((?:[^()]*?[;,:] ?|[^()\d]*?)??\s*(?:born )?(?:[^()\d]{{0,40}}?)"
    rf"(?P<birth>{WHEN.replace('when', 'w1')})(?P<bplace>[^()–—-]*?)\s*(?:[–—-]+|to|;? ?died)\s*"
    rf"(?:[^()\d]{{0,40}}?)(?P<death>{WHEN.replace('when', 'w2')})(?P<dplace>[^()]*?)\)"
)
_BORN_ASIDE = re.compile(
    rf"\((?:[^()]*?[;,] ?)?(?:born|b\.)(?: [^()\d]{{0,60}}?)?,? ?(?:on |in )?"
    rf"{WHEN}(?P<place>[^()]*)\)"
)
_BORN = re.compile(rf"\b(?:was |is |were )?born\b[^.;()]{{0,80}}?\b{WHEN}")
_DIED = re.compile(
    rf"\b(?:died|dies|passed away|was (?:killed|executed|murdered|assassinated)|death)\b"
    rf"[^.;()]{{0,80}}?\b{WHEN}"
)
_PLACE = rf"(?P<place>(?:the )?{NAME.pattern})"
_BORN_IN = re.compile(
    r"\b(?:[Bb]orn|birthplace|native)\b(?:(?!\b(?:died|moved|lived|raised)\b)[^.;()]){0,90}?"
    rf"\b(?:in|at|near|of)\s+(?!{_MONTH})(?:the (?:city|town|village) of )?{_PLACE}"
)
_DIED_IN = re.compile(
    r"\b(?:died|death|killed|murdered|executed|passed away)\b(?:(?!\bborn\b)[^.;()]){0,90}?"
    rf"\b(?:in|at|near)\s+(?:his home in |her home in )?(?!{_MONTH}){_PLACE}"
)
_MADE = re.compile(
    r"\b(?:is|was|are|were)\b (?:a|an|the)\b[^.()]{0,40}?\b(?P<when>1[89]\d\d|20\d\d)\b[- ]"
)
_OUT = re.compile(
    rf"\b(?:released|published|premiered|issued|opened|aired|came out)\b[^.;]{{0,60}}?\b{WHEN}"
)
_FOUNDED = re.compile(
    rf"\b(?:founded|established|formed|launched|started|created|opened|built|began"
    rf"|first published|incorporated|organi[sz]ed)\b[^.;]{{0,60}}?\b{WHEN}"
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A value that sentence `at` of a passage states of its subject."""

    passage: Passage
    at: int
    value: str


@lru_cache(maxsize=8192)
def when(passage: Passage, event: Event) -> tuple[Fact, ...]:
    """Return when an event of the subject was, the surest first."""
    return tuple(_when(passage, event))


def _when(passage: Passage, event: Event) -> Iterator[Fact]:
    for at, sentence in enumerate(passage.sentences):
        text = sentence.text
        life = _LIFE.search(text) if at < 2 else None
        if event in ("birth", "death") and life:
            yield Fact(passage, at, life["w1" if event == "birth" else "w2"])
        for pattern in _DATED[event]:
            if match := pattern.search(text):
                yield Fact(passage, at, match["when"])


_DATED: dict[Event, tuple[re.Pattern[str], ...]] = {
    "birth": (_BORN_ASIDE, _BORN),
    "death": (_DIED,),
    "release": (_MADE, _OUT),
    "founding": (_FOUNDED,),
}


@lru_cache(maxsize=8192)
def where(passage: Passage, event: Event) -> tuple[Fact, ...]:
    """Return where the subject was born or died."""
    return tuple(_where(passage, event))


def _where(passage: Passage, event: Event) -> Iterator[Fact]:
    pattern = _BORN_IN if event == "birth" else _DIED_IN
    for at, sentence in enumerate(passage.sentences):
        text = sentence.text
        life = _LIFE.search(text) if at < 2 else None
        aside = life["bplace" if event == "birth" else "dplace"] if life else ""
        if not life and event == "birth" and at < 2 and (born := _BORN_ASIDE.search(text)):
            aside = born["place"]
        if place := NAME.search(aside):
            yield Fact(passage, at, place.group().rstrip(".,"))
        for match in pattern.finditer(text):
            yield Fact(passage, at, match["place"].removeprefix("the ").rstrip(".,"))


@lru_cache(maxsize=8192)
def countries(passage: Passage) -> tuple[tuple[Fact, str], ...]:
    """Return the words that say which country the subject is of, with that country.

    The adjective of the first sentence is surest: `was a Norwegian painter`; a country named
    where the subject is said to lie or to have been born comes after it.
    """
    found: list[tuple[Fact, str]] = []
    for at, sentence in enumerate(passage.sentences[:3]):
        body = sentence.text
        is_ = re.search(r"\b(?:is|was|are|were)\b", body)
        here = named(body)
        after = [each for each in here if is_ and each[0] > is_.start()]
        adjectives = [each for each in after if is_adjective(each[1])]
        rest = [each for each in here if each not in adjectives]
        found += [(Fact(passage, at, each[1]), each[2]) for each in (*adjectives[:1], *rest)]
    return tuple(found)


def key(value: str) -> tuple[int, int, int] | None:
    """Return a date as numbers that sort; the month and day are 0 where unknown."""
    year = re.search(r"\d{3,4}(?!\d)", re.sub(r"\b\d{1,2}(?:st|nd|rd|th)?\b", " ", value))
    if year is None:
        return None
    month = next((at for at, name in enumerate(MONTHS, 1) if name in value.lower()), 0)
    day = re.search(r"(?<!\d)\d{1,2}(?!\d)", value) if DATE.search(value) and month else None
    return int(year.group()), month, int(day.group()) if day else 0
