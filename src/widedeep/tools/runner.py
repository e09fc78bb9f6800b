"""What the calls of a run share: tools, order, the call cache, and results that come late."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

from widedeep.budget import Spend
from widedeep.messages import Outcome, ToolCall, ToolOutput
from widedeep.seams import Tool
from widedeep.tools.running import Prepared, RunningCall, Surroundings, prepare


@dataclass(frozen=True, slots=True)
class Settled:
    """The result of a call before its sources have numbers.

    `note` says what the model is told when there is no output, `foreign` that a tool wrote it;
    `same_as` is the call whose result a duplicate shares; `executed`: the call really began.
    """

    call: ToolCall
    outcome: Outcome
    note: str = ""
    output: ToolOutput | None = None
    seconds: float | None = None
    same_as: str | None = None
    executed: bool = False
    foreign: bool = False


class Runner:
    """The calls of one run: the call cache, late results, and one `Batch` a turn.

    Args:
        tools: what may be called.
        around: whose calls they are.
        spend: what the run may still do.
        serial: every call waits for the one before it.
        early_start: `read` calls may start before the reply is whole.
    """

    def __init__(
        self,
        tools: Iterable[Tool],
        around: Surroundings,
        spend: Spend,
        *,
        serial: bool = False,
        early_start: bool = True,
    ) -> None:
        self.tools = {tool.spec.name: tool for tool in tools}
        self.around = around
        self.spend = spend
        self.serial = serial
        self.early_start = early_start and not serial
        self.running: dict[str, RunningCall] = {}
        self.orphans = 0
        self._cache: dict[tuple[str, str], RunningCall] = {}
        self._last: dict[tuple[str, str], RunningCall] = {}
        self._late: list[tuple[RunningCall, ToolCall]] = []
        self._line = asyncio.Lock()
        self._limits = {
            name: asyncio.Semaphore(tool.limit)
            for name, tool in self.tools.items()
            if tool.limit is not None
        }

    def equal(self, prepared: Prepared) -> RunningCall | None:
        """Return an earlier or running call that is equal and may be reused."""
        return None if prepared.place is None else self._cache.get(prepared.place)

    def recall(self, turn: int, call: ToolCall, *, early: bool) -> RunningCall:
        """Take over a call that an earlier session of the run had started; nothing runs yet."""
        tool = self.tools[call.tool]
        prepared = prepare(tool, call)
        if isinstance(prepared, str):
            prepared = Prepared(tool, call.arguments or {}, None)
        self.spend.begun(tool.bound)
        return self._enter(RunningCall(self.around, turn, call, prepared, early=early))

    def charge(self, running: RunningCall) -> None:
        """Charge a call that was cut off at its bound: it was made again."""
        self.spend.settle(running.tool.bound, running.tool.bound)
        self.spend.begun(running.tool.bound)

    def repeat(self, running: RunningCall) -> bool:
        """Make a recalled call again, or settle it as interrupted; say whether it is made again."""
        bound = running.tool.bound
        again = running.tool.effects == "read" and self.spend.take_call(bound)
        if again:
            self.spend.settle(bound, bound)
            running.start(self._gate(running.tool))
        else:
            running.interrupt()
        return again

    def launch(
        self, turn: int, call: ToolCall, prepared: Prepared, *, early: bool = False
    ) -> RunningCall:
        """Start a call and keep it where an equal one finds it."""
        running = self._enter(RunningCall(self.around, turn, call, prepared, early=early))
        running.start(self._gate(prepared.tool))
        return running

    def _enter(self, running: RunningCall) -> RunningCall:
        before = self._last.get(running.what)
        if before is not None and before.turn < running.turn and before.is_unsure:
            running.key_id = before.key_id
        self._last[running.what] = running
        if running.place is not None:
            self._cache[running.place] = running
        self.running[running.call.id] = running
        running.watchers.append(self._settled)
        return running

    def rename(self, running: RunningCall, name: str) -> None:
        """Give a call another id: the reply's own call has the one it had."""
        call = running.call
        if self.running.pop(call.id, None) is not None:
            self.running[name] = running
        running.call = ToolCall(call.tool, call.arguments, name, call.raw, call.provider_id)

    def cancel(self, call_id: str) -> bool:
        """Cancel one call by its id; False when it is not running."""
        running = self.running.get(call_id)
        if running is not None:
            running.end(Outcome.CANCELLED, "Cancelled by the user.")
        return running is not None

    def end(self, reason: str) -> None:
        """Cancel whatever still runs; nothing is waited for."""
        for running in tuple(self.running.values()):
            running.end(Outcome.CANCELLED, reason)

    def add_late(self, running: RunningCall, call: ToolCall) -> None:
        """Remember a call that the turn of `call`, which asked for it, did not wait for."""
        if all(known is not running for known, _ in self._late):
            self._late.append((running, call))

    @property
    def late(self) -> int:
        """How many late calls there are whose results are still to be told."""
        return len(self._late)

    def forget_late(self, call_id: str) -> None:
        """Take a call off the late ones: its result has been told."""
        self._late = [pair for pair in self._late if pair[1].id != call_id]

    def take_late(self) -> list[Settled]:
        """Return the late calls that have settled since this was last asked."""
        ready = [pair for pair in self._late if pair[0].outcome is not None]
        self._late = [pair for pair in self._late if pair[0].outcome is None]
        return [result_of(running, call) for running, call in ready]

    def _gate(self, tool: Tool) -> AbstractAsyncContextManager[Any] | None:
        """Return what a call of this tool waits behind, if anything."""
        if self.serial or tool.order == "serial":
            return self._line
        return self._limits.get(tool.spec.name)

    def _settled(self, running: RunningCall) -> None:
        self.running.pop(running.call.id, None)
        if running.started is None:
            self.spend.give_call(running.tool.bound)
        else:
            self.spend.settle(running.tool.bound, running.cost)
        place = running.place
        if place and running.outcome is not Outcome.OK and self._cache.get(place) is running:
            del self._cache[place]


def result_of(running: RunningCall, call: ToolCall) -> Settled:
    """Return what a running call came to, as the result of `call`; still under way it is late."""
    outcome = running.outcome or Outcome.LATE
    return Settled(
        call,
        outcome,
        running.error or "",
        running.output,
        running.seconds,
        executed=running.started is not None,
        foreign=outcome is Outcome.ERROR,
    )
