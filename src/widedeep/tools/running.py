"""What happens to one call between its start and its one result."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

from widedeep.costs import FREE, Cost
from widedeep.events import CallSettled, CallStarted, Event
from widedeep.messages import Outcome, ToolCall, ToolOutput
from widedeep.seams import Context, Tool
from widedeep.tools.idempotency import is_unsure, key_of
from widedeep.tools.output import clean, clean_text
from widedeep.tools.releasing import GRACE, Released, cancel_twice

INTERRUPTED = (
    "Interrupted: the run was cut off while this call was under way. It may have taken effect; "
    "it was not repeated."
)
"""What the model is told of a call whose effect is not known."""

STALL = 0.02
"""Seconds by which a deadline may be noticed late before the event loop counts as held up."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the calls of a run share: whose they are, where events go, how a write is made safe."""

    run_id: str
    emit: Callable[[Event], None]
    flush: Callable[[], Coroutine[Any, Any, None]]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A call that may start: its tool, valid arguments, and where equal calls find its result.

    `place` is None when its result may not be used again.
    """

    tool: Tool
    arguments: Mapping[str, Any]
    place: tuple[str, str] | None


class Refused(Exception):  # noqa: N818 - not an error but what one was
    """Raised by a recorded tool's `validate`: it is told in these words, as it was then."""


class Recorded(Exception):  # noqa: N818 - not an error but what one was
    """Raised by a recorded tool's call: the call ends as it did then, for the same reason."""

    def __init__(self, outcome: Outcome, error: str) -> None:
        super().__init__(error)
        self.outcome = outcome


def prepare(tool: Tool, call: ToolCall) -> Prepared | str:
    """Return the call ready to start, or what is wrong with it."""
    if not isinstance(call.arguments, Mapping):
        return f"The arguments are not a JSON object: {(call.raw or '')[:200]!r}. Call again."
    try:
        arguments = tool.validate(call.arguments)
    except Refused as refused:
        return str(refused)
    except ValueError as error:
        wrong = clean_text(str(error))
        return f"Invalid arguments: {wrong}. Call again with arguments that fit the schema."
    except BaseException as error:  # border: a call
        return f"The tool cannot take these arguments: {describe(error)}"
    try:
        key = tool.key(arguments) if tool.effects == "read" else None
        return Prepared(tool, arguments, None if key is None else (tool.spec.name, str(key)))
    except BaseException as error:  # border: a call
        return f"The tool cannot take these arguments: {describe(error)}"


