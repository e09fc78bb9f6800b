"""How is a call, a number or an outcome put into few words?"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from widedeep.messages import Answer, Calls, Outcome, StoppedBy, ToolCall
from widedeep.report.inert import one_line
from widedeep.report.timeline import CallState, TurnState

_MAIN = ("query", "question", "q", "url", "id", "path", "code", "text")
_OUTCOMES = tuple(outcome.value for outcome in Outcome)
_WHY: dict[StoppedBy, str] = {
    "max_turns": "all turns were used",
    "max_calls": "all calls were used",
    "max_tokens": "the limit of tokens was reached",
    "max_usd": "the limit in USD was reached",
    "max_seconds": "the limit of seconds was reached",
    "nothing_new": "the last turns brought nothing new",
    "user": "you asked for the answer",
    "empty_reply": "the model replied with nothing",
    "cut_reply": "the reply was cut off",
    "model_error": "the model could not be asked",
    "error": "an error ended the run",
}


def why(answer: Answer) -> str:
    """Say what ended the run, or why its answer is no better."""
    if answer.stopped_by != "answer":
        return _WHY[answer.stopped_by]
    match answer.status:
        case "partial":
            return "no citation could be verified"
        case "no_evidence":
            return "the sources hold no evidence for an answer"
        case _:
            return ""


def said(answer: Answer) -> str:
    """Return the short answer on one line; a guess of a run that abstains is none."""
    return "" if answer.status == "no_evidence" else one_line(answer.short_answer or "")


def argument(call: ToolCall, most: int | None = None) -> str:
    """Return a call's main argument on one line: what is looked for, read or computed."""
    if call.arguments is None:
        return one_line(call.raw or "(no arguments)", most)
    for name in _MAIN:
        if isinstance(value := call.arguments.get(name), str):
            return one_line(value, most)
    texts = [value for value in call.arguments.values() if isinstance(value, str)]
    if texts:
        return one_line(texts[0], most)
    return one_line(json.dumps(dict(call.arguments), ensure_ascii=False, default=str), most)


def arguments(calls: Sequence[ToolCall], most: int | None = None) -> list[str]:
    """Return each call's main argument, with the other ones where the main one does not tell."""
    mains = [argument(call, most) for call in calls]
    tools = [(call.tool, main) for call, main in zip(calls, mains, strict=True)]
    return [
        f"{main}  {_others(call)}".rstrip() if tools.count(tool) > 1 else main
        for call, main, tool in zip(calls, mains, tools, strict=True)
    ]


def _others(call: ToolCall) -> str:
    """Return the arguments that are not texts: `k=20`."""
    given = (call.arguments or {}).items()
    return one_line(" ".join(f"{k}={v}" for k, v in given if not isinstance(v, str)), 40)


def note(state: CallState, most: int | None = None) -> str:
    """Say what came of a call, or nothing while it runs."""
    if state.settled is not None:
        return f"late, then {state.settled.value}{_brought(state)}"
    match state.state:
        case "queued" | "running":
            return "early" if state.early else ""
        case "orphaned":
            return "not in the final reply"
        case Outcome.OK:
            return _brought(state).removeprefix(", ")
        case Outcome.DUPLICATE:
            return "duplicate" + (f" {span(state.numbers)}" if state.numbers else "")
        case outcome:
            return _named(outcome.value, one_line(state.error or _reason(state), most))


def _named(outcome: str, reason: str) -> str:
    """Return an outcome with its reason, where the reason does not name it already."""
    if reason.lower().startswith(outcome):
        return reason[:1].lower() + reason[1:]
    return f"{outcome}: {reason}" if reason else outcome


def _reason(state: CallState) -> str:
    """Return the text that explains an error; other outcomes explain themselves."""
    return state.text if state.state in {Outcome.ERROR, Outcome.REFUSED} else ""


def _brought(state: CallState) -> str:
    if state.numbers:
        return f", {span(state.numbers)}"
    if state.found is None:
        return ""
    return f", {state.found} found" if state.found else ", nothing found"


def span(numbers: Iterable[int]) -> str:
    """Return source numbers as they are cited, runs joined: `[1-3] [7]`."""
    runs: list[tuple[int, int]] = []
    for n in sorted(set(numbers)):
        if runs and runs[-1][1] == n - 1:
            runs[-1] = (runs[-1][0], n)
        else:
            runs.append((n, n))
    return " ".join(f"[{low}]" if low == high else f"[{low}-{high}]" for low, high in runs)


def width(turn: TurnState) -> str:
    """Say what width a turn was to have and had."""
    if turn.phase == "failed":
        return "no reply"
    if turn.phase == "ended" and not turn.calls:
        return "answer" if turn.text else "empty reply"
    if turn.answering:
        return "answer"
    target, cap = turn.width.target, turn.width.cap
    wanted = f"target {target}" if target is not None else "target open"
    if turn.phase == "asking":
        return wanted if cap is None else f"{wanted}, cap {cap}"
    requested = sum(one.state != "orphaned" for one in turn.calls)
    if turn.executed is None or turn.executed == requested:
        return f"{wanted}, {many(requested, 'call')}"
    return f"{wanted}, {many(requested, 'call')}, {turn.executed} executed"


def outcomes(calls: Calls) -> str:
    """Return the calls by outcome, those that occur: `7 ok, 1 late`."""
    counts = ((name, getattr(calls, name)) for name in _OUTCOMES)
    return ", ".join(f"{count} {name}" for name, count in counts if count) or "none"


def seconds(value: float | None) -> str:
    """Return a time in the unit that suits it; unknown is a dash."""
    if value is None:
        return "-"
    if value < 0.9995:
        return f"{value * 1000:.0f} ms"
    if value < 59.95:
        return f"{value:.1f} s"
    minutes, rest = divmod(round(value), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s"


def many(count: int, noun: str) -> str:
    """Return a count with its noun: `1 turn`, `3 turns`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def ratio(answer: Answer) -> str | None:
    """Return how many times as long the calls in turn would have taken.

    None when they take less than the run did: then its own work outweighs them.
    """
    wall = answer.seconds.wall
    if wall <= 0 or answer.seconds.serial < wall:
        return None
    return f"{answer.seconds.serial / wall:.1f}"


def summary(answer: Answer) -> tuple[tuple[str, str], ...]:
    """Return the lines that sum a run up, each a label and what it says."""
    spent, calls, reason = answer.seconds, answer.calls, why(answer)
    times = ratio(answer)
    serial = f"{seconds(spent.serial)} for the same calls one after another"
    lines = [
        ("status", answer.status.replace("_", " ") + (f": {reason}" if reason else "")),
        ("turns", f"{answer.turns:,} with {many(calls.executed, 'call')}{_per_turn(answer)}"),
        ("calls", f"{calls.requested:,} requested: {outcomes(calls)}"),
        ("time", f"{seconds(spent.wall)}, critical path {seconds(spent.critical_path)}"),
        ("serial", serial + (f", {times} times as long" if times else "")),
        ("run", f"{answer.run_id}, model {answer.model}, schedule {answer.schedule}"),
    ]
    if answer.cost_usd != 0:
        lines.insert(-1, ("cost", _cost(answer)))
    return (*lines, *(("note", text) for text in answer.notes))


def _cost(answer: Answer) -> str:
    if answer.cost_usd is None:
        return "unknown"
    return f"{answer.cost_usd:.4f} USD" + (f", by {answer.prices}" if answer.prices else "")


def _per_turn(answer: Answer) -> str:
    if answer.turns < 2:
        return ""
    return f", {answer.calls.executed / answer.turns:.1f} a turn"
