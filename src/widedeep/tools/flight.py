"""What happens to one call between its start and its one result."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any

from widedeep.events import CallSettled, CallStarted, Event
from widedeep.messages import Outcome, ToolCall, ToolOutput
from widedeep.seams import Context, Tool
from widedeep.tools.output import clean

GRACE = 1.0
"""Seconds that a cancelled call has for tidying up before it is left alone."""


STALL = 0.02
"""Seconds by which a deadline may be noticed late before the event loop counts as held up."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What every flight of a run shares: where events go and how a write is made safe."""

    run_id: str
    emit: Callable[[Event], None]
    flush: Callable[[], Coroutine[Any, Any, None]]


class Flight:
    """One call on its way: queued, running, settled. It settles once and never raises."""

    __slots__ = (
        "_ground",
        "_task",
        "_timer",
        "arguments",
        "call",
        "early",
        "error",
        "outcome",
        "output",
        "seconds",
        "started",
        "tool",
        "turn",
        "watchers",
    )

    def __init__(
        self, ground: Ground, turn: int, call: ToolCall, tool: Tool, arguments: Mapping[str, Any]
    ) -> None:
        self.turn = turn
        self.call = call
        self.tool = tool
        self.arguments = arguments
        self.early = False
        self.started: float | None = None
        self.seconds: float | None = None
        self.outcome: Outcome | None = None
        self.output: ToolOutput | None = None
        self.error: str | None = None
        self.watchers: list[Callable[[Flight], None]] = []
        self._ground = ground
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def start(self, gate: AbstractAsyncContextManager[Any] | None, *, early: bool) -> None:
        """Queue the call behind its gate; it runs in a task of its own."""
        self.early = early
        self._task = asyncio.create_task(self._fly(gate), name=f"call {self.call.id}")

    def end(self, outcome: Outcome, error: str) -> None:
        """Settle the call from outside and stop it: what it still brings is dropped."""
        if self.outcome is not None or self._task is None:
            return
        self._settle(outcome, error=error)
        self._task.cancel()
        asyncio.get_running_loop().call_later(GRACE, self._task.cancel)

    async def _fly(self, gate: AbstractAsyncContextManager[Any] | None) -> None:
        try:
            if gate is None:
                await self._run()
            else:
                async with gate:
                    await self._run()
        except BaseException as error:  # border: a call
            self._settle(Outcome.ERROR, error=describe(error))

    async def _run(self) -> None:
        if self.outcome is not None:
            return
        loop = asyncio.get_running_loop()
        self.started = loop.time()
        deadline = self.started + self.tool.deadline
        self._ground.emit(CallStarted(self.turn, self.call, self.tool.effects, self.early))
        if self.tool.effects == "write":
            await self._ground.flush()
        self._timer = loop.call_at(deadline, self._time_out)
        key = f"{self._ground.run_id}/{self.call.id}"
        context = Context(self._ground.run_id, self.call.id, key, deadline)
        output = await Released(self.tool.call(self.arguments, context))
        self._settle(Outcome.OK, output=clean(output))

    def _time_out(self, *, excused: bool = False) -> None:
        """End the call, unless the event loop itself was held up: its result may be waiting."""
        loop = asyncio.get_running_loop()
        lag = loop.time() - ((self.started or 0.0) + self.tool.deadline)
        if lag > STALL and not excused:
            again = partial(self._time_out, excused=True)
            self._timer = loop.call_later(min(lag, GRACE / 2), again)
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
            self._ground.emit(CallSettled(self.call.id, outcome, self.seconds, output, error))
        for watcher in self.watchers:
            watcher(self)


class Released:
    """Awaits a coroutine, but lets go of one that swallows its cancellation a second time.

    A task cannot end while the coroutine in it ignores being cancelled; then neither can a run or
    the process. Here the second cancellation ends the task and leaves the coroutine behind.
    """

    __slots__ = ("_coroutine",)

    def __init__(self, coroutine: Coroutine[Any, Any, ToolOutput]) -> None:
        self._coroutine = coroutine

    def __await__(self) -> Generator[Any, Any, ToolOutput]:
        coroutine, cancelled = self._coroutine, False
        step: Callable[[], Any] = partial(coroutine.send, None)
        while True:
            try:
                waited = step()
            except StopIteration as stop:
                return stop.value
            try:
                step = partial(coroutine.send, (yield waited))
            except asyncio.CancelledError as error:
                if cancelled:
                    _left.append(coroutine)
                    raise
                cancelled, step = True, partial(coroutine.throw, error)
            except BaseException as error:  # passes through: what a future raises is the tool's
                step = partial(coroutine.throw, error)


_left: list[Coroutine[Any, Any, Any]] = []
"""Coroutines that were left behind: collecting one would wake it, and it refuses to end."""


def describe(error: BaseException) -> str:
    """Return one line on what a tool raised, as the model reads it."""
    if isinstance(error, asyncio.CancelledError):
        return "The tool cancelled itself."
    text = " ".join(str(error).split())[:2_000]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
