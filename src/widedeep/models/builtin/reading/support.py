"""Which sentences, linked by the names they share, account together for the words of a question?

A chain is a row of sentences; each names what the next one's passage is about, or the other way
round. It is worth the weight of the question's words that it accounts for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from widedeep.models.builtin.reading.asked import Asked
from widedeep.models.builtin.reading.countries import named
from widedeep.models.builtin.reading.passage import Passage, Sentence, name_key, spans
from widedeep.models.builtin.reading.related import covers

_BEAM = 60
_LONGEST = 4
_PER_PASSAGE = 4
_FULL_NAME, _ONE_WORD, _COUNTRY = 0.4, 0.5, 0.8
"""What it costs to go over a name that two sentences share."""
_STEP = 0.25
"""What a further sentence must at least account for to be worth it."""


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """A sentence of a passage; `mask` are the words of the question that the two account for."""

    passage: Passage
    sentence: Sentence
    at: int
    own: int
    mask: int


Links = dict[tuple[int, int], list[tuple[Unit, float]]]


class Chain(NamedTuple):
    """Sentences in the order in which they lead from the question's names to what is asked."""

    units: tuple[Unit, ...]
    mask: int
    worth: float
    fresh: int
    """The words that only the last sentence accounts for."""

    @property
    def last(self) -> Unit:
        """The sentence that the chain leads to."""
        return self.units[-1]


def units(asked: Asked, passages: Sequence[Passage]) -> list[Unit]:
    """Return the sentences of the passages, with what each accounts for."""
    return [unit for each in passages for unit in _units(asked, each)]


@lru_cache(maxsize=2048)
def _units(asked: Asked, each: Passage) -> tuple[Unit, ...]:
    """Return those of a passage; a question meets it again with every turn."""
    found: list[Unit] = []
    keys, first = asked.keys, len(asked.words)
    title = sum(1 << at for at, word in enumerate(asked.words) if word in each.words)
    title |= _names(keys, " | ".join(each.keys), first)
    for place, said in enumerate(each.sentences):
        own = sum(1 << at for at, word in enumerate(asked.words) if covers(said.words, word))
        own |= _names(keys, said.folded, first)
        found.append(Unit(each, said, place, own, own | title))
    return tuple(found)


def _names(keys: Sequence[str], text: str, first: int) -> int:
    return sum(1 << first + at for at, key in enumerate(keys) if key in text)


def weights(asked: Asked) -> tuple[float, ...]:
    """Return what the question's words and then its whole names weigh."""
    return (*asked.weights, *(min(0.8 + 0.3 * len(key.split()), 2.0) for key in asked.keys))


class Weigher:
    """The weight of a set of the question's words, remembered."""

    def __init__(self, weights: Sequence[float]) -> None:
        self._weights = weights
        self._known: dict[int, float] = {}

    def __call__(self, mask: int) -> float:
        """Return the summed weight of the words in a mask."""
        if mask not in self._known:
            self._known[mask] = sum(w for at, w in enumerate(self._weights) if mask >> at & 1)
        return self._known[mask]


def chains(asked: Asked, every: Sequence[Unit]) -> list[Chain]:
    """Return the chains worth most, best first; every sentence of weight ends at least one."""
    weigh = Weigher(weights(asked))
    kept = _telling(every, weigh)
    links = _links(asked, kept)
    named = _named(asked, every)
    beam = [
        Chain((unit,), unit.mask, weigh(unit.mask), unit.mask)
        for unit in every
        if unit.mask & named or not named
    ]
    found = list(beam)
    beam = sorted(beam, key=lambda chain: -chain.worth)[:_BEAM]
    for _ in range(_LONGEST - 1):
        longer = [more for chain in beam for more in _extended(chain, links, weigh)]
        found += longer
        beam = sorted(longer, key=lambda chain: -chain.worth)[:_BEAM]
    return sorted(found, key=lambda chain: (-chain.worth, chain.last.passage.n, chain.last.at))


