"""How well does a line state the attribute that is asked for?

A label fits when it holds every content word that was asked, in its own or a like word, and little
else: `population` fits `Population, total` and does not fit `Population growth rate`, because the
head of that label is a rate. What stands in brackets or after a dash weighs little.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import lru_cache

from widedeep.models.builtin.question import Attribute
from widedeep.models.builtin.read import Line
from widedeep.models.builtin.values import DATE, is_placeholder, years
from widedeep.models.builtin.words import (
    HARMLESS,
    NEUTRAL,
    PREPOSITIONS,
    SOFT,
    concepts,
    tokens,
)
from widedeep.text import STOP

FITS = 0.6
"""A line that fits less is not taken as a statement of the attribute."""

SURE = 0.7
"""A line that fits so is taken without looking for a better one."""

_MOST_LABELS = 5000

_LOOSE = re.compile(r"\s*(?:of|at|in)\b")

HALF_FITS = 0.5
"""A label that fits so may do for a description when the value is the very one described."""

_ASIDE = re.compile(r"\(([^()]*)\)")
_DASH = re.compile(r"\s[-–—]\s")
_YEAR_WORD = re.compile(r"^(?:1[0-9]|20|21)\d\d$")


@dataclass(frozen=True, slots=True)
class Segment:
    """One part of a label: its words, those in brackets or after a dash, and its head.

    `complement` are words that hardly narrow it: `state` in `chief of state`, not `capita` in
    `GDP per capita`.
    """

    main: tuple[str, ...]
    complement: frozenset[str]
    side: tuple[str, ...]
    head: str | None


@dataclass(frozen=True, slots=True)
class Label:
    """A label as a path: the last part says what the line states, those before it narrow it."""

    leaf: Segment
    parents: tuple[Segment, ...]
    words: frozenset[str]
    initials: frozenset[str]


@lru_cache(maxsize=16384)
def label(text: str) -> Label:
    """Return a label taken apart."""
    segments = _segments(text)
    words = frozenset(word for segment in segments for word in (*segment.main, *segment.side))
    plain = [token for token in tokens(text) if token not in STOP]
    initials = frozenset(
        "".join(token[0] for token in plain[at : at + size])
        for size in (2, 3, 4)
        for at in range(len(plain) - size + 1)
    )
    at = len(segments) - 1
    while at > 0 and _is_neutral(segments[at]):
        at -= 1
    own = segments[at]
    return Label(own, tuple(segments[:at]), words, initials)


def _segments(text: str) -> list[Segment]:
    """Return the parts of a label; one that starts with a preposition completes that before it."""
    found: list[Segment] = []
    for part in _parts(text) or [text]:
        first = next(iter(tokens(part)), "")
        own = _segment(part)
        if found and first in PREPOSITIONS:
            last = found.pop()
            loose = frozenset(own.main if _LOOSE.match(part) else ())
            added = last.complement | loose
            own = Segment((*last.main, *own.main), added, (*last.side, *own.side), last.head)
        found.append(own)
    return found


def _parts(text: str) -> list[str]:
    """Cut a label at the commas outside of brackets."""
    plain = re.sub(r"\([^()]*\)", lambda match: match.group().replace(",", " "), text)
    return [part.strip() for part in plain.split(",") if part.strip()]


def _segment(text: str) -> Segment:
    asides = " ".join(_ASIDE.findall(text))
    first, *rest = _DASH.split(_ASIDE.sub(" ", text))
    side = concepts(" ".join([asides, *rest]))
    core = head_phrase(first)
    main = _content(first)
    loose = _LOOSE.match(first[len(core) :]) is not None
    complement = frozenset(main) - frozenset(_content(core)) if loose else frozenset[str]()
    return Segment(main, complement, _without_years(side), head(first))


def _without_years(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in words if not _YEAR_WORD.match(word))


def _content(text: str) -> tuple[str, ...]:
    return _without_years(concepts(text))


def _is_neutral(segment: Segment) -> bool:
    """Tell whether a part only says that the whole is meant: `total`, `name`, `percent of ...`."""
    if segment.main[:1] == ("percent",):
        return True
    if segment.head is not None and segment.head not in NEUTRAL and segment.main[-1] in NEUTRAL:
        return False
    extra = [word for word in segment.main if word not in NEUTRAL]
    return len(extra) <= 1 and len(extra) < len(segment.main) + (not segment.main)


def head_phrase(text: str) -> str:
    """Return the part of a noun phrase before its first preposition."""
    found: list[str] = []
    for token in tokens(text):
        if token in PREPOSITIONS and found:
            break
        found.append(token)
    return " ".join(found)


def head(text: str) -> str | None:
    """Return the word that says what a noun phrase is: the last one before a preposition."""
    found = _content(head_phrase(text))
    solid = [word for word in found if word not in SOFT and word not in NEUTRAL]
    return (solid or found or [None])[-1]


@lru_cache(maxsize=8192)
def label_fit(asked: Attribute, text: str) -> float:
    """Return how well a label fits what is asked, 0 to 1; -1 when it holds only a part of it."""
    found = label(text)
    words = found.words | {word for word in asked.words if word in found.initials}
    held = words.intersection(asked.words)
    if not held:
        return 0.0
    if all(word in words for word in asked.required):
        return _fit(asked, found, words)
    return -1.0 if held.intersection(asked.required) else 0.0


def _measured_fit(asked: Attribute, text: str, value: str) -> float:
    """Return the fit where the unit in a value says a part: `military spending as % of GDP`."""
    found = label(text)
    words = found.words | {word for word in asked.words if word in found.initials}
    missing = {word for word in asked.required if word not in words}
    if not missing <= set(concepts(value)) | _dimension(value):
        return 0.0
    return _fit(asked, found, words | missing) - 0.1 * len(missing)


_DIMENSIONS = (
    (
        re.compile(r"\d\s?(?:sq|square|km2|ha\b|hectares|acres)"),
        concepts("area size surface extent"),
    ),
    (re.compile(r"\d\s?(?:km|m|ft|mi|miles|nm)\b"), concepts("length height elevation distance")),
    (re.compile(r"[$€£]\s?\d|\d (?:dollars|euros)"), concepts("price cost value amount")),
    (re.compile(r"\d\s?%"), concepts("percent rate part")),
    (re.compile(r"\d years"), concepts("age duration")),
)


def _dimension(value: str) -> set[str]:
    """Return what the unit of a value says it measures: `sq km` an area."""
    return {word for unit, words in _DIMENSIONS if unit.search(value) for word in words}


def _fit(asked: Attribute, found: Label, words: Collection[str]) -> float:
    wanted = set(asked.words)
    missing = wanted - set(words)
    solid = [word for word in asked.required if word in found.leaf.main]
    narrower = 0.42 if len(solid) < 2 else 0.3
    added = [word for word in found.leaf.main if word not in wanted]
    if missing & SOFT and any(_extra(word, 1, wanted) > 0.5 for word in added):
        return 0.0
    cost = sum(0.04 if word in HARMLESS else 0.12 for word in missing)
    cost += sum(
        _extra(word, 0.18 if word in found.leaf.complement else narrower, wanted) for word in added
    )
    cost += sum(_extra(word, 0.08) for word in found.leaf.side if word not in wanted)
    for parent in found.parents:
        cost += sum(_extra(word, 0.1) for word in parent.main if word not in wanted)
        cost += sum(0.02 for word in parent.side if word not in wanted)
    return max(0.0, 1.0 - cost - _head_cost(asked, found))


def _extra(word: str, cost: float, wanted: Collection[str] = ()) -> float:
    if word in NEUTRAL or any(_is_kin(word, other) for other in wanted):
        return cost * 0.05
    return cost * 0.2 if word in HARMLESS or word in SOFT else cost


def _is_kin(word: str, other: str) -> bool:
    """Tell whether two words are of one family: `electrification` and `electricity`."""
    return len(word) > 6 and len(other) > 6 and word[:7] == other[:7]


def _head_cost(asked: Attribute, found: Label) -> float:
    own = found.leaf.head
    if own is None or own in asked.words or own in NEUTRAL or own in HARMLESS:
        return 0.0
    if any(word in found.initials or _is_kin(own, word) for word in asked.words):
        return 0.0
    return 0.1 if len(set(asked.words) & set(found.leaf.main)) > 1 else 0.45


@lru_cache(maxsize=256)
def _memo(_: Attribute) -> dict[str, float]:
    return {}


def fitter(asked: Attribute, year: int | None) -> Callable[[Line], float]:
    """Return what tells how well a line states what is asked for the year asked, 0 to 1.

    The same labels stand in many documents: what was found out about one is remembered.
    """
    memo = _memo(asked)
    if len(memo) > _MOST_LABELS:
        memo.clear()

    def fit(line: Line) -> float:
        fits = memo.get(line.label)
        if fits is None:
            fits = memo[line.label] = label_fit(asked, line.label) if line.label else 0.0
        return _value_fit(asked, line, year, fits) if fits else 0.0

    return fit


def _value_fit(asked: Attribute, line: Line, year: int | None, fits: float) -> float:
    """Return the fit of a line whose label fits so, once its value is looked at too."""
    if fits < 0 and asked.kind in ("any", "number", "percent") and len(line.value) < 80:
        fits = _measured_fit(asked, line.label, line.value)
    if fits < FITS or is_placeholder(line.value) or not _has_kind(asked, line.label, line.value):
        return 0.0
    if year is not None and asked.kind != "date":
        return fits if year in years(line.text) else 0.0
    return fits


def preference(asked: Attribute, value: str) -> float:
    """Return how much a value looks like what is asked for, among lines that fit alike."""
    plain = re.sub(r"\([^()]*\)", "", value)
    if asked.kind == "thing":
        return 0.0 if re.match(r"\W*\d", plain) else 0.15 - 0.05 * bool(re.search(r"\d", plain))
    if asked.kind == "place":
        return 0.15 if re.match(r"[^\W\d_a-zß-ÿ]", plain) else 0.0
    return 0.0


def _has_kind(asked: Attribute, label: str, value: str) -> bool:
    if asked.kind in ("number", "percent", "date") and re.match(
        r"(?:none|no|not)\b", value.lower()
    ):
        return label_fit(asked, label) > 0.85
    if asked.kind == "place" and re.match(r"[-−]?[$€£]?\d", value):
        return False
    if asked.kind == "percent" and "%" not in value and "percent" not in tokens(label):
        return False
    if asked.kind in ("number", "percent"):
        return re.search(r"\d", value) is not None
    if asked.kind == "date":
        return bool(DATE.search(value) or years(value))
    return True
