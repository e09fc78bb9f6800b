"""What is there to tell of journaled runs: a list, and one run as an object?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from widedeep.journal import RunSummary
from widedeep.report.inert import one_line
from widedeep.report.json import SCHEMA, answer_object
from widedeep.report.timeline import CallState, Timeline, TurnState

HEAD = ("RUN", "WHEN", "STATUS", "TURNS", "CALLS", "QUESTION")


def iso(at: float) -> str:
    """Return a time as ISO 8601 in UTC, to the second."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def list_object(runs: Iterable[RunSummary], more: int = 0) -> dict[str, Any]:
    """Return a list of runs as one JSON object; `more` are not in it."""
    rows = [{**asdict(run), "at": None if run.at is None else iso(run.at)} for run in runs]
    return {"schema": SCHEMA, "runs": rows, "more": more}


def cells(run: RunSummary, most: int | None = None) -> tuple[str, ...]:
    """Return a run as the cells of a row under `HEAD`; its time is the user's own."""
    local = "-" if run.at is None else _local(run.at)
    count = ["-" if value is None else f"{value:,}" for value in (run.turns, run.calls)]
    return (run.run_id, local, run.status or "unfinished", *count, one_line(run.question, most))


def _local(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).astimezone().strftime("%Y-%m-%d %H:%M")


def list_text(runs: Sequence[RunSummary], width: int | None = None) -> str:
    """Return a list of runs as aligned plain lines, questions cut to fit `width` columns."""
    rows = [HEAD, *(cells(run) for run in runs)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD) - 1)]
    if width is not None:
        room = max(20, width - sum(widths) - 2 * len(widths))
        rows = [HEAD, *(cells(run, room) for run in runs)]
    return "".join(_line(row, widths) for row in rows)


def _line(row: tuple[str, ...], widths: Sequence[int]) -> str:
    padded = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
    return "  ".join((*padded, row[-1])) + "\n"


def run_object(timeline: Timeline) -> dict[str, Any]:
    """Return one run as a JSON object: its turns with hints, calls and outcomes, its answer."""
    started, answer = timeline.started, timeline.answer
    return {
        "schema": SCHEMA,
        "run_id": started.run_id if started else None,
        "question": started.question if started else None,
        "continues": started.continues if started else None,
        "status": answer.status if answer else None,
        "at": None if timeline.began is None else iso(timeline.began),
        "model": started.model if started else None,
        "schedule": started.schedule if started else None,
        "version": started.version if started else None,
        "prices": asdict(started.prices) if started and started.prices else None,
        "interrupted": timeline.interrupted,
        "turns": [_turn(turn) for turn in timeline.turns.values()],
        "answer": answer_object(answer) if answer else None,
    }


def _turn(turn: TurnState) -> dict[str, Any]:
    return {
        "turn": turn.turn,
        "answering": turn.answering,
        "target": turn.width.target,
        "cap": turn.width.cap,
        "executed": turn.executed,
        "hint": turn.hint,
        "text": turn.words or None,
        "error": turn.error,
        "seconds": {"model": turn.model_seconds, "calls": turn.batch_seconds},
        "calls": [_call(one) for one in turn.calls],
    }


def _call(state: CallState) -> dict[str, Any]:
    call = state.call
    return {
        "id": call.id,
        "tool": call.tool,
        "arguments": None if call.arguments is None else dict(call.arguments),
        "outcome": str(state.state),
        "late_outcome": state.settled,
        "early": state.early,
        "seconds": state.seconds,
        "sources": list(state.numbers),
        "error": state.error,
    }
