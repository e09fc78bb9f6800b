"""What do the sources that were met say to a question in prose?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from widedeep.models.builtin.reading import compare
from widedeep.models.builtin.reading.asked import Asked, asked
from widedeep.models.builtin.reading.choose import Choice, best
from widedeep.models.builtin.reading.lives import Fact
from widedeep.models.builtin.reading.passage import Passage
from widedeep.models.builtin.reading.path import Path, path
from widedeep.models.builtin.reading.rank import MOST_QUOTES, MOST_WORDS, Ranked, ranked, spread
from widedeep.models.builtin.reading.resolve import Found, about, follow
from widedeep.models.builtin.reading.support import Weigher, chains, units, weights

SURE = 0.7
"""The share of a question that the chain to an answer must account for."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """Sentence `at` of a passage."""

    passage: Passage
    at: int

    @property
    def text(self) -> str:
        """The words of the sentence."""
        return self.passage.sentences[self.at].text


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read: the sentences that bear on the question best first, and what answers it.

    `short` is None when the sources hold no answer; `support` are the sentences it rests on.
    `sure` tells how well the support accounts for the question, 0 to 1; `is_resolved` that it
    is what the roles in the question lead to, or a comparison, and not chosen among others.
    """

    quotes: tuple[Sighting, ...]
    short: str | None = None
    support: tuple[Sighting, ...] = ()
    sure: float = 0.0
    is_resolved: bool = False


def read(question: str, passages: Sequence[Passage]) -> Reading:
    """Read passages for a question."""
    return _read(question, tuple(passages))


@lru_cache(maxsize=32)
def _read(question: str, passages: tuple[Passage, ...]) -> Reading:
    titles = tuple(each.title for each in passages if each.title)
    what = asked(question, titles)
    found = _resolved(what, passages)
    ends = () if found else _ends(what, passages)
    every = units(what, passages)
    rows = ranked(what, chains(what, every), every, ends)
    first = _sightings(found[1], passages, what) if found else ()
    if not found and what.sort != "yes_no":
        chosen = best(what, rows, passages)
        if chosen is not None:
            sure = _sure(what, chosen)
            support = _along(chosen)
            short = chosen.text if sure >= SURE else None
            return Reading(_quotes((*support[:1], *_seen(rows))), short, support, sure)
    return Reading(
        _quotes((*first, *_seen(rows))),
        found[0] if found else None,
        first,
        1.0 if found else 0.0,
        bool(found),
    )


def accounts(question: str, passages: Sequence[Passage]) -> bool:
    """Tell whether passages together account for every word of a question: only then can a chain.

    What the roles in it resolve needs no more; a yes or no is never chosen among others.
    """
    titles = tuple(each.title for each in passages if each.title)
    what = asked(question, titles)
    if _resolved(what, passages) is not None:
        return True
    mask = 0
    for unit in units(what, passages):
        mask |= unit.mask
    return what.sort != "yes_no" and mask == (1 << len(what.words) + len(what.keys)) - 1


def resolves(question: str, passages: Sequence[Passage]) -> bool:
    """Tell whether roles in the question, or its comparison, lead to an answer."""
    titles = tuple(each.title for each in passages if each.title)
    return _resolved(asked(question, titles), passages) is not None


def _seen(rows: Sequence[Ranked]) -> list[Sighting]:
    return [Sighting(row.unit.passage, row.unit.at) for row in spread(rows, 2 * MOST_QUOTES)]


def _ends(what: Asked, passages: Sequence[Passage]) -> tuple[int, ...]:
    """Return the passages that the question's roles lead to."""
    way = path(what)
    if not way.roles:
        return ()
    found = (each for name in what.names for each in follow(name, Path(way.roles, "who"), passages))
    return tuple(each.passage.n for each in found if each.passage)


def _sure(what: Asked, chosen: Choice) -> float:
    """Return the share of the question that the chain to an answer accounts for."""
    weigh = Weigher(weights(what))
    whole = weigh((1 << len(what.words) + len(what.keys)) - 1)
    return weigh(chosen.row.chain.mask) / whole if whole else 0.0


def _along(chosen: Choice) -> tuple[Sighting, ...]:
    """Return the sentence that answers, then those that lead to it."""
    units = [chosen.row.unit, *(u for u in chosen.row.chain.units if u is not chosen.row.unit)]
    return tuple(Sighting(unit.passage, unit.at) for unit in units)


def _resolved(what: Asked, passages: Sequence[Passage]) -> tuple[str, tuple[Found, ...]] | None:
    """Return what the question's way through roles, or its comparison, comes to."""
    way = path(what)
    verdict = None
    if compare.is_ordered(what):
        verdict = compare.ordered(what, way, passages)
    elif len(what.names) > 1:
        verdict = compare.alike(what, way, passages)
    if verdict:
        return verdict.short, verdict.sides
    if what.arms or what.sort == "yes_no" or not (way.is_plain and _agrees(what, way)):
        return None
    for name in sorted(what.names, key=len, reverse=True):
        found = follow(name, way, passages)
        if found:
            return found[0].value, tuple(found[:1])
    return None


def _agrees(what: Asked, way: Path) -> bool:
    """Tell whether a path leads to the sort of thing that is asked for."""
    if way.aim == "who":
        return what.sort == "person"
    if way.aim == "country":
        return what.head in ("country", "nation", "nationality", "citizenship") or not what.head
    if way.aim.endswith("place"):
        return what.sort == "place"
    return what.sort in ("date", "year")


def _sightings(
    sides: Sequence[Found], passages: Sequence[Passage], what: Asked
) -> tuple[Sighting, ...]:
    """Return the sentences that a result rests on, those of the end first."""
    ends = [_sighting(side.facts[-1]) for side in sides if side.facts]
    rest = [_sighting(fact) for side in sides for fact in side.facts[:-1]]
    if what.arms:
        ends = [*rest, *ends]
        rest = [Sighting(each, 0) for arm in what.arms for each in about(arm, passages)[:1]]
    return tuple(dict.fromkeys((*ends, *rest)))


def _sighting(fact: Fact) -> Sighting:
    return Sighting(fact.passage, fact.at)


def _quotes(every: Sequence[Sighting]) -> tuple[Sighting, ...]:
    """Return the best sentences, each once, at most 250 words of them."""
    kept: dict[str, Sighting] = {}
    room = MOST_WORDS
    for each in every:
        size = len(each.text.split())
        if each.text in kept or size > room:
            continue
        kept[each.text] = each
        room -= size
        if len(kept) == MOST_QUOTES:
            break
    return tuple(kept.values())
