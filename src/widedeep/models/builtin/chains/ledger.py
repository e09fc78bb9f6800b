"""What is the ledger of a question in prose: what of it is found, and what is still open?"""

from __future__ import annotations

from collections.abc import Iterator

from widedeep.messages import LedgerEntry, Quote
from widedeep.models.builtin.chains.asked import Unit
from widedeep.models.builtin.chains.follow import Step
from widedeep.models.builtin.chains.graph import Graph
from widedeep.models.builtin.chains.turn import Outlook

MOST_OPEN = 3
"""Leads that are open at once."""

_MOST_NAMES = 4
_LENGTH = 300


def entries(view: Outlook) -> tuple[LedgerEntry, ...]:
    """Return an entry for each name of the question and for each lead worth following."""
    names = (_name(view.graph, unit) for unit in view.graph.asked.names[:_MOST_NAMES])
    return (*names, *_leads(view))


def _name(graph: Graph, unit: Unit) -> LedgerEntry:
    """Return whether anything was met that is about, or speaks of, a name of the question."""
    numbers = graph.about(unit.text) or [
        n for n in graph.pages if any(one.mask & unit.bit for one in graph.held(n))
    ]
    quotes = tuple(quote for n in numbers[:1] for quote in _quote(graph, n, unit.bit))
    text = f"what is said of {unit.text}"
    # A name alone never keeps a run open: what is still to be looked up are the leads.
    return LedgerEntry(f"name: {unit.text}", text, "supported" if quotes else "refuted", quotes)


def _quote(graph: Graph, n: int, bit: int) -> Iterator[Quote]:
    """Yield the sentence of a document that speaks of a name, else its first one."""
    page = graph.pages[n]
    held = graph.held(n)
    at = next((at for at, one in enumerate(held) if one.mask & bit), 0)
    if page.sentences:
        yield Quote(n, page.sentences[at].text[:_LENGTH])


def _leads(view: Outlook) -> Iterator[LedgerEntry]:
    """Yield the leads: `MOST_OPEN` places that each turn fills anew."""
    promising = view.promising(MOST_OPEN)
    for place in range(MOST_OPEN):
        step = promising[place] if place < len(promising) else None
        yield _lead(view, place, step)


def _lead(view: Outlook, place: int, step: Step | None) -> LedgerEntry:
    if step is not None:
        return LedgerEntry(f"lead {place + 1}", f"to be looked up: {step.query}")
    chain = view.walked.chains[0] if view.walked.chains else None
    if chain is None:
        return LedgerEntry(f"lead {place + 1}", "no lead", "refuted")
    quotes = tuple(_quote(view.graph, chain.pages[-1], chain.origin))
    title = view.graph.pages[chain.pages[-1]].title
    return LedgerEntry(f"lead {place + 1}", f"what is said of {title}", "supported", quotes)
