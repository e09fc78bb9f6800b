"""What is one line worth saying of each event (progress without a terminal, `runs show`)?"""

from __future__ import annotations

from widedeep.events import (
    BatchEnded,
    CallSettled,
    Continued,
    Event,
    Replied,
    RequestFailed,
    RequestRestarted,
    RunEnded,
    RunInterrupted,
    RunStarted,
    Stopping,
    TurnStarted,
)
from widedeep.messages import Outcome, Source
from widedeep.report.inert import one_line
from widedeep.report.timeline import CallState, Timeline, TurnState
from widedeep.report.words import argument, many, note, seconds, width


def lines(event: Event, timeline: Timeline) -> list[str]:
    """Return what to say of an event that the timeline has just taken."""
    match event:
        case RunStarted(run_id, question):
            return [f"run {run_id}: {one_line(question)}"]
        case Continued(runs, _, _, sources):
            known = len({source.n for source in sources})
            return [f"goes on from run {runs[-1]} with {many(known, 'source')}"]
        case TurnStarted(turn, _, _, answering):
            return [f"turn {turn}: " + ("answering" if answering else "asking the model")]
        case RequestRestarted(turn, reason):
            return [f"turn {turn}: the reply starts anew: {one_line(reason)}"]
        case RequestFailed(turn, error, took):
            return [f"turn {turn}: no reply after {seconds(took)}: {one_line(error)}"]
        case Replied(turn, _, took):
            what = width(timeline.turns[turn]) if turn in timeline.turns else "answer"
            return [f"turn {turn}: replied in {seconds(took)}: {what}"]
        case CallSettled(call_id):
            return [_call(one) for one in _named(timeline, call_id)]
        case BatchEnded():
            return _batch(event, timeline)
        case Stopping(turn, _, why):
            return [f"stopping: {one_line(why)}"]
        case RunEnded(answer):
            ended = f"run {answer.run_id}: {answer.status} in {seconds(answer.seconds.wall)}"
            return [f"{ended}, {many(answer.turns, 'turn')}, {many(answer.calls.executed, 'call')}"]
        case RunInterrupted(reason):
            return [f"interrupted: {one_line(reason)}"]
        case _:
            return []


def told(timeline: Timeline) -> list[str]:
    """Return a whole run line by line: turns with hints and calls, then the sources met."""
    said: list[str] = []
    if timeline.started is not None:
        said += lines(timeline.started, timeline)
    if timeline.continued is not None:
        said += lines(timeline.continued, timeline)
    for turn in timeline.turns.values():
        said += _turn(turn)
    if timeline.interrupted is not None:
        said.append(f"interrupted: {one_line(timeline.interrupted)}")
    elif timeline.answer is None:
        said.append(unended(timeline))
    return said + [f"source {source_line(source)}" for source in timeline.sources.values()]


def unended(timeline: Timeline) -> str:
    """Return what is said of a run whose record has no end."""
    named = timeline.started.run_id if timeline.started else "RUN"
    fix = f"if it does not, go on: widedeep runs resume {named}"
    return f"no end recorded: it still runs, or was cut off; {fix}"


def source_line(source: Source) -> str:
    """Return a source on one line: `[3] Peru (peru.json), turn 2`."""
    title, id = one_line(source.title or ""), one_line(source.id)
    name = id if not title or title == id else f"{title} ({id})"
    return f"[{source.n}] {name}, turn {source.turn}"


def _turn(turn: TurnState) -> list[str]:
    times = f"model {seconds(turn.model_seconds)}"
    if turn.calls:
        times += f", calls {seconds(turn.batch_seconds)}"
    said = [f"turn {turn.turn}: {width(turn)}; {times}"]
    if turn.hint:
        said.append(f"  hint: {one_line(turn.hint)}")
    if turn.words:
        said.append(f"  text: {one_line(turn.words, 300)}")
    if turn.error:
        said.append(f"  error: {one_line(turn.error)}")
    return said + [_call(one) for one in turn.calls]


def _batch(event: BatchEnded, timeline: Timeline) -> list[str]:
    """Return a line for each call that never settled by itself, and one for the batch."""
    if event.turn not in timeline.turns:
        return []
    calls = timeline.turns[event.turn].calls
    late = [one for one in calls if one.state == Outcome.LATE or one.started is None]
    unsaid = [_call(one) for one in late]
    return [*unsaid, f"turn {event.turn}: ended in {seconds(event.seconds)}"]


def _named(timeline: Timeline, call_id: str) -> list[CallState]:
    for turn in reversed(timeline.turns.values()):
        if found := [one for one in turn.calls if one.call.id == call_id]:
            return found
    return []


def _call(state: CallState) -> str:
    """Return a call on one line: `  1.2 search_corpus capital of Peru: ok in 12 ms, 5 found`."""
    head = f"  {state.call.id} {one_line(state.call.tool)} {argument(state.call, 100)}"
    if state.state == Outcome.OK:
        what = ", ".join(part for part in (f"ok in {seconds(state.seconds)}", note(state)) if part)
        return f"{head}: {what}"
    return f"{head}: {note(state, 200)}" + (f" ({seconds(state.seconds)})" if state.seconds else "")
