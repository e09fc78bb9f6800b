"""Which words of the best sentences answer the question?"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from widedeep.models.builtin.folding import fold
from widedeep.models.builtin.reading.asked import Asked
from widedeep.models.builtin.reading.countries import country, is_adjective, is_state, named
from widedeep.models.builtin.reading.passage import Passage, name_key
from widedeep.models.builtin.reading.passage import spans as names
from widedeep.models.builtin.reading.path import Path, path
from widedeep.models.builtin.reading.rank import Ranked
from widedeep.models.builtin.reading.related import saying
from widedeep.models.builtin.reading.resolve import about
from widedeep.models.builtin.reading.roles import named_as
from widedeep.models.builtin.reading.spans import Span, candidates, is_personal, is_said
from widedeep.models.builtin.reading.support import names_in
from widedeep.models.builtin.words import concept

_SENTENCES = 8
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_IS = re.compile(r"\b(?:is|was|are|were)\b(?P<what>[^.;]{0,160})")
_NEAREST = 1.8
"""The most that standing close to the question's words is worth."""
_ROLE = 0.8
"""What it is worth to stand in the role that is asked for, and not in one that leads to it."""

_LINK = 0.8
"""What it is worth to stand beside a name that leads to the sentence."""

_SUCH = re.compile(
    r"(?: (?:in|of|at|from) [^,.;]{1,30})?,? (?:such as|including|called|named|like)[ \"'“]+$"
)
"""What stands between a noun and the names of such things: `hotels in Oslo such as`."""

_COUNTRIES = frozenset({"country", "nation", "nationality", "citizenship", "countries"})
_LANDS = frozenset({"country", "countries", "nation", "nations"})
_BY = re.compile(r"\b(?:by|to|from|with|in|at|of|as|was|is|on|,)\s+(?:the |a |an )?$")


@dataclass(frozen=True, slots=True)
class Choice:
    """Words that answer, the sentence they stand in, and how good they are."""

    text: str
    row: Ranked
    worth: float


def best(asked: Asked, rows: Sequence[Ranked], passages: Sequence[Passage]) -> Choice | None:
    """Return the words of the best sentences that answer best."""
    found: list[Choice] = []
    way = path(asked)
    for row in rows[:_SENTENCES]:
        links = _links(asked, row)
        ends, ways = _holders(way, row)
        for span in _spans(asked, row):
            worth = row.worth + _fit(asked, row, span, passages) + _linked(span, row, links)
            key = name_key(span.text)
            worth += _ROLE * ((key in ends) - (key in ways))
            found.append(Choice(span.answer or span.text, row, worth))
    return max(found, key=lambda each: each.worth, default=None)


def _spans(asked: Asked, row: Ranked) -> Iterator[Span]:
    """Yield the words of a sentence that could answer, with its passage's subject."""
    text = row.unit.sentence.text
    if asked.head in _COUNTRIES or asked.head == "state":
        wants = is_state if asked.head == "state" else _is_land
        for at, word, _ in named(text):
            if wants(word) and not is_said(asked, word):
                fit = 0.7 if is_adjective(word) else 1.0
                yield Span(at, word, fit, _noun(word) if asked.head in _LANDS else "")
        return
    for span in candidates(asked, text):
        if not is_said(asked, span.text):
            yield span
    subject = row.unit.passage.subject
    takes = asked.sort in ("named", "thing") or (asked.sort == "place" and bool(asked.head))
    takes = takes or (asked.sort == "person" and is_personal(subject))
    if takes and subject and not is_said(asked, subject):
        yield Span(-1, subject, 0.8)


def _noun(word: str) -> str:
    """Return the country that an adjective says something is of, as a country is asked for."""
    return (country(word) or "") if is_adjective(word) else ""


def _is_land(word: str) -> bool:
    return country(word) is not None and not is_state(word)


def _fit(asked: Asked, row: Ranked, span: Span, passages: Sequence[Passage]) -> float:
    """Return what speaks for a span beside its sentence: its sort, its place, its kind."""
    worth = span.fit + _kind(asked, span, row, passages)
    worth += _described(row) if span.start < 0 else _near(asked, row, span)
    if _leads_on(row, span):
        worth -= 0.8
    return worth


def _described(row: Ranked) -> float:
    """Return what speaks for the subject: that the sentence says what it is or did."""
    return 0.8 if row.unit.at == 0 else 0.5


