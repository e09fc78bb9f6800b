"""What has happened in a run so far, turn by turn? A fold over its events."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from widedeep.events import (
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
    RequestSent,
    RunEnded,
    RunInterrupted,
    RunStarted,
    SourcesMet,
    Stopping,
    TurnStarted,
)
from widedeep.messages import Answer, LedgerEntry, Outcome, Source, ToolCall, ToolResult, Width

State = Literal["queued", "running", "orphaned"] | Outcome
Phase = Literal["asking", "calling", "ended", "failed"]


@dataclass(frozen=True, slots=True)
class CallState:
    """One call: `started` on the clock of the events, `found` = citable things in its output.

    `settled` is what a late call came to after its turn. `numbers` are its sources' numbers.
    """

    call: ToolCall
    state: State = "queued"
    early: bool = False
    started: float | None = None
    seconds: float | None = None
    found: int | None = None
    numbers: tuple[int, ...] = ()
    text: str = ""
    error: str | None = None
    settled: Outcome | None = None


@dataclass(frozen=True, slots=True)
class TurnState:
    """One turn: `hint` is the tail of its request, `since` when its phase began."""

    turn: int
    width: Width
    answering: bool
    phase: Phase
    since: float
    hint: str | None = None
    text: str = ""
    reasoning: str = ""
    model_seconds: float | None = None
    batch_seconds: float | None = None
    executed: int | None = None
    error: str | None = None
    calls: tuple[CallState, ...] = ()

    @property
    def words(self) -> str:
        """What the model said along with its calls."""
        return (self.text or self.reasoning) if self.calls else ""


@dataclass(slots=True)
class Timeline:
    """A run as its events tell it; give it each event with `take`."""

    started: RunStarted | None = None
    continued: Continued | None = None
    began: float | None = None
    last: float | None = None
    turns: dict[int, TurnState] = field(default_factory=dict[int, TurnState])
    sources: dict[int, Source] = field(default_factory=dict[int, Source])
    ledger: dict[str, LedgerEntry] = field(default_factory=dict[str, LedgerEntry])
    stopping: Stopping | None = None
    answer: Answer | None = None
    interrupted: str | None = None

    def take(self, event: Event, at: float) -> None:
        """Add what happened `at` (seconds on any one clock)."""
        self.began = at if self.began is None else self.began
        self.last = at
        match event:
            case RunStarted():
                self.started = event
            case Continued(sources=sources):
                self.continued = event
                for source in sources:
                    self.sources.setdefault(source.n, source)
            case SourcesMet(_, sources):
                for source in sources:
                    self.sources.setdefault(source.n, source)
            case LedgerChanged(_, entries):
                self.ledger |= {entry.id: entry for entry in entries}
            case Stopping():
                self.stopping = event
            case RunEnded(answer):
                self.answer = answer
                self.interrupted = None
            case RunInterrupted(reason):
                self.interrupted = reason
            case TurnStarted(turn, width, _, answering):
                self.turns[turn] = TurnState(turn, width, answering, "asking", at)
            case CallSettled():
                self._settle(event)
            case CallOrphaned(call_id, renamed):
                self._orphan(call_id, renamed)
            case _:
                self._advance(event, at)

    def _advance(self, event: Event, at: float) -> None:
        """Let the turn that the event belongs to take it."""
        turn = self.turns.get(getattr(event, "turn", 0))
        if turn is None:
            return
        match event:
            case RequestSent():
                turn = replace(turn, hint=event.tail, phase="asking", since=at)
            case Replied():
                turn = _replied(turn, event, at)
            case RequestFailed():
                turn = replace(turn, phase="failed", since=at, error=event.error)
                turn = replace(turn, model_seconds=event.seconds)
            case CallStarted():
                turn = _with(turn, _started(_call(turn, event.call), event, at))
            case BatchEnded():
                turn = _ended(turn, event, at)
            case _:
                return
        self.turns[turn.turn] = turn

    def _settle(self, event: CallSettled) -> None:
        """Give a started call what it came to."""
        turn = self._turn_of(event.call_id)
        if turn is None:
            return
        call = next(one for one in turn.calls if one.call.id == event.call_id)
        after = call.state is Outcome.LATE
        call = replace(
            call,
            state=call.state if after or call.state == "orphaned" else event.outcome,
            settled=event.outcome if after else None,
            seconds=event.seconds,
            found=_found(event),
            error=event.error,
        )
        self.turns[turn.turn] = _with(turn, call)

    def _orphan(self, call_id: str, renamed: str) -> None:
        """Mark a started call that the final reply does not hold; from now on it is `renamed`."""
        if turn := self._turn_of(call_id):
            call = next(one for one in turn.calls if one.call.id == call_id)
            kept = tuple(one for one in turn.calls if one is not call)
            known = replace(call, call=replace(call.call, id=renamed), state="orphaned")
            self.turns[turn.turn] = replace(turn, calls=(*kept, known))

    def _turn_of(self, call_id: str) -> TurnState | None:
        """Return the turn that has the call, the newest first."""
        for turn in reversed(self.turns.values()):
            if any(one.call.id == call_id for one in turn.calls):
                return turn
        return None


def follow(records: Iterable[Record]) -> Timeline:
    """Return the timeline of a journaled run."""
    timeline = Timeline()
    for record in records:
        timeline.take(record.event, record.at)
    return timeline


def _call(turn: TurnState, call: ToolCall) -> CallState:
    """Return the turn's state of a call, queued if it is new."""
    return next((one for one in turn.calls if one.call.id == call.id), CallState(call))


