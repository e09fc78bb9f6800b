"""How far do the chains of a question go through what was met, and where are they open?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from widedeep.models.builtin.chains.graph import BEAM, DEEPEST, Chain, Graph, Lead

_STEP_COST = 0.35
_ANSWER_GAIN = 0.5
BESIDE_COST = 1.2
_MOST_OPEN = 40


@dataclass(frozen=True, slots=True)
class Walked:
    """The chains through known documents, and the leads to documents not met; best first."""

    chains: tuple[Chain, ...]
    open: tuple[Lead, ...]


def walk(graph: Graph) -> Walked:
    """Follow every promising chain through the documents met."""
    chains: list[Chain] = []
    leads: dict[frozenset[str], Lead] = {}
    front = graph.starts()
    for _ in range(DEEPEST):
        chains += front
        front = _next(graph, front, leads)
    chains.sort(key=lambda one: (-one.score, one.pages))
    found = sorted(leads.values(), key=lambda one: (-one.score, one.source, one.name))
    return Walked(tuple(chains), tuple(found[:_MOST_OPEN]))


def _next(graph: Graph, front: Iterable[Chain], leads: dict[frozenset[str], Lead]) -> list[Chain]:
    """Return the best chains that are one document longer; keep the leads to unknown ones."""
    longer: dict[tuple[int, int], Chain] = {}
    for lead in (lead for chain in front for lead in graph.leads(chain)):
        numbers = graph.about(lead.name)
        if not numbers:
            _keep(leads, lead)
        for made in (*_longer(graph, lead, numbers[:2]), *_beside(graph, lead)):
            key = made.pages[-1], made.covered
            if key not in longer or made.score > longer[key].score:
                longer[key] = made
    return sorted(longer.values(), key=lambda one: (-one.score, one.pages))[:BEAM]


def _beside(graph: Graph, lead: Lead) -> Iterator[Chain]:
    """Yield the chain with documents that say, of a lead's name, what is still to be covered."""
    if len(lead.key) < 2:
        return
    found: list[Chain] = []
    for n, at in graph.speaking(lead.name):
        more = graph.held(n)[at].mask & ~lead.covered
        gain = graph.weight(more)
        if n in lead.chain.pages or (gain < 1.0 and graph.pages[n].titled):
            continue
        score = lead.score - BESIDE_COST + _ANSWER_GAIN * gain
        pages = (*lead.chain.pages, n)
        found.append(lead.chain._replace(pages=pages, covered=lead.covered | more, score=score))
    yield from sorted(found, key=lambda one: (-one.score, one.pages))[:2]


def _keep(leads: dict[frozenset[str], Lead], lead: Lead) -> None:
    known = leads.get(lead.key)
    if known is None or lead.score > known.score:
        leads[lead.key] = lead


def _longer(graph: Graph, lead: Lead, numbers: Iterable[int]) -> Iterable[Chain]:
    """Yield the chain with the known documents about a lead's name."""
    for n in numbers:
        if n in lead.chain.pages:
            continue
        covered = lead.covered | graph.title(n)
        rest = max((graph.weight(one.mask & ~covered) for one in graph.held(n)), default=0.0)
        score = lead.score - _STEP_COST + _ANSWER_GAIN * rest
        yield lead.chain._replace(pages=(*lead.chain.pages, n), covered=covered, score=score)
