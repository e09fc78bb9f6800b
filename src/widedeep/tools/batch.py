"""How the calls of a turn run side by side and each get exactly one result, in call order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from widedeep.budget import Spend
from widedeep.events import CallOrphaned
from widedeep.messages import Outcome, ToolCall, Width
from widedeep.tools.runner import Runner, Settled, result_of
from widedeep.tools.running import RunningCall, prepare

Free = Mapping[str, Callable[[ToolCall], Settled]]
"""Tools by name that need no running: each returns its call's result at once."""


class Batch:
    """The calls of one turn. `offer` may start some early; `adopt` and `settle` take the reply.

    `free` tools are answered at once, take no slot and are in no count of calls.
    """

    def __init__(self, runner: Runner, turn: int, width: Width, free: Free | None = None) -> None:
        self._runner = runner
        self._free = free or {}
        self._turn = turn
        self._cap = width.cap
        self._slots = 0
        self._early: dict[int, RunningCall] = {}
        self._void: dict[int, RunningCall] = {}
        self.orphans = 0
        self._waiting = 0
        self._done = asyncio.Event()

    def recall(self, calls: Mapping[int, RunningCall], orphans: int, *, adopted: bool) -> None:
        """Take over calls of this turn that an earlier session of the run had started.

        Args:
            calls: by their place in the reply.
            orphans: how many calls that the reply does not hold were started too.
            adopted: whether the reply is recorded; else it is being asked for anew.
        """
        self.orphans = orphans
        if adopted:
            self._early = dict(calls)
            self._slots = len(calls) + orphans
        else:
            self._void = dict(calls)

    def offer(self, position: int, call: ToolCall) -> None:
        """Start a call whose end the stream has shown, if its tool is `read` and a slot is sure."""
        tool = self._runner.tools.get(call.tool)
        if tool is None or tool.effects != "read" or tool.order == "serial":
            return
        if position in self._early or self._void:
            return  # started already; or a reply was voided, and what it started holds its slots
        if not (self._runner.early_start and self._sure(position)):
            return
        prepared = prepare(tool, call)
        if isinstance(prepared, str) or self._runner.equal(prepared) is not None:
            return
        if not self._runner.spend.early(self._cap) or not self._runner.spend.take_call(tool.bound):
            return
        named = _numbered(call, self._id(position))
        self._early[position] = self._runner.launch(self._turn, named, prepared, early=True)

    def restart(self) -> None:
        """Take all that was offered as void: the reply is being streamed anew."""
        self._void |= self._early
        self._early = {}

    def adopt(self, calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
        """Return the reply's calls with their ids, and name the started calls it does not hold.

        A started call belongs to the reply when the call at its position is the same.
        """
        started = self._void | self._early
        self._early, self._void = {}, {}
        for position, running in started.items():
            if position < len(calls) and _same(running, calls[position]):
                self._early[position] = running
            else:
                self._orphan(running)
        self._slots = len(self._early) + self.orphans
        return tuple(self._named(at, call) for at, call in enumerate(calls))

    async def settle(
        self, calls: Sequence[ToolCall], seconds: float, refusal: str | None = None
    ) -> tuple[Settled, ...]:
        """Run the adopted calls and return one result each, in call order, within `seconds`.

        Args:
            calls: what `adopt` returned.
            seconds: the turn's deadline, from now.
            refusal: why nothing more may start, when that is so.
        """
        plan = [self._admit(at, call, refusal) for at, call in enumerate(calls)]
        steps = list(zip(plan, calls, strict=True))
        under_way = {
            id(step): (step, call)
            for step, call in reversed(steps)
            if isinstance(step, RunningCall) and step.outcome is None
        }
        self._waiting = len(under_way)
        for running, _ in under_way.values():
            running.watchers.append(self._one_less)
        if under_way:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._done.wait()
        self._close(under_way.values(), seconds)
        own: set[str] = set()
        return tuple(_result(step, call, own, seconds) for step, call in steps)

    def _sure(self, position: int) -> bool:
        """Say whether a slot is left for this position whatever came before it."""
        return self._cap is None or position < self._cap

    def _admit(self, position: int, call: ToolCall, refusal: str | None) -> RunningCall | Settled:
        started = self._early.get(position)
        if started is not None:
            return started
        if refusal is not None:
            return Settled(call, Outcome.REFUSED, refusal)
        if call.tool in self._free:
            return self._free[call.tool](call)
        tool = self._runner.tools.get(call.tool)
        if tool is None:
            names = ", ".join(self._runner.tools) or "none"
            return Settled(call, Outcome.ERROR, f"There is no tool {call.tool!r}. Tools: {names}.")
        prepared = prepare(tool, call)
        if isinstance(prepared, str):
            return Settled(call, Outcome.ERROR, prepared, foreign=True)
        equal = self._runner.equal(prepared)
        if equal is not None:
            return equal
        if self._cap is not None and self._slots >= self._cap:
            text = f"Not run: this turn's limit was {self._cap}. Ask again only if still needed."
            return Settled(call, Outcome.DEFERRED, text)
        if not self._runner.spend.take_call(tool.bound):
            return Settled(call, Outcome.REFUSED, _no_room(self._runner.spend))
        self._slots += 1
        return self._runner.launch(self._turn, call, prepared)

    def _orphan(self, running: RunningCall) -> None:
        """Take a started call out of the reply; it keeps its slot, its result stays cached."""
        self.orphans += 1
        self._runner.orphans += 1
        before = running.call.id
        self._runner.rename(running, f"{before}~{self._runner.orphans}")
        self._runner.around.emit(CallOrphaned(before, running.call.id))

    def _named(self, position: int, call: ToolCall) -> ToolCall:
        """Return the call with its id; one that has started has it already."""
        started = self._early.get(position)
        return started.call if started is not None else _numbered(call, self._id(position))

    def _id(self, position: int) -> str:
        return f"{self._turn}.{position + 1}"

    def _one_less(self, _: RunningCall) -> None:
        self._waiting -= 1
        if self._waiting == 0:
            self._done.set()

    def _close(self, steps: Iterable[tuple[RunningCall, ToolCall]], seconds: float) -> None:
        """End what has not begun; what runs on is late."""
        for running, call in steps:
            if running.outcome is None and running.started is None:
                text = f"Not run: the turn ended after {seconds:g} s, before it could start."
                running.end(Outcome.CANCELLED, text)
            elif running.outcome is None:
                self._runner.add_late(running, call)


def _no_room(spend: Spend) -> str:
    """Return why a call that the turn had a slot for is not run."""
    limit = spend.budget.calls
    if limit is not None and spend.calls >= limit:
        return f"Not run: the run's limit of {limit} calls is reached."
    return "Not run: what is left of the run's budget is kept for the answer."


def _numbered(call: ToolCall, name: str) -> ToolCall:
    return ToolCall(call.tool, call.arguments, name, call.raw, call.provider_id)


def _same(running: RunningCall, call: ToolCall) -> bool:
    return running.call.tool == call.tool and running.call.arguments == call.arguments


def _result(step: RunningCall | Settled, call: ToolCall, own: set[str], seconds: float) -> Settled:
    """Return the call's result: that of its own running, or as a duplicate another call's."""
    if isinstance(step, Settled):
        return step
    settled = result_of(step, call)
    if settled.outcome is Outcome.LATE:
        text = f"Still running when the turn ended after {seconds:g} s; its result may follow."
        settled = replace(settled, note=text)
    if step.call.id == call.id and call.id not in own:
        own.add(call.id)
        return settled
    return replace(
        settled, outcome=Outcome.DUPLICATE, same_as=step.call.id, executed=False, seconds=None
    )
