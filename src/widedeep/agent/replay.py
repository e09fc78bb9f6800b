"""Does a record tell the same run again, and what would its calls have taken otherwise?

The loop runs once more on a virtual clock: the model's replies and the tools' results come from
the record, after the seconds they took then. Nothing outside is asked.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from widedeep.agent import virtual
from widedeep.agent.loop import research
from widedeep.agent.notes import NAME
from widedeep.agent.state import RunState, Setup
from widedeep.costs import FREE, Budget, Cost
from widedeep.errors import ContextError, ModelError, UsageError
from widedeep.events import (
    BatchEnded,
    CallOrphaned,
    CallSettled,
    CallStarted,
    Continued,
    Event,
    Record,
    Replied,
    RequestSent,
    RunStarted,
    Stopping,
    Trimmed,
    TurnStarted,
)
from widedeep.journal import MemoryJournal, transcript_hash
from widedeep.messages import (
    Answer,
    Json,
    Outcome,
    Reply,
    Seconds,
    StoppedBy,
    ToolOutput,
    Width,
)
from widedeep.seams import CallReady, Context, Delta, ModelInfo, Request, State, ToolSpec
from widedeep.tools.running import Recorded, Refused

FOREVER = 1e9
"""Seconds of a deadline that a replay does not set: the record has what came of it."""

FROM_OUTSIDE: frozenset[StoppedBy] = frozenset({"user", "max_tokens", "max_usd", "max_seconds"})
"""What ended a search for reasons that are not in the history."""


@dataclass(frozen=True, slots=True)
class Replay:
    """What a replay came to: `same` = the same was said, by the transcript hash."""

    answer: Answer
    seconds: Seconds
    hash: str
    recorded_hash: str

    @property
    def same(self) -> bool:
        """Whether the replay said what the record says."""
        return self.hash == self.recorded_hash


def replay(
    records: Sequence[Record],
    *,
    turn_deadline: float | None = None,
    serial: bool | None = None,
    early_start: bool | None = None,
) -> Replay:
    """Run the loop over a record again and return what came of it.

    Args:
        records: the records of one run.
        turn_deadline: another deadline for a turn's calls, in seconds.
        serial: whether the calls of a turn run one after another.
        early_start: whether calls may start before the reply is whole.

    Raises:
        UsageError: the record has no beginning, or an older widedeep made it.
    """
    start = records[0].event if records else None
    if not isinstance(start, RunStarted) or start.terms is None:
        raise UsageError("this record cannot be replayed: an older widedeep made it")
    past = _Past(records)
    terms = start.terms
    journal = MemoryJournal()
    setup = Setup(
        model=_Model(past, start),
        tools=tuple(_Tool(past, spec) for spec in start.tools if spec.name != NAME),
        schedule=_Schedule(past, start.schedule),
        budget=Budget(start.budget.turns, start.budget.calls),
        journal=journal,
        turn_deadline=terms.turn_deadline if turn_deadline is None else turn_deadline,
        model_deadline=FOREVER,
        serial=terms.serial if serial is None else serial,
        early_start=terms.early_start if early_start is None else early_start,
        text_limit=terms.text_limit,
        max_output=terms.max_output,
        recipe={},
        style=terms.style,
        language=terms.language,
    )
    run = RunState(setup, start.question, start.run_id, past.earlier)
    run.log.listeners.append(past.steering(run))
    answer = virtual.run(research(run))
    again = transcript_hash(journal.read(start.run_id))
    return Replay(answer, answer.seconds, again, transcript_hash(records))


class _Past:
    """What a record holds, by turn and by call."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.earlier: Continued | None = None
        self.replies: dict[int, Replied] = {}
        self.widths: dict[int, Width] = {}
        self.settled: dict[tuple[str, str], CallSettled] = {}
        self.started: dict[str, CallStarted] = {}
        self.early: dict[int, list[tuple[float, CallStarted]]] = {}
        self.stops: dict[int, Stopping] = {}
        self.trims: Counter[int] = Counter()
        self.refused: dict[tuple[str, str], str] = {}
        self._begun_as: dict[str, CallStarted] = {}
        self._equal: dict[tuple[str, str], str] = {}
        self._asked = 0.0
        for record in records:
            self._take(record.event, record.at)

    def key(self, tool: str, arguments: Json) -> str:
        """Return what made a call equal to another then."""
        plain = _canonical(arguments)
        return self._equal.get((tool, plain), plain)

    def steering(self, run: RunState) -> Callable[[Event], None]:
        """Return what stops the run where somebody outside did then."""

        def steer(event: Event) -> None:
            if isinstance(event, BatchEnded | Replied) and event.turn in self.stops:
                stop = self.stops[event.turn]
                run.close_search(stop.reason, stop.why, stop.whose)

        return steer

    def _take(self, event: Event, at: float) -> None:
        match event:
            case Continued():
                self.earlier = event
            case TurnStarted(turn, width):
                before = 0 if self.earlier is None else self.earlier.turn
                self.widths[turn - before] = width
            case RequestSent():
                self._asked = at
            case Replied(turn):
                self.replies[turn] = event
            case CallStarted(turn, call, _, early):
                self.started[call.id] = self._begun_as[call.id] = event
                if early:
                    self.early.setdefault(turn, []).append((at - self._asked, event))
            case CallOrphaned(call_id, renamed):
                self._begun_as[renamed] = self._begun_as.pop(call_id)
            case CallSettled(call_id):
                call = self._begun_as[call_id].call
                self.settled[call.id, _canonical(call.arguments)] = event
            case BatchEnded():
                self._learn(event)
            case Trimmed(turn):
                self.trims[turn] += 1
            case Stopping(turn, reason, _, whose) if reason in FROM_OUTSIDE or whose != "run":
                self.stops[turn] = event
            case _:
                pass

    def _learn(self, batch: BatchEnded) -> None:
        """Learn which calls were equal, and which could not be made."""
        for result in batch.results:
            call = result.call
            if result.same_as in self.started:
                first = self.started[result.same_as].call
                self._equal[call.tool, _canonical(call.arguments)] = _canonical(first.arguments)
            elif result.outcome is Outcome.ERROR and call.id not in self.started:
                self.refused[call.tool, _canonical(call.arguments)] = _unframed(result.text)