def _near(asked: Asked, row: Ranked, span: Span) -> float:
    """Return how close a span stands to the words of the question, those asked last above all."""
    text = row.unit.sentence.text
    words = _placed(text)
    place = sum(1 for at, _ in words if at < span.start)
    size = len(span.text.split())
    total = 0.0
    for at, word in enumerate(asked.words):
        weight = asked.weights[at]
        if weight < 0.3 or not row.unit.own >> at & 1:
            continue
        said = saying(word)
        gaps = [
            (here - (place + size) if here >= place + size else place - here - 1)
            + (1.5 if here >= place + size else 0.0)
            for here, (_, each) in enumerate(words)
            if (each == word or each in said) and not place <= here < place + size
        ]
        if gaps:
            fresh = 1.0 if row.chain.fresh >> at & 1 else 0.5
            late = 1.5 if word in asked.late else 1.0
            total += weight * fresh * late * math.exp(-min(gaps) / 5)
    return min(1.2 * total, _NEAREST) + (0.2 if _BY.search(text[: span.start]) else 0.0)


@lru_cache(maxsize=4096)
def _placed(text: str) -> tuple[tuple[int, str], ...]:
    """Return the concepts of a sentence with where they stand."""
    return tuple((match.start(), concept(fold(match.group()))) for match in _WORD.finditer(text))


def _kind(asked: Asked, span: Span, row: Ranked, passages: Sequence[Passage]) -> float:
    """Return how well a span is of the kind that the head noun names."""
    head = asked.head
    if not head or asked.sort in ("date", "year", "number"):
        return 0.0
    wanted = _alike(head)
    inside = {concept(word) for word in fold(span.text).split()}
    if wanted & inside:
        return 1.0
    if span.start >= 0 and _called(wanted, span, row.unit.sentence.text):
        return 0.9
    for each in about(span.text, passages)[:1]:
        is_ = _IS.search(each.sentences[0].text) if each.sentences else None
        if is_ and wanted & {concept(word) for word in _WORD.findall(fold(is_["what"]))}:
            return 1.0
        if is_:
            return -0.8 if asked.sort == "named" else 0.0
    return 0.0


@lru_cache(maxsize=512)
def _alike(noun: str) -> frozenset[str]:
    """Return the concepts of what a noun names: a movie is a film."""
    one = concept(noun)
    return frozenset({one, concept("film")}) if one == concept("movie") else frozenset({one})


def _called(wanted: frozenset[str], span: Span, text: str) -> bool:
    """Tell whether the noun stands beside a span: `the band Wilco`, `Avery county`, `X, a band`."""
    before, after = text[: span.start], text[span.start + len(span.text) :]
    said = re.match(r"\s*,? (?:is |was )?(?:an?|the) ([^,.;]{0,60})", after)
    before = _SUCH.sub("", before)
    near = [*_WORD.findall(fold(before))[-2:], *_WORD.findall(fold(after[:25]))[:1]]
    near += _WORD.findall(fold(said[1])) if said else []
    return bool(wanted & {concept(word) for word in near})


def _holders(way: Path, row: Ranked) -> tuple[frozenset[str], frozenset[str]]:
    """Return whom a sentence gives the role that is asked for, and whom those that lead to it."""
    last = way.roles[-1:] if way.aim == "who" else ()
    text = row.unit.sentence.text
    ends = frozenset(name_key(name) for role in last for name in named_as(role, text))
    roles = way.roles[: len(way.roles) - len(last)]
    return ends, frozenset(name_key(name) for role in roles for name in named_as(role, text)) - ends


def _links(asked: Asked, row: Ranked) -> frozenset[str]:
    """Return the names by which the rest of the chain leads to a sentence."""
    others = [unit for unit in row.chain.units if unit is not row.unit]
    return frozenset(
        key
        for key in names_in(row.unit.sentence.text)
        if key not in asked.folded
        and any(key in unit.sentence.folded or key in unit.passage.keys for unit in others)
    )


def _linked(span: Span, row: Ranked, links: frozenset[str]) -> float:
    """Return what a span gains beside a name that leads to its sentence; such a name loses."""
    if span.start < 0 or not links:
        return 0.0
    key = name_key(span.text)
    if key in links:
        return -_LINK
    text = row.unit.sentence.text
    gaps = [
        len(_WORD.findall(text[min(at + len(name), span.start) : max(at, span.start)]))
        for at, name in names(text)
        if name_key(name) in links
    ]
    return _LINK * math.exp(-min(gaps) / 5) if gaps else 0.0


def _leads_on(row: Ranked, span: Span) -> bool:
    """Tell whether a span only names what an earlier or later part of the chain is about."""
    key = name_key(span.text)
    if not key or span.start < 0:
        return False
    others = [unit for unit in row.chain.units if unit is not row.unit]
    return any(key in unit.passage.keys for unit in others)
