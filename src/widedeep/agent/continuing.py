"""What does a follow-up question take over from the run before it?"""

from __future__ import annotations

from collections.abc import Sequence

from widedeep.agent.state import RunState
from widedeep.errors import UsageError
from widedeep.events import (
    Continued,
    LedgerChanged,
    Record,
    RunEnded,
    SourcesMet,
    Trimmed,
    TurnStarted,
)
from widedeep.journal import message_of
from widedeep.messages import (
    Assistant,
    Found,
    LedgerEntry,
    Message,
    Source,
    System,
    User,
)
from widedeep.prompts import fill


def left_by(records: Sequence[Record]) -> Continued:
    """Return what a run left to those that follow it up.

    Raises:
        UsageError: the run has no answer yet.
    """
    run_id = records[0].run_id
    if not isinstance(records[-1].event, RunEnded):
        raise UsageError(f"run {run_id!r} has no answer yet: resume it first")
    runs: tuple[str, ...] = ()
    turn = trimmed = 0
    history: list[Message] = []
    sources: list[Source] = []
    ledger: dict[str, LedgerEntry] = {}
    for event in (record.event for record in records):
        if (message := message_of(event)) is not None:
            history.append(message)
        match event:
            case Continued():
                runs, turn, trimmed = event.runs, event.turn, event.trimmed
                history, sources = list(event.history), list(event.sources)
                ledger = {entry.id: entry for entry in event.ledger}
            case TurnStarted():
                turn = event.turn
            case Trimmed(_, batches):
                trimmed = batches
            case SourcesMet(_, met):
                sources += met
            case LedgerChanged(_, entries):
                ledger |= {entry.id: entry for entry in entries}
            case _:
                pass
    if isinstance(last := history[-1], Assistant) and last.calls:
        history.pop()  # the run broke down before its calls had results
    kept = tuple(ledger.values())
    return Continued((*runs, run_id), turn, tuple(history), tuple(sources), kept, trimmed)


def take_over(run: RunState, earlier: Continued) -> None:
    """Begin a run where an earlier one ended: sources keep their numbers, turns are counted on."""
    run.earlier = earlier
    run.history += earlier.history
    run.turn, run.trimmed = earlier.turn, earlier.trimmed
    for one in earlier.sources:
        run.sources.meet(Found(one.id, one.text, one.kind, one.title, one.url), one.turn)
    run.sources.take_fresh()
    run.novelty.changed(earlier.ledger)


def open_history(run: RunState) -> None:
    """Put the question into the history, after what comes before it; what is there stays."""
    earlier = run.earlier
    if earlier is not None and not run.history:
        run.emit(earlier)
        take_over(run, earlier)
    given = 0 if earlier is None else len(earlier.history)
    for message in _opening(run)[len(run.history) - given :]:
        run.append(message)


def _opening(run: RunState) -> tuple[Message, ...]:
    asked = User(run.question, asks=True)
    name = "system" if run.earlier is None else "follow_up"
    told = "\n\n".join([fill(name, date=run.date), *_manner(run)])
    return System(told) if run.earlier is None else User(told), asked


def _manner(run: RunState) -> list[str]:
    """Return how much a language model is to tell, and in which language."""
    style, language = run.setup.style, run.setup.language
    told = [fill(f"style_{style}")] if style else []
    return [*told, fill("language", language=language)] if language else told
