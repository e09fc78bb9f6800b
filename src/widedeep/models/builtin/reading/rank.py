"""Which sentences bear on the question, best first?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from widedeep.models.builtin.reading.asked import Asked
from widedeep.models.builtin.reading.spans import suits
from widedeep.models.builtin.reading.support import Chain, Unit

MOST_QUOTES = 10
MOST_WORDS = 250
_SUITS = 0.6
_LATE = 0.4
_INNER = 0.45
_END = 0.8
_BESIDE = 0.6
_SAME = 0.3
"""What it costs that a passage has been quoted already."""
_FIRST = 3


@dataclass(frozen=True, slots=True)
class Ranked:
    """A sentence with what it is worth, and the chain that gives it its worth."""

    unit: Unit
    worth: float
    chain: Chain


def ranked(
    asked: Asked, chains: Sequence[Chain], every: Sequence[Unit], ends: Sequence[int] = ()
) -> list[Ranked]:
    """Return the sentences that bear on the question with their best worth, best first.

    Args:
        asked: the question.
        chains: the chains that account for its words, best first.
        every: all sentences.
        ends: numbers of the passages that the roles in the question lead to.
    """
    best: dict[tuple[int, int], Ranked] = {}
    own = {
        (unit.passage.n, unit.at): _own(asked, unit) + (_END if unit.passage.n in ends else 0.0)
        for unit in every
    }
    for chain in chains:
        for unit in chain.units:
            key = (unit.passage.n, unit.at)
            worth = chain.worth + own[key] - (0.0 if unit is chain.last else _INNER)
            if key not in best or worth > best[key].worth:
                best[key] = Ranked(unit, worth, chain)
    for row in (*_beside(chains, every, own), *_at(ends, chains, every, own)):
        best.setdefault((row.unit.passage.n, row.unit.at), row)
    return sorted(best.values(), key=lambda row: (-row.worth, row.unit.passage.n, row.unit.at))


def _beside(
    chains: Sequence[Chain], every: Sequence[Unit], own: dict[tuple[int, int], float]
) -> Iterator[Ranked]:
    """Yield the other sentences of the passages that chains lead to."""
    first: dict[int, Chain] = {}
    for chain in chains:
        first.setdefault(chain.last.passage.n, chain)
    for unit in every:
        if (chain := first.get(unit.passage.n)) is not None:
            worth = chain.worth - _BESIDE + own[unit.passage.n, unit.at]
            yield Ranked(unit, worth, chain)


def _at(
    ends: Sequence[int],
    chains: Sequence[Chain],
    every: Sequence[Unit],
    own: dict[tuple[int, int], float],
) -> Iterator[Ranked]:
    """Yield the sentences of the passages that roles lead to, whatever words they hold."""
    reached = chains[0].worth - _BESIDE if chains else 0.0
    for unit in every:
        if unit.passage.n in ends:
            alone = Chain((unit,), unit.mask, reached, unit.mask)
            yield Ranked(unit, reached + own[unit.passage.n, unit.at], alone)


def spread(rows: Sequence[Ranked], most: int) -> list[Ranked]:
    """Return the best rows: the first as they are, then those of other passages sooner."""
    kept = list(rows[:_FIRST])
    rest = list(rows[_FIRST : _FIRST + 5 * most])
    while rest and len(kept) < most:
        same = Counter(row.unit.passage.n for row in kept)
        best = max(rest, key=lambda row: row.worth - _SAME * same[row.unit.passage.n])
        kept.append(best)
        rest.remove(best)
    return kept


def _own(asked: Asked, unit: Unit) -> float:
    """Return what speaks for a sentence itself: what was asked last, and the sort of answer."""
    late = sum(word in asked.late for at, word in enumerate(asked.words) if unit.own >> at & 1)
    return _LATE * min(late, 3) + (_SUITS if suits(asked, unit.sentence.text) else 0.0)