@dataclass(frozen=True)
class _Model:
    """Replies as the record has it, after the seconds it took then."""

    past: _Past
    start: RunStarted

    @property
    def info(self) -> ModelInfo:
        """What is known of the model."""
        notes = any(spec.name == NAME for spec in self.start.tools)
        return ModelInfo(self.start.model, notes=notes)

    async def reply(self, request: Request, on: Callable[[Delta], None]) -> Reply:
        """Give the recorded reply of this turn.

        Raises:
            ModelError: there is none.
        """
        if self.past.trims[request.turn] > 0:
            self.past.trims[request.turn] -= 1
            raise ContextError("the request was trimmed here")
        kept = self.past.replies.get(request.turn)
        if kept is None:
            raise ModelError(f"the record holds no reply of turn {request.turn}")
        passed = 0.0
        for after, started in self.past.early.get(request.turn, ()):
            position = int(started.call.id.partition(".")[2].partition("~")[0]) - 1
            await asyncio.sleep(max(0.0, min(after, kept.seconds) - passed))
            passed = max(passed, min(after, kept.seconds))
            on(CallReady(position, started.call))
        await asyncio.sleep(max(0.0, kept.seconds - passed))
        return kept.reply


@dataclass(frozen=True)
class _Tool:
    """A tool whose calls end as the record has it."""

    past: _Past
    spec: ToolSpec
    order: Literal["any", "serial"] = "any"
    deadline: float = FOREVER
    limit: int | None = None
    endable: bool = True
    bound: Cost = FREE

    @property
    def effects(self) -> Literal["read", "write"]:
        """What the tool's calls did then."""
        for started in self.past.started.values():
            if started.call.tool == self.spec.name:
                return started.effects
        return "read"

    def validate(self, arguments: Json) -> Mapping[str, Any]:
        """Return the arguments as they were written, or raise what the tool raised then."""
        refused = self.past.refused.get((self.spec.name, _canonical(arguments)))
        if refused is not None:
            raise Refused(refused)
        return arguments

    def key(self, arguments: Json) -> str | None:
        """Return what made the call equal to another then."""
        return self.past.key(self.spec.name, arguments)

    async def call(self, arguments: Json, context: Context) -> ToolOutput:
        """Wait as long as the call took then, and end as it did."""
        kept = self.past.settled.get((context.call_id, _canonical(arguments)))
        if kept is None:
            await asyncio.Event().wait()
            raise AssertionError("a call without an end was waited for")
        await asyncio.sleep(kept.seconds)
        if kept.output is None:
            raise Recorded(kept.outcome, kept.error or "")
        return kept.output


@dataclass(frozen=True)
class _Schedule:
    """The widths of the record."""

    past: _Past
    name: str

    def width(self, state: State) -> Width:
        """Return the width that the turn had then; past the record's end it matters no more."""
        return self.past.widths.get(state.turn) or Width(1, 1)

    def __str__(self) -> str:
        return self.name


def _canonical(arguments: object) -> str:
    return json.dumps(arguments, sort_keys=True, ensure_ascii=False, default=str)


def _unframed(text: str) -> str:
    """Return a text from outside without the delimiters that frame it."""
    lines = text.splitlines(keepends=True)
    framed = len(lines) > 1 and lines[0].startswith("<<") and lines[-1].endswith(">>")
    return "".join(lines[1:-1]).removesuffix("\n") if framed else text
