"""Has a question been followed to its end?"""

from __future__ import annotations

from widedeep.models.builtin.chains.asked import Unit
from widedeep.models.builtin.chains.graph import Chain, Graph
from widedeep.models.builtin.chains.walk import Walked

STRICT, LENIENT = 4, 2
"""One in so many words of the question may be said in other words."""


def is_settled(graph: Graph, walked: Walked, share: int = STRICT) -> bool:
    """Tell whether chains cover the question: one does, or one for each name compared.

    Args:
        graph: the documents met.
        walked: the chains through them.
        share: one in so many words may be missing.
    """
    if not walked.chains:
        return False
    names = graph.asked.names
    if not graph.asked.arms:
        started = all(graph.about(unit.text) for unit in names[:1])
        return started and _is_whole(graph, walked.chains[0], share)
    return all(_arm_is_whole(graph, walked, unit, share) for unit in names[:2])


def _arm_is_whole(graph: Graph, walked: Walked, unit: Unit, share: int) -> bool:
    own = [chain for chain in walked.chains if chain.origin & unit.bit]
    return bool(own) and _is_whole(graph, own[0], share)


def _is_whole(graph: Graph, chain: Chain, share: int) -> bool:
    """Tell whether a chain covers the words of the question that say something."""
    words = sum(1 for unit in graph.asked.others if unit.weight >= 1.0)
    if len(chain.pages) == 1:
        share = max(share, STRICT)
    return len(missing(graph, chain)) <= words // share


def missing(graph: Graph, chain: Chain) -> list[Unit]:
    """Return the words of the question that a chain, and what its last document says, lack."""
    masks = [one.mask for one in graph.held(chain.pages[-1])]
    best = max(masks, key=lambda mask: graph.weight(mask & ~chain.covered), default=0)
    covered = chain.covered | best
    return [u for u in graph.asked.others if u.weight >= 1.0 and not u.bit & covered]
