"""Has a question been followed to its end, and what is still open in it?"""

from __future__ import annotations

from widedeep.models.builtin.chains.asked import Unit
from widedeep.models.builtin.chains.graph import Chain, Graph
from widedeep.models.builtin.chains.walk import Walked

SHARE = 4
"""One in so many words of the question may be said in other words."""


def is_settled(graph: Graph, walked: Walked) -> bool:
    """Tell whether chains cover the question: one does, or one for each name compared."""
    if not walked.chains:
        return False
    names = graph.asked.names
    if not graph.asked.arms:
        return is_whole(graph, walked.chains[0]) and all(graph.about(u.text) for u in names[:1])
    return all(_arm_is_whole(graph, walked, unit) for unit in names[:2])


def _arm_is_whole(graph: Graph, walked: Walked, unit: Unit) -> bool:
    own = [chain for chain in walked.chains if chain.origin & unit.bit]
    return bool(own) and is_whole(graph, own[0])


def is_whole(graph: Graph, chain: Chain) -> bool:
    """Tell whether a chain covers every word of the question that says something."""
    words = sum(1 for unit in graph.asked.others if unit.weight >= 1.0)
    return len(missing(graph, chain)) <= words // SHARE


def missing(graph: Graph, chain: Chain) -> list[Unit]:
    """Return the words of the question that a chain, and what its last document says, lack."""
    held = graph.held(chain.pages[-1])
    best = max((one.mask for one in held), key=lambda mask: graph.weight(mask & ~chain.covered))
    covered = chain.covered | best
    return [u for u in graph.asked.others if u.weight >= 1.0 and not u.bit & covered]
