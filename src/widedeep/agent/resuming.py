"""How does a run stand where its record ends, and how does it go on from there?"""

from __future__ import annotations

from collections.abc import Iterable

import widedeep
from widedeep.agent.bounds import keep, measure, sent_bytes
from widedeep.agent.continuing import take_over
from widedeep.agent.learning import SAME, finish
from widedeep.agent.state import Point, RunState
from widedeep.agent.trimming import cut
from widedeep.costs import FREE
from widedeep.events import (
    Appended,
    BatchEnded,
    CallOrphaned,
    CallSettled,
    CallStarted,
    Continued,
    Event,
    LedgerChanged,
    Record,
    Replied,
    RequestFailed,
    RequestRestarted,
    RequestSent,
    RunEnded,
    RunResumed,
    SourcesMet,
    Stopping,
    Trimmed,
    TurnStarted,
)
from widedeep.journal import message_of
from widedeep.messages import Found, Outcome, ToolResult
from widedeep.tools.running import RunningCall


def restore(run: RunState, records: Iterable[Record]) -> None:
    """Bring a new run to where its record ends; nothing is asked and nothing is called.

    Raises:
        KeyError: the record holds a call of a tool that the agent has not.
    """
    run.on_record = True
    past = _Past(run)
    began = last = None
    for record in records:
        if isinstance(record.event, RunResumed):
            run.elapsed += _between(began, last)
            began = None
        began = record.at if began is None else began
        last = record.at
        run.tally.count(record.event)
        past.apply(record.event)
    run.elapsed += _between(began, last)


async def go_on(run: RunState) -> None:
    """Say that the run goes on, make again what was cut off, and end a turn that was all but over.

    Raises:
        JournalError: the run cannot be recorded, or goes on elsewhere.
    """
    point = run.point
    cut_off = [one for one in run.runner.running.values() if one.outcome is None]
    asked = point is not None and point.asked
    names = tuple(one.call.id for one in cut_off)
    resumed = RunResumed(run.setup.model.info.name, names, asked, widedeep.__version__)
    run.cuts.append(resumed)
    run.emit(resumed)
    await run.journal.flush()
    if point is not None and point.asked:
        run.spend.settle(FREE, point.bound)
    if run.spend.priced:
        keep(run)
    for one in cut_off:
        run.runner.repeat(one)
    if point is not None and point.settled and point.reply and not point.answering:
        run.point = None
        finish(run, point.reply)


def _between(began: float | None, last: float | None) -> float:
    return 0.0 if began is None or last is None else max(0.0, last - began)


class _Past:
    """Applies the events of a record to a run, in order."""

    def __init__(self, run: RunState) -> None:
        self._run = run
        self._calls: dict[str, RunningCall] = {}
        self._empty = False
        self._sent = 0

    def apply(self, event: Event) -> None:
        """Do to the run what the event did to it."""
        run = self._run
        if (message := message_of(event)) is not None:
            run.history.append(message)
        match event:
            case Continued():
                take_over(run, event)
            case Appended():
                self._appended(event)
            case TurnStarted(turn, width, _, answering):
                self._close_turn()
                run.turn, run.met = turn, len(run.sources)
                if not answering:
                    run.spend.count_turn()
                run.point = Point(width, answering)
            case RequestSent(bound=bound) if run.point:
                run.point.asked, run.point.bound = True, bound or FREE
                self._sent = sent_bytes(run) if bound else 0
            case RequestFailed() if run.point:
                run.point.asked = False
                run.spend.settle(FREE, run.point.bound)
            case RequestRestarted(billed=True) if run.point:
                run.spend.settle(FREE, run.point.bound)
            case Replied():
                self._replied(event)
            case CallStarted() | CallSettled() | CallOrphaned():
                self._called(event)
            case Trimmed(_, batches):
                cut(run, batches)
            case RunResumed(request=asked):
                run.cuts.append(event)
                if asked and run.point is not None:
                    run.spend.settle(FREE, run.point.bound)
            case RunEnded(answer):
                run.answer = answer
            case SourcesMet(turn, sources):
                for one in sources:
                    found = Found(one.id, one.text, one.kind, one.title, one.url)
                    run.sources.meet(found, turn)
                run.sources.take_fresh()
            case BatchEnded():
                self._batch_ended(event)
            case LedgerChanged(turn, entries):
                _, facts = run.novelty.changed(entries)
                run.facts.append((turn, facts))
            case Stopping(_, reason, why, whose):
                run.stopping, run.why, run.whose = reason, why, whose
                if reason == "nothing_new":
                    run.point = None
            case _:
                pass

    def _appended(self, event: Appended) -> None:
        """Take what we said ourselves; what follows an empty reply is the nudge."""
        run = self._run
        if event.late is not None:
            run.runner.forget_late(event.late)
            if self._calls[event.late].outcome is Outcome.OK:
                run.shown.add(event.late)
        elif self._empty:
            run.empty_replies += 1
            run.point = None
        self._empty = False

    def _replied(self, event: Replied) -> None:
        run, reply = self._run, event.reply
        self._empty = not reply.calls and not reply.text.strip()
        run.spend.settle(FREE, event.cost or FREE)
        measure(run, reply.usage, self._sent)
        if run.point is not None:
            run.point.asked = False
            run.point.reply = reply

    def _called(self, event: CallStarted | CallSettled | CallOrphaned) -> None:
        run = self._run
        match event:
            case CallStarted(call=call) if call.id in self._calls:
                run.runner.charge(self._calls[call.id])
            case CallStarted(turn, call, _, early):
                running = run.runner.recall(turn, call, early=early)
                self._calls[call.id] = running
                if run.point is not None and turn == run.turn:
                    run.point.calls[_position(call.id)] = running
            case CallSettled(call_id):
                self._calls[call_id].recall(event)
            case CallOrphaned(call_id, renamed):
                running = self._calls.pop(call_id)
                run.runner.orphans += 1
                run.runner.rename(running, renamed)
                self._calls[renamed] = running
                if run.point is not None and running.turn == run.turn:
                    run.point.calls.pop(_position(call_id), None)
                    run.point.orphans += 1

    def _batch_ended(self, event: BatchEnded) -> None:
        run = self._run
        for result in event.results:
            run.asked[result.same_as or result.call.id] += 1
            if _in_full(result):
                run.shown.add(result.same_as or result.call.id)
            if result.outcome is Outcome.LATE:
                run.runner.add_late(self._calls[result.call.id], result.call)
        if run.point is not None:
            run.point.settled = True

    def _close_turn(self) -> None:
        """Count the turn before: its batch had ended and all that follows was done."""
        point = self._run.point
        if point is not None and point.settled and not point.answering:
            self._run.novelty.turn(new=self._run.brought_something())


def _in_full(result: ToolResult) -> bool:
    if result.outcome is Outcome.DUPLICATE:
        return not result.text.startswith(SAME)
    return result.outcome is Outcome.OK


def _position(call_id: str) -> int:
    return int(call_id.partition(".")[2].partition("~")[0]) - 1