def _started(state: CallState, event: CallStarted, at: float) -> CallState:
    return replace(state, call=event.call, state="running", early=event.early, started=at)


def _with(turn: TurnState, call: CallState) -> TurnState:
    """Return the turn with the call put in its place, at the end if it is new."""
    ids = [one.call.id for one in turn.calls]
    if call.call.id not in ids:
        return replace(turn, calls=(*turn.calls, call))
    at = ids.index(call.call.id)
    return replace(turn, calls=(*turn.calls[:at], call, *turn.calls[at + 1 :]))


def _replied(turn: TurnState, event: Replied, at: float) -> TurnState:
    """Return the turn with the calls of the whole reply, in its order, orphans after them."""
    numbered = [
        call if call.id else replace(call, id=f"{turn.turn}.{place}")
        for place, call in enumerate(event.reply.calls, 1)
    ]
    ids = {call.id for call in numbered}
    calls = tuple(_call(turn, call) for call in numbered)
    others = tuple(one for one in turn.calls if one.call.id not in ids)
    return replace(
        turn,
        phase="calling" if numbered else "ended",
        since=at,
        model_seconds=event.seconds,
        text=event.reply.text,
        reasoning=event.reply.reasoning or "",
        calls=calls + others,
    )


def _ended(turn: TurnState, event: BatchEnded, at: float) -> TurnState:
    """Return the turn with the one result of every call."""
    calls = tuple(_resulted(_call(turn, result.call), result) for result in event.results)
    ids = {one.call.id for one in calls}
    others = tuple(one for one in turn.calls if one.call.id not in ids)
    return replace(
        turn,
        phase="ended",
        since=at,
        width=event.width,
        batch_seconds=event.seconds,
        executed=event.executed,
        calls=calls + others,
    )


def _resulted(state: CallState, result: ToolResult) -> CallState:
    numbers = tuple(dict.fromkeys(source.n for source in result.sources))
    seconds = state.seconds if result.seconds is None else result.seconds
    return replace(state, state=result.outcome, seconds=seconds, numbers=numbers, text=result.text)


def _found(event: CallSettled) -> int | None:
    """Return how many citable things an output holds; an output that is its own source is one."""
    if event.output is None:
        return None
    return 1 if event.output.sources is None else len(event.output.sources)
