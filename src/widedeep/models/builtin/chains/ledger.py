"""What is the ledger of a question in prose: what of it is found, and what is still open?"""

from __future__ import annotations

from collections.abc import Iterator

from widedeep.messages import LedgerEntry, Quote
from widedeep.models.builtin.chains.asked import Asked, Unit
from widedeep.models.builtin.chains.follow import Step, chosen
from widedeep.models.builtin.chains.graph import Graph
from widedeep.models.builtin.chains.turn import Outlook

MOST_OPEN = 4
"""Leads that are open at once."""

LATE = 2
"""Turns after which one lead at a time is followed."""

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
    """Yield the leads: `MOST_OPEN` places that each turn fills anew.

    A turn writes them before it has its results, so they stand for the searches that will be worth
    making after it; those that only its results can name have no query yet.
    """
    asked = view.graph.asked
    most = 0 if view.is_settled else _worth(asked, view.turns)
    steps = chosen(asked, view.steps, most)
    for place in range(MOST_OPEN):
        step = steps[place] if place < len(steps) else None
        if step is None and place < most and view.turns < LATE:
            yield LedgerEntry(_place(place), "to be looked up: what the results lead to")
        else:
            yield _lead(view, place, step)


def _worth(asked: Asked, turns: int) -> int:
    """Return how many searches the coming turn is worth, as far as the question tells.

    Each name and each word of weight, but for one, may be a step that a first search left open:
    the more of them, the more names its results lead to. What the turn after it leaves open are
    one or two of these; what is still open then is seldom met by looking wider.
    """
    words = sum(1 for unit in asked.others if unit.weight >= 1.0)
    most = 1 if turns >= LATE else 2 if turns else MOST_OPEN
    return max(1, min(len(asked.names) + words - 1, most))


def _place(place: int) -> str:
    return f"lead {place + 1}"


def _lead(view: Outlook, place: int, step: Step | None) -> LedgerEntry:
    if step is not None:
        return LedgerEntry(_place(place), f"to be looked up: {step.query}")
    chain = view.walked.chains[0] if view.walked.chains else None
    if chain is None:
        return LedgerEntry(_place(place), "no lead", "refuted")
    quotes = tuple(_quote(view.graph, chain.pages[-1], chain.origin))
    title = view.graph.pages[chain.pages[-1]].title
    return LedgerEntry(_place(place), f"what is said of {title}", "supported", quotes)
