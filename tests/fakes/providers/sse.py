"""How do servers frame a stream of events?"""

import json
from dataclasses import dataclass
from typing import Any

from tests.fakes.providers.script import Habit, dumped


@dataclass(frozen=True, slots=True)
class Event:
    """One event: its data is JSON, or a text such as `[DONE]`."""

    data: Any
    name: str | None = None


def framed(events: list[Event], habit: Habit) -> list[bytes]:
    """Return the bytes of each event, or each byte."""
    end = "\r\n" if Habit.CRLF in habit else "\n"
    comment = f": keep-alive{end}{end}" if Habit.COMMENTS in habit else ""
    written = [
        comment + "".join(line + end for line in [*_lines(event, habit), ""]) for event in events
    ]
    if Habit.BYTE_BY_BYTE in habit:
        return [bytes([byte]) for byte in "".join(written).encode()]
    return [text.encode() for text in written]


def _lines(event: Event, habit: Habit) -> list[str]:
    space = "" if Habit.NO_SPACE in habit else " "
    name = [] if event.name is None else [f"event:{space}{event.name}"]
    if isinstance(event.data, str):
        data = [event.data]
    elif Habit.SEVERAL_DATA_LINES in habit:
        data = json.dumps(event.data, ensure_ascii=False, indent=1).split("\n")
    else:
        data = [dumped(event.data)]
    return [*name, *(f"data:{space}{line}" for line in data)]
