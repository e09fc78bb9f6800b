"""How a model keeps the run's ledger: the free tool `note`, in no count of calls."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Literal

from widedeep.messages import LedgerEntry, Outcome, Quote, ToolCall, ToolOutput
from widedeep.prompts import fill
from widedeep.seams import ToolSpec
from widedeep.text import fold
from widedeep.tools.batch import Free
from widedeep.tools.runner import Settled

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from widedeep.agent.state import RunState

NAME = "note"
"""What the tool is called; no other tool may be."""


@dataclass(frozen=True, slots=True)
class Note:
    """Arguments of the tool: one ledger entry as the model writes it."""

    id: str
    text: str
    state: Literal["open", "supported", "refuted"] = "open"
    quotes: tuple[Quote, ...] = ()


@cache
def spec() -> ToolSpec:
    """Return the tool as the model is told of it."""
    return ToolSpec(NAME, fill("note"), _notes().json_schema())


def free(run: RunState) -> Free:
    """Return the tools that cost nothing, as a batch of this run calls them."""
    return {NAME: partial(take, run)} if run.free_specs else {}


def take(run: RunState, call: ToolCall) -> Settled:
    """Write the entry that a call notes; quotes that do not stand in their source are left out."""
    try:
        note = _notes().validate_python(dict(call.arguments or {}))
    except ValueError as error:
        return Settled(call, Outcome.ERROR, f"Invalid arguments: {_first(error)}. Call again.")
    stands = [quote for quote in note.quotes if _stands(run, quote)]
    entry = LedgerEntry(note.id, note.text, note.state, tuple(stands))
    told = f"Noted {note.id!r} as {note.state}."
    if note.state != "open" and not stands:
        entry = LedgerEntry(note.id, note.text)
        told = f"Noted {note.id!r} as open: {note.state} takes a quote of a numbered source."
    missing = [quote for quote in note.quotes if quote not in stands]
    told += "".join(f" Source [{quote.n}] does not hold {quote.text!r}." for quote in missing)
    run.learn((entry,))
    return Settled(call, Outcome.OK, output=ToolOutput(told, ()))


def _stands(run: RunState, quote: Quote) -> bool:
    wanted = fold(quote.text)
    return bool(wanted) and wanted in fold(run.sources.titled(quote.n) or "")


def _first(error: Any) -> str:
    item = error.errors(include_url=False)[0]
    return f"{'.'.join(str(step) for step in item['loc'])}: {item['msg']}"


@cache
def _notes() -> TypeAdapter[Note]:
    from pydantic import TypeAdapter

    return TypeAdapter(Note)
