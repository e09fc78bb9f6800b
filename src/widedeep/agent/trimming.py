"""What does a request carry when the whole history is more than the model can take?

The history itself is never edited. Of older batches a request then carries the numbers and titles
of their sources in the place of their texts, and the ledger; the sources stay citable.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from widedeep.agent.bounds import estimated
from widedeep.agent.state import RunState
from widedeep.events import Trimmed
from widedeep.messages import LedgerEntry, Message, Results, ToolResult
from widedeep.prompts import fill

KEPT = 5
"""Newest batches that a first trimming keeps whole."""


def view(run: RunState) -> tuple[Message, ...]:
    """Return the history as a request carries it."""
    if not run.trimmed:
        return tuple(run.history)
    return tuple(_viewed(run))


def fit(run: RunState) -> None:
    """Trim older batches until the request should fit the model's context, if that is known."""
    context = run.setup.model.info.context
    while context is not None and estimated(run, view(run)) > context and trim(run):
        pass


def trim(run: RunState) -> bool:
    """Trim the history further; False when only its newest batch is left whole."""
    batches = sum(isinstance(message, Results) for message in run.history)
    whole = batches - run.trimmed
    keep = KEPT if whole > KEPT else whole - 1
    if keep < 1:
        return False
    cut(run, batches - keep)
    run.emit(Trimmed(run.turn, run.trimmed))
    return True


def cut(run: RunState, batches: int) -> None:
    """Take the texts of the oldest batches out of what requests carry from now on."""
    run.trimmed = batches
    older = [message for message in run.history if isinstance(message, Results)][:batches]
    for result in (result for message in older for result in message.results):
        run.shown.discard(result.same_as or result.call.id)


def _viewed(run: RunState) -> Iterator[Message]:
    left = run.trimmed
    for message in run.history:
        if isinstance(message, Results) and left:
            left -= 1
            ledger = _ledger(run.novelty.ledger) if not left else ""
            yield Results(tuple(_short(result, ledger) for result in message.results))
        else:
            yield message


def _short(result: ToolResult, ledger: str) -> ToolResult:
    """Return a result that names its sources in the place of their texts."""
    named = "; ".join(f"[{s.n}] {s.title or s.id}" for s in result.sources) or "no sources"
    return replace(result, text=fill("trimmed", sources=named, ledger=ledger).strip())


def _ledger(entries: tuple[LedgerEntry, ...]) -> str:
    return "".join(f"\n{entry.id}, {entry.state}: {entry.text}{_cited(entry)}" for entry in entries)


def _cited(entry: LedgerEntry) -> str:
    return "".join(f' [{quote.n}] "{quote.text}"' for quote in entry.quotes)
