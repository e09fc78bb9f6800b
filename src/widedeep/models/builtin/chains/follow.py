"""Which queries follow the chains of a question further?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from widedeep.models.builtin.chains.asked import Asked, Unit
from widedeep.models.builtin.chains.graph import Graph, Lead
from widedeep.models.builtin.chains.roots import key_of, root
from widedeep.models.builtin.chains.walk import Walked
from widedeep.models.builtin.chunks import chunks
from widedeep.models.builtin.names import is_caseless

MOST_WORDS = 5
QUOTE = True
ALONE = 0.5
CROWD = 0.5
_END_COST = 0.3
_MADE_COST = 1.5
_DONE_COST = 0.8
ROOT_GAIN = 0.5
_SPOKEN_COST = 1.5
ROOT_WORDS = 5
MOST_GUESSES = 2
"""Runs of words that are looked up as if they were names, in a question without capitals."""


@dataclass(frozen=True, slots=True)
class Step:
    """A query that may be made: `about` what, and on behalf of which names of the question."""

    query: str
    about: frozenset[str]
    score: float
    origin: int


def first(asked: Asked) -> list[Step]:
    """Return the queries to start with: the question, and each of its names by itself."""
    steps = [Step(asked.text, frozenset(), 9.0, 0)]
    for at, unit in enumerate(asked.names):
        query = _query(unit.text, _soonest(asked, unit.bit)[:ROOT_WORDS])
        steps.append(Step(query, unit.key, 8.0 - at, unit.bit))
    return steps if asked.names else [*steps, *_guessed(asked)]


def _guessed(asked: Asked) -> Iterator[Step]:
    """Yield queries for what may be a name in a question without capitals."""
    if not is_caseless(asked.text):
        return
    for at, chunk in enumerate(chunks(asked.text.lower())[:MOST_GUESSES]):
        key = key_of(chunk.text)
        covered = sum(unit.bit for unit in asked.units if unit.roots & set(map(root, key)))
        yield Step(
            _query(chunk.text, _soonest(asked, covered)[:ROOT_WORDS]), key, 8.0 - at, covered
        )


def next_steps(graph: Graph, walked: Walked, made: Sequence[str]) -> list[Step]:
    """Return the queries that may follow, best first; none says the same as one made."""
    done = {_words(query) for query in made}
    onward = [*_bridges(graph, walked, done), *_ends(graph, walked)]
    best = max((step.score for step in onward), default=0.0)
    steps = [*onward, *_roots(graph, done, best)]
    fresh: dict[frozenset[str], Step] = {}
    for step in sorted(steps, key=lambda one: (-one.score, one.query)):
        words = _words(step.query)
        if words not in done:
            fresh.setdefault(words, step)
    return list(fresh.values())


def chosen(asked: Asked, steps: Sequence[Step], most: int) -> list[Step]:
    """Return the steps to take: the best, each about something else, the arms in turns."""
    picked: list[Step] = []
    rest: list[Step] = list(steps)
    while rest and len(picked) < most:
        best = max(rest, key=lambda step: step.score - _crowding(asked, step, picked))
        picked.append(best)
        rest = [step for step in rest if step is not best and not _is_about(step, best)]
    return picked


def _is_about(step: Step, other: Step) -> bool:
    """Tell whether two steps are about the same name."""
    return bool(step.about) and step.about == other.about


def _crowding(asked: Asked, step: Step, picked: Iterable[Step]) -> float:
    """Return what it costs that others have been picked on behalf of the same names."""
    same = sum(1 for other in picked if other.origin == step.origin)
    return same * (1.5 if asked.arms else CROWD)


def _roots(graph: Graph, done: set[frozenset[str]], best: float) -> Iterator[Step]:
    """Yield queries for the names of the question that no document met is about.

    One that was never looked up by itself goes before all that follows from others.
    """
    whole = key_of(graph.asked.text)
    for unit in graph.asked.names:
        if graph.about(unit.text):
            continue
        score = unit.weight + ROOT_GAIN
        if not any(unit.key <= words and not whole <= words for words in done):
            score = max(score, best + ROOT_GAIN)
        elif any(not graph.pages[n].titled for n, _ in graph.speaking(unit.text)):
            score -= _SPOKEN_COST
        yield Step(_query(unit.text, ()), unit.key, score, unit.bit)
        query = _query(unit.text, _soonest(graph.asked, unit.bit)[:ROOT_WORDS])
        yield Step(query, unit.key, score - 1.0, unit.bit)


def _bridges(graph: Graph, walked: Walked, done: set[frozenset[str]]) -> Iterator[Step]:
    soonest: dict[int, list[Unit]] = {}
    for lead in walked.open:
        score = lead.score
        if any(lead.key <= words for words in done):
            score -= _MADE_COST
        rest = _rest(graph.asked, lead.covered)
        if not any(unit.weight >= 1.0 for unit in rest):
            score -= _DONE_COST
        if lead.covered not in soonest:
            soonest[lead.covered] = _soonest(graph.asked, lead.covered)
        yield _step(lead, _query(lead.name, soonest[lead.covered]), score)
        yield _step(lead, _query(lead.name, ()), score - ALONE)


def _step(lead: Lead, query: str, score: float) -> Step:
    return Step(query, lead.key, score, lead.chain.origin)


def _soonest(asked: Asked, covered: int) -> list[Unit]:
    """Return the words that a chain is to cover next, in the order of the question."""
    rest = _rest(asked, covered)
    soon = sorted(rest, key=lambda unit: -asked.order(covered, unit) * min(1.0, unit.weight + 0.3))
    return [unit for unit in rest if unit in soon[:MOST_WORDS]]


def _query(name: str, units: Iterable[Unit]) -> str:
    quoted = f'"{name}"' if " " in name and QUOTE else name
    return " ".join([quoted, *(unit.text for unit in units)])


def _ends(graph: Graph, walked: Walked) -> Iterator[Step]:
    """Yield queries for more about the last document of a chain that has words to cover."""
    for chain in walked.chains:
        n = chain.pages[-1]
        held = max((one.mask for one in graph.held(n)), key=graph.weight, default=0)
        rest = _rest(graph.asked, chain.covered)
        open_ = [unit for unit in rest if not unit.bit & held and unit.weight >= 1.0]
        if not open_:
            continue
        title = graph.pages[n].title
        query = _query(title, _soonest(graph.asked, chain.covered))
        yield Step(query, key_of(title), chain.score - _END_COST, chain.origin)


def _rest(asked: Asked, covered: int) -> list[Unit]:
    """Return the words that are still to be covered, in the order of the question."""
    return [unit for unit in asked.others if not unit.bit & covered]


def _words(query: str) -> frozenset[str]:
    return key_of(query)
