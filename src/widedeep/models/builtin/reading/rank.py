"""Which sentences bear on the question, best first?"""

from __future__ import annotations

from collections.abc import Sequence
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


@dataclass(frozen=True, slots=True)
class Ranked:
    """A sentence with what it is worth, and the chain that gives it its worth."""

    unit: Unit
    worth: float
    chain: Chain


def ranked(asked: Asked, chains: Sequence[Chain], ends: Sequence[int] = ()) -> list[Ranked]:
    """Return every sentence that a chain holds with its best worth, best first.

    Args:
        asked: the question.
        chains: the chains that account for its words.
        ends: numbers of the passages that the roles in the question lead to.
    """
    best: dict[tuple[int, int], Ranked] = {}
    for chain in chains:
        for unit in chain.units:
            worth = score(asked, chain, unit) + (_END if unit.passage.n in ends else 0.0)
            key = (unit.passage.n, unit.at)
            if key not in best or worth > best[key].worth:
                best[key] = Ranked(unit, worth, chain)
    return sorted(best.values(), key=lambda row: (-row.worth, row.unit.passage.n, row.unit.at))


def score(asked: Asked, chain: Chain, unit: Unit) -> float:
    """Return how likely a sentence of a chain is to hold what is asked."""
    last = unit is chain.last
    late = sum(
        1 for at, word in enumerate(asked.words) if word in asked.late and unit.own >> at & 1
    )
    worth = chain.worth + _LATE * min(late, 3)
    if suits(asked, unit.sentence.text):
        worth += _SUITS
    return worth if last else worth - _INNER
