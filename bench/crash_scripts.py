"""What a run that is killed asks for: scripts by turn, and tools whose every call is paid."""

from __future__ import annotations

import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from widedeep import Context, Found, ToolOutput, tool
from widedeep.seams import Tool

Calls = list[tuple[str, dict[str, Any]]]
Buy = Callable[[str, str, float], Awaitable[None]]
"""Pays for a thing under an idempotency key; what it takes in seconds."""


@dataclass(frozen=True, slots=True)
class Restarting:
    """A reply that breaks off after some calls and is streamed anew."""

    first: Calls
    then: Calls


Step = str | Calls | Restarting


@dataclass(frozen=True, slots=True)
class Script:
    """What the model says, turn by turn, and how the agent is set up."""

    steps: tuple[Step, ...]
    turns: int = 30
    schedule: str = "constant:4"
    deadline: float = 90.0


def wide() -> Script:
    """Return a run of full batches: short, long and packed texts, and calls asked for again."""
    turns: list[Calls] = [
        [(name, {"query": f"{name} {turn}.{place}"}) for place, name in enumerate(names, start=1)]
        for turn, names in enumerate(
            (
                ("look", "page", "look", "look"),
                ("look", "look", "book", "look", "page"),
                ("page", "look", "look"),
                ("look", "look", "look", "book"),
            ),
            start=1,
        )
    ]
    turns[1][1] = ("look", {"query": "look 1.1"})
    turns[2].append(("page", {"query": "page 1.2"}))
    turns[3].insert(2, ("look", {"query": "look 4.1"}))
    answer = "look 1.1 has 42 inhabitants [1], and look 4.4 has 42 inhabitants too [9]."
    return Script((*turns, answer))


def odd() -> Script:
    """Return a run in which nearly all goes wrong that a model can do, up to its last turn."""
    note = {"id": "a", "text": "How many in a?", "state": "supported"}
    steps: tuple[Step, ...] = (
        [("look", {"query": "a"}), ("fault", {"query": "b"}), ("lok", {"query": "c"})],
        [("look", {"query": "d"}), ("note", note | {"quotes": [{"n": 1, "text": "a has 42"}]})],
        "",
        [(name, {"query": f"over {n}"}) for n, name in enumerate(["look", "nothing"] * 4)],
        [("look", {"wrong": 1}), ("serial", {"query": "e"}), ("serial", {"query": "f"})],
        [("look", {"query": "g"}), ("nothing", {"query": "h"}), ("look", {"query": "a"})],
        [("look", {"query": "one more"})],
        "",
        "a has 42 inhabitants [1].",
    )
    return Script(steps, turns=6)


def restarting() -> Script:
    """Return a run whose replies break off, and whose search ends when nothing new comes."""
    # One call before each break: of several, those that a kill lets begin depend on the time.
    steps: tuple[Step, ...] = (
        Restarting(
            [("look", {"query": "a"})],
            [("look", {"query": "a"}), ("look", {"query": "b"}), ("page", {"query": "c"})],
        ),
        Restarting(
            [("look", {"query": "d"})], [("page", {"query": "e"}), ("look", {"query": "d"})]
        ),
        Restarting([("look", {"query": "given up"})], [("nothing", {"query": "f"})]),
        [("nothing", {"query": "g"}), ("look", {"query": "given up"}), ("look", {"query": "a"})],
        [("nothing", {"query": "i"}), ("fault", {"query": "j"})],
        [("nothing", {"query": "k"})],
        [("nothing", {"query": "l"})],
        "a has 42 inhabitants [1].",
    )
    return Script(steps)


def writing() -> Script:
    """Return a run most of whose calls write."""
    steps: tuple[Step, ...] = (
        [("write", {"query": "a"}), ("write", {"query": "b"}), ("look", {"query": "c"})],
        [("write", {"query": "d"}), ("write", {"query": "e"}), ("write", {"query": "f"})],
        [("look", {"query": "g"}), ("write", {"query": "i"}), ("write", {"query": "h"})],
        "c has 42 inhabitants [1].",
    )
    return Script(steps, schedule="constant:3")


def late() -> Script:
    """Return a run whose turns end before some of their calls do."""
    steps: tuple[Step, ...] = (
        [("look", {"query": "a"}), ("slow", {"query": "b"}), ("slow", {"query": "c"})],
        [("look", {"query": "d"}), ("slow", {"query": "e"}), ("slow", {"query": "b"})],
        [("look", {"query": "f"}), ("slow", {"query": "g"})],
        [("look", {"query": "h"}), ("look", {"query": "i"})],
        "a has 42 inhabitants [1].",
    )
    return Script(steps, deadline=0.04)


SCRIPTS: dict[str, Callable[[], Script]] = {
    "wide": wide,
    "odd": odd,
    "restarting": restarting,
    "writing": writing,
    "late": late,
}


def tools(buy: Buy) -> list[Tool]:
    """Return tools that pay for each of their calls."""

    async def pay(query: str, context: Context, seconds: float = 0.0) -> None:
        seconds = seconds or 0.002 + zlib.crc32(query.encode()) % 20 / 1000
        await buy(query, context.key, seconds)

    def found(query: str, more: str = "") -> ToolOutput:
        source = Found(f"doc {query}", f"{query} has 42 inhabitants. {more}", title=query)
        return ToolOutput(sources=(source,))

    @tool
    async def look(query: str, context: Context) -> ToolOutput:
        """Look something up."""
        await pay(query, context)
        return found(query)

    @tool
    async def slow(query: str, context: Context) -> ToolOutput:
        """Look something up slowly."""
        await pay(query, context, 0.12)
        return found(query)

    @tool
    async def page(query: str, context: Context) -> ToolOutput:
        """Read a page: text enough to be kept apart from its event."""
        await pay(query, context)
        return found(query, f"More of {query}. " * 120)

    @tool
    async def book(query: str, context: Context) -> ToolOutput:
        """Read a book: text enough to be packed."""
        await pay(query, context)
        return found(query, f"Much more of {query}. " * 800)

    @tool
    async def nothing(query: str, context: Context) -> ToolOutput:
        """Find nothing."""
        await pay(query, context)
        return ToolOutput("Nothing was found.", ())

    @tool
    async def fault(query: str, context: Context) -> str:
        """Fail."""
        await pay(query, context)
        raise ConnectionError(f"no such host: {query}")

    @tool(order="serial")
    async def serial(query: str, context: Context) -> ToolOutput:
        """Look things up one after another."""
        await pay(query, context)
        return found(query)

    @tool(effects="write")
    async def write(query: str, context: Context) -> str:
        """Write something down; it takes a while."""
        await pay(f"write {query}", context, 0.15)
        return f"{query} is written"

    return [look, slow, page, book, nothing, fault, serial, write]
