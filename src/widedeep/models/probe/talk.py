"""What is a model asked by a probe? To look up eight rivers; what the search says is canned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

from widedeep.messages import (
    Assistant,
    Message,
    Outcome,
    Reply,
    Results,
    System,
    ToolCall,
    ToolResult,
    ToolSpec,
    User,
    Width,
)
from widedeep.prompts import fill
from widedeep.seams import Request

SEARCH = ToolSpec(
    "search",
    "Look one thing up in a gazetteer.",
    {
        "type": "object",
        "properties": {"query": {"type": "string", "description": "What to look up."}},
        "required": ["query"],
        "additionalProperties": False,
    },
)

QUESTION = (
    System(
        "You answer a question by looking things up with the tool `search`, one thing in a call. "
        "Several calls in one reply run at the same time; make each different from the others. "
        "When you know enough, reply with the answer alone and no call."
    ),
    User(
        "How long is each of these rivers, and where does it end: Amazon, Congo, Danube, "
        "Mississippi, Murray, Nile, Rhine, Yangtze?"
    ),
)

RESULT = (
    "From a gazetteer of rivers. The Amazon is about 6,400 km long; it rises in the Andes of Peru "
    "and ends in the Atlantic Ocean in Brazil. The Congo is about 4,700 km long; it crosses the "
    "equator twice and ends in the Atlantic Ocean below Matadi. The Danube is about 2,850 km long; "
    "it rises in the Black Forest, passes four capitals and ends in the Black Sea. The Mississippi "
    "is about 3,770 km long; it rises in Lake Itasca and ends in the Gulf of Mexico below New "
    "Orleans. The Murray is about 2,500 km long; it rises in the Australian Alps and ends in the "
    "Southern Ocean through Lake Alexandrina. The Nile is about 6,650 km long; it is fed by the "
    "White and the Blue Nile, which meet at Khartoum, and ends in the Mediterranean Sea. The Rhine "
    "is about 1,230 km long; it leaves Lake Constance at Stein and ends in the North Sea in the "
    "Netherlands. The Yangtze is about 6,300 km long; it rises on the plateau of Tibet and ends in "
    "the East China Sea at Shanghai. Lengths differ between sources, for where a river begins and "
    "where its mouth lies is not agreed for most of them."
)
"""What every search of a probe says."""

TURNS = 3


def request(
    turn: int,
    width: int,
    history: Iterable[Message] = QUESTION,
    *,
    most: int,
    cap: int | None = None,
    choice: Literal["auto", "none"] = "auto",
) -> Request:
    """Return the request of a turn that wants so many calls.

    Args:
        turn: from 1.
        width: calls that its tail asks for.
        history: what was said before.
        most: tokens of output at most.
        cap: calls that the provider is told to allow; None = as many as are asked for.
        choice: whether calls are allowed at all.
    """
    name = "hint_one" if width == 1 else "hint_exact"
    tail = fill(name, place=f"Turn {turn} of {TURNS}.", target=width)
    wide = Width(width, width) if cap is None else Width(cap, cap)
    return Request(turn, tuple(history), tail, (SEARCH,), wide, choice, most)


def after(history: Iterable[Message], reply: Reply, turn: int) -> tuple[Message, ...]:
    """Return the history after a reply, with what its calls found."""
    calls = tuple(replace(call, id=f"{turn}.{at}") for at, call in enumerate(reply.calls, 1))
    said = Assistant(reply.text, calls, reply.reasoning, reply.provider)
    if not calls:
        return (*history, said)
    found = tuple(ToolResult(call, Outcome.OK, f"[{call.id}] {RESULT}") for call in calls)
    return (*history, said, Results(found))


def valid(call: ToolCall) -> bool:
    """Say whether a call could be run."""
    arguments: Mapping[str, Any] = call.arguments or {}
    query = arguments.get("query")
    named = call.tool == SEARCH.name and set(arguments) == {"query"}
    return named and isinstance(query, str) and bool(query.strip())


def distinct(calls: Iterable[ToolCall]) -> int:
    """Return how many different things are looked up by calls that could be run."""
    return len({" ".join(str((one.arguments or {})["query"]).split()).casefold() for one in calls})
