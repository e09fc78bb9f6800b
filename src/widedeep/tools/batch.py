"""How the calls of a turn run side by side and each get exactly one result, in call order."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from widedeep.events import CallOrphaned
from widedeep.messages import Outcome, ToolCall, Width
from widedeep.seams import Tool
from widedeep.tools.flight import Flight
from widedeep.tools.runner import Runner, Settled, landed


class Batch:
    """The calls of one turn. `offer` may start some early; `adopt` and `settle` take the reply."""

    def __init__(self, runner: Runner, turn: int, width: Width) -> None:
        self._runner = runner
        self._turn = turn
        self._cap = width.cap
        self._slots = 0
        self._early: dict[int, Flight] = {}
        self._void: list[Flight] = []
        self._ids: set[str] = set()
        self._waiting = 0
        self._done = asyncio.Event()

    def offer(self, position: int, call: ToolCall) -> None:
        """Start a call whose end the stream has shown, if its tool is `read` and a slot is sure."""
        tool = self._runner.tools.get(call.tool)
        if position in self._early or tool is None or tool.effects != "read":
            return
        if not self._sure(position) or not self._runner.rules.early():
            return
        arguments = _validated(tool, call)
        if isinstance(arguments, str):
            return
        key = tool.key(arguments)
        if key is not None and (tool.spec.name, key) in self._runner.cache:
            return
        if self._runner.rules.take():
            self._early[position] = self._launch(position, call, tool, arguments, key, early=True)

    def restart(self) -> None:
        """Take all that was offered as void: the reply is being streamed anew."""
        self._void += self._early.values()
        self._early = {}
        self._slots = 0

    def adopt(self, calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
        """Return the reply's calls with their ids, and name the started calls it does not hold."""
        numbered: list[ToolCall] = []
        kept: dict[int, Flight] = {}
        void = self._void
        for position, call in enumerate(calls):
            early = self._early.pop(position, None)
            if early is not None and not _same(early, call):
                void.append(early)
                early = None
            match = early or next((flight for flight in void if _same(flight, call)), None)
            if match is not None:
                kept[position] = match
            if match in void:
                void.remove(match)
            numbered.append(_numbered(call, match.call.id if match else self._id(position)))
        for orphan in [*void, *self._early.values()]:
            self._runner.ground.emit(CallOrphaned(orphan.call.id))
        self._early, self._void = kept, []
        self._slots = len(kept)
        return tuple(numbered)

    async def settle(
        self, calls: Sequence[ToolCall], seconds: float, refusal: str | None = None
    ) -> tuple[Settled, ...]:
        """Run the adopted calls and return one result each, in call order, within `seconds`.

        Args:
            calls: what `adopt` returned.
            seconds: the turn's deadline, from now.
            refusal: why nothing more may start, when that is so.
        """
        plan = [self._admit(p, call, refusal) for p, call in enumerate(calls)]
        flights = {id(p): p for p in plan if isinstance(p, Flight) and p.outcome is None}
        self._waiting = len(flights)
        for flight in flights.values():
            flight.watchers.append(self._one_less)
        if flights:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._done.wait()
        self._close(flights.values(), seconds)
        own: set[str] = set()
        return tuple(
            _result(step, call, own, seconds) for step, call in zip(plan, calls, strict=True)
        )

    def stop(self) -> None:
        """End the batch now: what runs is cancelled."""
        for flight in tuple(self._runner.flying.values()):
            flight.end(Outcome.CANCELLED, "Cancelled: the user wants the answer now.")
        self._done.set()

    def _sure(self, position: int) -> bool:
        """Say whether a slot is left for this position whatever came before it."""
        return self._cap is None or position < self._cap

    def _admit(self, position: int, call: ToolCall, refusal: str | None) -> Flight | Settled:
        started = self._early.get(position)
        if started is not None:
            return started
        if refusal is not None:
            return Settled(call, Outcome.REFUSED, refusal)
        if call.tool in self._runner.free:
            return self._runner.free[call.tool](call)
        tool = self._runner.tools.get(call.tool)
        if tool is None:
            names = ", ".join(self._runner.tools) or "none"
            return Settled(call, Outcome.ERROR, f"There is no tool {call.tool!r}. Tools: {names}.")
        arguments = _validated(tool, call)
        if isinstance(arguments, str):
            return Settled(call, Outcome.ERROR, arguments)
        key = tool.key(arguments)
        equal = self._runner.cache.get((tool.spec.name, key)) if key is not None else None
        if equal is not None:
            return equal
        if self._cap is not None and self._slots >= self._cap:
            text = f"Not run: this turn's limit was {self._cap}. Ask again only if still needed."
            return Settled(call, Outcome.DEFERRED, text)
        if not self._runner.rules.take():
            return Settled(call, Outcome.REFUSED, f"Not run: {self._runner.rules.limit_text}.")
        self._slots += 1
        return self._launch(position, call, tool, arguments, key, early=False)

    def _launch(
        self,
        position: int,
        call: ToolCall,
        tool: Tool,
        arguments: Mapping[str, Any],
        key: str | None,
        *,
        early: bool,
    ) -> Flight:
        call = call if call.id else _numbered(call, self._id(position))
        flight = Flight(self._runner.ground, self._turn, call, tool, arguments)
        self._runner.launch(flight, key, early=early)
        return flight

    def _id(self, position: int) -> str:
        """Return `turn.position`, with a mark where a restarted reply used that id before."""
        name = f"{self._turn}.{position + 1}"
        while name in self._ids:
            name += "'"
        self._ids.add(name)
        return name

    def _one_less(self, _: Flight) -> None:
        self._waiting -= 1
        if self._waiting == 0:
            self._done.set()

    def _close(self, flights: Iterable[Flight], seconds: float) -> None:
        """End what has not begun; what runs on is late."""
        for flight in flights:
            if flight.outcome is None and flight.started is None:
                text = f"Not run: the turn ended after {seconds:g} s, before it could start."
                flight.end(Outcome.CANCELLED, text)
            elif flight.outcome is None and flight not in self._runner.late:
                self._runner.late.append(flight)


def _validated(tool: Tool, call: ToolCall) -> Mapping[str, Any] | str:
    """Return the arguments as the tool takes them, or what is wrong with them."""
    if call.arguments is None:
        return f"The arguments are not a JSON object: {(call.raw or '')[:200]!r}. Call again."
    try:
        return tool.validate(call.arguments)
    except ValueError as error:
        return f"Invalid arguments: {error}. Call again with arguments that fit the schema."


def _numbered(call: ToolCall, name: str) -> ToolCall:
    return ToolCall(call.tool, call.arguments, name, call.raw, call.provider_id)


def _same(flight: Flight, call: ToolCall) -> bool:
    return flight.call.tool == call.tool and flight.call.arguments == call.arguments


def _result(step: Flight | Settled, call: ToolCall, own: set[str], seconds: float) -> Settled:
    """Return the call's result: its own flight's, or as a duplicate of another call's."""
    if isinstance(step, Settled):
        return step
    settled = landed(step, call)
    if settled.outcome is Outcome.LATE:
        text = f"Still running when the turn ended after {seconds:g} s; its result may follow."
        settled = replace(settled, note=text)
    if step.call.id == call.id and call.id not in own:
        own.add(call.id)
        return settled
    return replace(
        settled, outcome=Outcome.DUPLICATE, same_as=step.call.id, executed=False, seconds=None
    )