def _named(asked: Asked, every: Sequence[Unit]) -> int:
    """Return the names that chains may start from: whole ones where a passage holds any."""
    whole = sum(1 << len(asked.words) + at for at in range(len(asked.keys)))
    return whole if any(unit.mask & whole for unit in every) else 0


def _telling(every: Sequence[Unit], weigh: Weigher) -> list[Unit]:
    """Return the sentences of each passage that account for most."""
    by_passage: dict[int, list[Unit]] = {}
    for unit in every:
        by_passage.setdefault(unit.passage.n, []).append(unit)
    kept: list[Unit] = []
    for rows in by_passage.values():
        rows.sort(key=lambda unit: (-weigh(unit.own), unit.at))
        kept += rows[:_PER_PASSAGE]
    return kept


def _links(asked: Asked, kept: Sequence[Unit]) -> Links:
    """Return for each sentence those it leads to, and what the step costs at least."""
    names = [_own_names(asked, unit) for unit in kept]
    mentioned = _mentioned(kept, names)
    by_passage: dict[int, list[int]] = {}
    by_name: dict[str, list[int]] = {}
    for at, unit in enumerate(kept):
        by_passage.setdefault(unit.passage.n, []).append(at)
        for name in names[at]:
            by_name.setdefault(name, []).append(at)
    costs: list[dict[int, float]] = [{} for _ in kept]
    for at, unit in enumerate(kept):
        for name, cost in names[at].items():
            _offer(costs[at], by_name[name], cost)
        for n, cost in mentioned[at].items():
            _offer(costs[at], by_passage[n], cost)
            for other in by_passage[n]:
                _offer(costs[other], (at,), cost + 0.1)
        _offer(costs[at], by_passage[unit.passage.n], 0.1)
        costs[at].pop(at, None)
    return {
        (unit.passage.n, unit.at): [(kept[other], cost) for other, cost in row.items()]
        for unit, row in zip(kept, costs, strict=True)
    }


def _offer(row: dict[int, float], places: Iterable[int], cost: float) -> None:
    for place in places:
        row[place] = min(cost, row.get(place, cost))


def _mentioned(kept: Sequence[Unit], names: Sequence[dict[str, float]]) -> list[dict[int, float]]:
    """Return for each sentence the passages whose subject it names; a country's adjective costs."""
    called: dict[str, set[int]] = {}
    opening: dict[str, set[str]] = {}
    for unit in kept:
        for key in unit.passage.keys:
            called.setdefault(key, set()).add(unit.passage.n)
            opening.setdefault(key.split()[0], set()).add(key)
    found: list[dict[int, float]] = []
    for unit, mine in zip(kept, names, strict=True):
        folded = unit.sentence.folded
        said = {key for word in set(folded.split()) for key in opening.get(word, ())}
        row = {n: _COUNTRY / 2 for key in mine for n in called.get(key, ())}
        row |= {n: 0.0 for key in said if key in folded for n in called[key]}
        row.pop(unit.passage.n, None)
        found.append(row)
    return found


def _own_names(asked: Asked, unit: Unit) -> dict[str, float]:
    """Return the names in a sentence that are new, and what they cost as links."""
    found = names_in(unit.sentence.text)
    return {key: cost for key, cost in found.items() if cost == _COUNTRY or key not in asked.folded}


@lru_cache(maxsize=16384)
def names_in(text: str) -> dict[str, float]:
    """Return the names in a sentence, and what they cost as links."""
    found = {name_key(of): _COUNTRY for _, _, of in named(text)}
    for _, name in spans(text):
        key = name_key(name)
        if key and key not in found:
            found[key] = _FULL_NAME if " " in name else _ONE_WORD
    return found


def _extended(chain: Chain, links: Links, weigh: Weigher) -> Iterator[Chain]:
    last, missing = chain.last, ~chain.mask
    for unit, cost in links.get((last.passage.n, last.at), ()):
        fresh = unit.mask & missing
        if not fresh:
            continue
        worth = chain.worth + weigh(fresh) - cost - _STEP
        yield Chain((*chain.units, unit), chain.mask | unit.mask, worth, fresh)
