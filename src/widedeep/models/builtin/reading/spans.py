"""Which words of a sentence are of the sort that a question asks for?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from widedeep.models.builtin.folding import fold
from widedeep.models.builtin.reading.asked import Asked, Sort
from widedeep.models.builtin.reading.countries import is_adjective
from widedeep.models.builtin.reading.passage import spans as names
from widedeep.models.builtin.values import DATE
from widedeep.models.builtin.words import tokens
from widedeep.text import STOP


@dataclass(frozen=True, slots=True)
class Span:
    """Words of a sentence that start at `start`; `fit` is how well they are of the sort.

    `answer`: what they come to, where that is more or other than the words.
    """

    start: int
    text: str
    fit: float = 1.0
    answer: str = ""


_YEAR = re.compile(r"(?<![\d,.$£€])(?:1[0-9]\d\d|20\d\d|[1-9]\d\d(?= (?:AD|BC|CE)))(?![\d,%]|\.\d)")
_NUMBER = re.compile(
    r"(?<![\w.])[$£€]?\d[\d,]*(?:\.\d+)?(?:\s(?:thousand|million|billion|trillion))?\b(?:%|\spercent)?"
)
_SPELLED = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    r"|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|hundred)\b",
    re.IGNORECASE,
)
_MEASURE = re.compile(
    r"[ -](?:inch(?:es)?|feet|foot|ft|miles?|yards?|acres?|hectares?|(?:square |sq\.? |cubic )?"
    r"(?:kilo|centi|milli)?met(?:er|re)s?|(?:square |sq\.? )?(?:km|mi|cm|mm|m)|kilograms?|kg"
    r"|tons?|tonnes?|pounds?|lbs?|years?|months?|weeks?|days?|hours?|minutes?|seconds?"
    r"|degrees?|°[CF]|mph|km/h|dollars|euros|percent|per cent)\b"
)
"""What a number counts, where the question does not say it."""

_PLACING = re.compile(r"\b(?:in|at|from|of|near|to|on|into|around|between|,|and)\s+(?:the )?$")
_SHORTENED = frozenset({"acronym", "abbreviation", "initialism", "initials"})
_LETTERS = re.compile(r"\b[A-Z](?:[A-Z&.-]*[A-Z])\b")
_CENTURY = re.compile(
    r"\b(?:\d{1,2}(?:st|nd|rd|th)|[a-z]+(?:th|first|second|third)) century(?: BC\w*)?\b"
)
_NO_PERSON = frozenset(
    "university college school church county city river lake mountain island street company "
    "corporation inc band album film theatre museum hospital airport station battle war award "
    "prize party league club cup championship united states kingdom republic north south "
    "east west new san saint records entertainment studios press institute department ministry "
    "festival academy society association road park house castle palace abbey cathedral "
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday american english british french "
    "german italian spanish indian".split()
)


def candidates(asked: Asked, text: str) -> tuple[Span, ...]:
    """Return the words of a sentence that could answer."""
    return _of(asked.sort, asked.head, text)


def suits(asked: Asked, text: str) -> bool:
    """Tell whether a sentence holds anything of the sort that is asked for and was not said."""
    if asked.sort == "yes_no":
        return False
    return any(not is_said(asked, span.text) for span in candidates(asked, text))


def is_said(asked: Asked, words: str) -> bool:
    """Tell whether words stand in the question already."""
    found = [token for token in tokens(words) if token not in STOP]
    return not found or all(f" {token} " in asked.folded for token in found)


@lru_cache(maxsize=32768)
def _of(sort: Sort, head: str, text: str) -> tuple[Span, ...]:
    if head == "century":
        return tuple(Span(at.start(), at.group(), 1.2) for at in _CENTURY.finditer(text))
    if sort in ("date", "year"):
        return tuple(_dates(sort, text))
    if sort == "number":
        return tuple(_numbers(head, text))
    found = [Span(at, name) for at, name in names(text)]
    if head in _SHORTENED:
        return tuple(Span(at.start(), at.group(), 1.2) for at in _LETTERS.finditer(text))
    found = [span for span in found if not is_adjective(span.text)]
    if sort == "person":
        return tuple(
            Span(span.start, span.text, 1.0 if " " in span.text else 0.4)
            for span in found
            if is_personal(span.text)
        )
    if sort == "place":
        return tuple(
            Span(span.start, span.text, 1.0 if _PLACING.search(text[: span.start]) else 0.0)
            for span in found
        )
    return tuple(found)


def is_personal(name: str) -> bool:
    """Tell whether a name could be a person's."""
    return _NO_PERSON.isdisjoint(fold(name).split()) and not re.search(r"\d", name)


def _dates(sort: Sort, text: str) -> Iterator[Span]:
    days = list(DATE.finditer(text))
    for match in days if sort == "date" else ():
        yield Span(match.start(), match.group())
    for match in _YEAR.finditer(text):
        within = any(day.start() <= match.start() < day.end() for day in days)
        if sort == "year" or not within:
            yield Span(match.start(), match.group(), 1.0 if sort == "year" else 0.7)


def _numbers(head: str, text: str) -> Iterator[Span]:
    days = [(match.start(), match.end()) for match in DATE.finditer(text)]
    for match in (*_NUMBER.finditer(text), *_SPELLED.finditer(text)):
        if any(start <= match.start() < end for start, end in days):
            continue
        year = bool(_YEAR.fullmatch(match.group()))
        after = fold(text[match.end() : match.end() + 40]).split()[:3]
        unit = bool(head) and any(word[:4] == head[:4] for word in after)
        measured = _MEASURE.match(text, match.end()) if not unit else None
        answer = f"{match.group()}{measured.group()}" if measured else ""
        fit = 1.3 if unit else 1.0 if measured else 0.8 - 0.8 * year
        yield Span(match.start(), match.group(), fit, answer)