class RunningCall:
    """One call on its way: queued, running, settled. It settles once and never raises."""

    __slots__ = (
        "_announced",
        "_around",
        "_task",
        "_timer",
        "arguments",
        "call",
        "early",
        "error",
        "key_id",
        "outcome",
        "output",
        "place",
        "seconds",
        "started",
        "tool",
        "turn",
        "watchers",
        "what",
    )

    def __init__(
        self, around: Surroundings, turn: int, call: ToolCall, prepared: Prepared, *, early: bool
    ) -> None:
        self.turn = turn
        self.call = call
        self.tool = prepared.tool
        self.arguments = prepared.arguments
        self.place = prepared.place
        self.early = early
        self.key_id = call.id.partition("~")[0]
        self.what = (call.tool, json.dumps(call.arguments, sort_keys=True, default=str))
        self.started: float | None = None
        self.seconds: float | None = None
        self.outcome: Outcome | None = None
        self.output: ToolOutput | None = None
        self.error: str | None = None
        self.watchers: list[Callable[[RunningCall], None]] = []
        self._around = around
        self._announced = False
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def start(self, gate: AbstractAsyncContextManager[Any] | None) -> None:
        """Queue the call behind its gate; it runs in a task of its own."""
        self._task = asyncio.create_task(self._pass(gate), name=f"call {self.call.id}")

    def end(self, outcome: Outcome, error: str) -> None:
        """Settle the call from outside and stop it: what it still brings is dropped."""
        task = self._task
        if self.outcome is not None or task is None:
            return
        self._settle(outcome, error=error)
        if not self._holds_others_back:
            cancel_twice(task)

    def recall(self, settled: CallSettled) -> None:
        """Settle as an earlier session of the run recorded it."""
        self.started, self.seconds = 0.0, settled.seconds
        self.outcome, self.output, self.error = settled.outcome, settled.output, settled.error
        self._over()

    def interrupt(self) -> None:
        """Settle a recalled call that is not made again: what it did is not known."""
        self.started, self._announced = asyncio.get_running_loop().time(), True
        self._settle(Outcome.INTERRUPTED, error=INTERRUPTED)

    async def _pass(self, gate: AbstractAsyncContextManager[Any] | None) -> None:
        try:
            if gate is None:
                await self._run()
            else:
                async with gate:
                    await self._run()
        except Recorded as recorded:
            self._settle(recorded.outcome, error=str(recorded))
        except BaseException as error:  # border: a call
            self._settle(Outcome.ERROR, error=describe(error))

    async def _run(self) -> None:
        if self.outcome is not None:
            return
        self._announced = True
        tool, bound = self.tool, None if self.tool.bound == FREE else self.tool.bound
        self._around.emit(CallStarted(self.turn, self.call, tool.effects, self.early, bound))
        if tool.effects == "write":
            await self._around.flush()
            if self.outcome is not None:
                return
        loop = asyncio.get_running_loop()
        self.started = loop.time()
        deadline = self.started + self.tool.deadline
        self._timer = loop.call_at(deadline, self._time_out)
        context = Context(self._around.run_id, self.call.id, self._key(), deadline)
        output = await Released(self.tool.call(self.arguments, context))
        self._settle(Outcome.OK, output=clean(output))

    def _key(self) -> str:
        """Return the idempotency key: the same when the call is made again after a crash.

        So has an equal call of a later turn, when it is not known whether this one took effect.
        """
        return key_of(self._around.run_id, self.key_id, self.place or self.what)

    @property
    def is_unsure(self) -> bool:
        """Whether it is not known if the call took effect."""
        return is_unsure(self.outcome, self.error)

    @property
    def cost(self) -> Cost:
        """What a call that began took: as its tool says, else its bound."""
        told = None if self.output is None else self.output.cost
        return self.tool.bound if told is None else told

    @property
    def _holds_others_back(self) -> bool:
        """Whether others wait for this call and it cannot be ended: its thread goes on."""
        waited_for = self.tool.order == "serial" or self.tool.limit is not None
        return waited_for and not self.tool.endable and self.started is not None

    def _time_out(self, *, excused: bool = False) -> None:
        """End the call, unless the event loop itself was held up: its result may be waiting."""
        loop = asyncio.get_running_loop()
        lag = loop.time() - ((self.started or 0.0) + self.tool.deadline)
        if lag > STALL and not excused:
            self._timer = loop.call_later(min(lag, GRACE / 2), lambda: self._time_out(excused=True))
            return
        rest = "It was ended." if self.tool.endable else "It may still be running."
        self.end(Outcome.TIMEOUT, f"No result within {self.tool.deadline:g} s. {rest}")

    def _settle(
        self, outcome: Outcome, *, output: ToolOutput | None = None, error: str | None = None
    ) -> None:
        if self.outcome is not None:
            return
        if self._timer is not None:
            self._timer.cancel()
        self.outcome, self.output, self.error = outcome, output, error
        if self.started is not None:
            self.seconds = asyncio.get_running_loop().time() - self.started
        if self._announced:
            self._around.emit(
                CallSettled(self.call.id, outcome, self.seconds or 0.0, output, error)
            )
        self._over()

    def _over(self) -> None:
        """Let go of what a settled call needs no more, and tell who watches."""
        self._task = self._timer = None
        watchers, self.watchers = self.watchers, []
        for watcher in watchers:
            watcher(self)


def describe(error: BaseException) -> str:
    """Return one line on what was raised, as the model reads it."""
    if isinstance(error, asyncio.CancelledError):
        return "The tool cancelled itself."
    try:
        text = clean_text(" ".join(str(error).split())[:2_000])
    except BaseException:  # border: a call; even its message may fail
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
