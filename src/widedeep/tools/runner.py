"""What the calls of a run share: tools, order, the call cache, and results that come late."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

from widedeep.messages import Outcome, ToolCall, ToolOutput
from widedeep.seams import Tool
from widedeep.tools.flight import Flight, Ground


@dataclass(frozen=True, slots=True)
class Settled:
    """The result of a call before its sources have numbers.

    `note` says what the model is told when there is no output; `same_as` is the call whose result
    a duplicate shares; `executed`: the call really began.
    """

    call: ToolCall
    outcome: Outcome
    note: str = ""
    output: ToolOutput | None = None
    seconds: float | None = None
    same_as: str | None = None
    executed: bool = False


@dataclass(frozen=True, slots=True)
class Rules:
    """What decides whether a call may run: the budget, and how calls are ordered.

    `take` reserves one call of the budget and says whether it did; `give` returns one that never
    began. `early` says whether a call may start before the reply is whole.
    """

    take: Callable[[], bool]
    give: Callable[[], None]
    early: Callable[[], bool]
    limit_text: str = "the run's limit of calls is reached"
    serial: bool = False


class Runner:
    """The calls of one run: the call cache, late results, and one `Batch` a turn.

    `free` tools are answered at once, take no slot and are in no count of calls.
    """

    def __init__(self, tools: Iterable[Tool], ground: Ground, rules: Rules) -> None:
        self.tools = {tool.spec.name: tool for tool in tools}
        self.ground = ground
        self.rules = rules
        self.cache: dict[tuple[str, str], Flight] = {}
        self.flying: dict[str, Flight] = {}
        self.free: dict[str, Callable[[ToolCall], Settled]] = {}
        self.late: list[Flight] = []
        self._line = asyncio.Lock()
        self._limits = {
            name: asyncio.Semaphore(tool.limit)
            for name, tool in self.tools.items()
            if tool.limit is not None
        }

    def gate(self, tool: Tool) -> AbstractAsyncContextManager[Any] | None:
        """Return what a call of this tool waits behind, if anything."""
        if self.rules.serial or tool.order == "serial":
            return self._line
        return self._limits.get(tool.spec.name)

    def launch(self, flight: Flight, key: str | None, *, early: bool) -> None:
        """Start a call and keep it where an equal one finds it."""
        if key is not None and flight.tool.effects == "read":
            self.cache[flight.tool.spec.name, key] = flight
        self.flying[flight.call.id] = flight
        flight.watchers.append(lambda settled: self._landed(settled, key))
        flight.start(self.gate(flight.tool), early=early)

    def _landed(self, flight: Flight, key: str | None) -> None:
        self.flying.pop(flight.call.id, None)
        if flight.started is None:
            self.rules.give()
        place = (flight.tool.spec.name, key or "")
        if flight.outcome is not Outcome.OK and self.cache.get(place) is flight:
            del self.cache[place]

    def cancel(self, call_id: str) -> bool:
        """Cancel one call by its id; False when it is not running."""
        flight = self.flying.get(call_id)
        if flight is not None:
            flight.end(Outcome.CANCELLED, "Cancelled by the user.")
        return flight is not None

    def take_late(self) -> list[Settled]:
        """Return the late calls that have settled since this was last asked."""
        ready = [flight for flight in self.late if flight.outcome is not None]
        self.late = [flight for flight in self.late if flight.outcome is None]
        return [landed(flight, flight.call) for flight in ready]

    def close(self) -> None:
        """Cancel whatever still runs; nothing is waited for."""
        for flight in tuple(self.flying.values()):
            flight.end(Outcome.CANCELLED, "The run ended.")


def landed(flight: Flight, call: ToolCall) -> Settled:
    """Return what a flight came to, as the result of a call; still under way it is late."""
    outcome = flight.outcome or Outcome.LATE
    executed = flight.started is not None
    return Settled(
        call, outcome, flight.error or "", flight.output, flight.seconds, executed=executed
    )
