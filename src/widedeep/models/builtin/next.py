"""Which calls come next, and what is the ledger, for facts in lines and for chains in prose?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from widedeep.messages import LedgerEntry, Message, Quote, ToolCall
from widedeep.models.builtin import search
from widedeep.models.builtin.chains import ledger
from widedeep.models.builtin.chains.turn import outlook
from widedeep.models.builtin.plan import Plan, Row
from widedeep.models.builtin.read import Evidence
from widedeep.models.builtin.search import Toolbox

MOST_ROWS = 2
"""Subjects up to which a search with the whole question may find all of them."""

_LENGTH = 300


@dataclass(frozen=True, slots=True)
class Next:
    """The calls that come next, none when it is time to answer; and the ledger."""

    calls: tuple[ToolCall, ...]
    ledger: tuple[LedgerEntry, ...]


def next_calls(
    plan: Plan, met: Evidence, asked: tuple[str, Sequence[Message]], box: Toolbox, most: int
) -> Next:
    """Decide what to look up now.

    Sources that are lists of facts are followed by the plan's attributes, prose by chains; as long
    as nothing has been met, both begin.

    Args:
        plan: the question's sub-questions, as far as they are settled.
        met: what the run has met.
        asked: the question, and the history of the run.
        box: the tools that may be called.
        most: how many calls.
    """
    planned = () if plan.is_settled else search.calls(plan, box, met.calls, most)
    if _is_structured(met):
        return Next(planned, tuple(_cells(plan)))
    view = outlook(*asked)
    is_done = view.is_settled or (most == 1 and view.is_followed)
    queries = [] if is_done else view.queries(most)
    calls = search.queries(queries, box, met.calls)
    if not met.documents and len(plan.rows) > MOST_ROWS:
        calls = planned
    elif not met.documents:
        calls = search.distinct((*calls, *planned))
    return Next(calls[:most], ledger.entries(view))


def _is_structured(met: Evidence) -> bool:
    """Tell whether most of what was met are lists of facts."""
    return 2 * sum(each.is_structured for each in met.documents) > len(met.documents)


def _cells(plan: Plan) -> Iterator[LedgerEntry]:
    """Yield an entry for each attribute asked of each subject."""
    for at, row in enumerate(plan.rows, start=1):
        for cell in row.cells:
            state = "supported" if cell.finding and not cell.is_open else "open"
            found = cell.finding
            quotes = (Quote(found.document.n, found.line.text[:_LENGTH]),) if found else ()
            text = f"{cell.attribute.text} of {_called(row)}"
            yield LedgerEntry(f"{at}: {cell.attribute.text}", text, state, quotes)


def _called(row: Row) -> str:
    return row.name or "what is described"
