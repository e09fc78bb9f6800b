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


def escaped(text: str, characters: str) -> str:
    """Write characters of JSON's strings as \\uXXXX."""
    return text.translate({ord(each): f"\\u{ord(each):04x}" for each in characters})


def framed(events: list[Event], habit: Habit, escapes: str = "") -> list[bytes]:
    """Return the bytes of each event, or each byte."""
    end = "\r\n" if Habit.CRLF in habit else "\n"
    comment = f": keep-alive{end}{end}" if Habit.COMMENTS in habit else ""
    written = [
        comment + "".join(line + end for line in [*_lines(event, habit, escapes), ""])
        for event in events
    ]
    if Habit.BYTE_BY_BYTE in habit:
        return [bytes([byte]) for byte in "".join(written).encode()]
    return [text.encode() for text in written]


def _lines(event: Event, habit: Habit, escapes: str) -> list[str]:
    space = "" if Habit.NO_SPACE in habit else " "
    name = [] if event.name is None else [f"event:{space}{event.name}"]
    if isinstance(event.data, str):
        data = [event.data]
    elif Habit.SEVERAL_DATA_LINES in habit:
        written = json.dumps(event.data, ensure_ascii=False, indent=1)
        data = escaped(written, escapes).split("\n")
    else:
        data = [escaped(dumped(event.data), escapes)]
    return [*name, *(f"data:{space}{line}" for line in data)]
