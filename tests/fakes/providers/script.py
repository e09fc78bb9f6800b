"""What does a fake provider say, in which habit, and what goes wrong?"""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Flag, auto
from typing import Any, Literal

Json = Mapping[str, Any]


class Habit(Flag):
    """How a server writes its replies; habits add up (`INDEX_ZERO | CRLF`)."""

    NORMAL = 0

    # Any dialect: how the stream is framed.
    COMMENTS = auto()  # `: keep-alive` between events
    CRLF = auto()  # lines end in CR LF
    NO_SPACE = auto()  # `data:{...}`
    SEVERAL_DATA_LINES = auto()  # one event's JSON over several `data:` lines
    BYTE_BY_BYTE = auto()  # each byte is a chunk of its own
    UNTIL_CLOSE = auto()  # no chunked framing: the body ends where the connection does
    STREAM_IGNORED = auto()  # `stream: true` is answered with one JSON object
    ERROR_MIDWAY = auto()  # the stream ends in an error of the dialect, half way
    USAGE_ABSENT = auto()

    # Chat Completions: how calls are streamed.
    INDEX_ZERO = auto()  # all calls at index 0, with different ids (Ollama)
    INDEX_MISSING = auto()
    INTERLEAVED = auto()  # start 0, start 1, arguments 0, arguments 1
    WHOLE = auto()  # each call in one delta
    ONE_DELTA = auto()  # all calls whole in one delta
    NAMES_IN_PIECES = auto()
    NAMES_REPEATED = auto()  # in each delta of the call
    IDS_ABSENT = auto()  # also Gemini
    IDS_REPEATED = auto()  # in each delta of the call
    IDS_EQUAL = auto()  # every call of the reply has the same id
    CONCATENATED = auto()  # `{..}{..}`: all calls in the arguments of the first
    CALLS_IN_TEXT = auto()  # `<tool_call>{...}</tool_call>`
    ARGUMENTS_OBJECT = auto()  # arguments are no string but an object
    SAYS_STOP = auto()  # finish_reason stop although there are calls
    SAYS_TOOL_CALLS = auto()  # finish_reason tool_calls although there are none
    USAGE_IN_EVERY_CHUNK = auto()
    USAGE_WITH_FINISH = auto()  # in the chunk of the finish_reason, none with empty choices
    DONE_MISSING = auto()
    # Chat Completions: where reasoning stands (`reasoning_content` otherwise).
    REASONING = auto()
    REASONING_DETAILS = auto()
    THINK_TAGS = auto()  # leaked into the text

    # Responses.
    ITEM_DONE_MISSING = auto()  # no output_item.done

    # Anthropic Messages.
    PINGS = auto()  # between any two events
    EAGER = auto()  # arguments unbuffered, in pieces of a few characters
    REDACTED = auto()  # thinking as redacted_thinking


FRAMING = (
    Habit.COMMENTS
    | Habit.CRLF
    | Habit.NO_SPACE
    | Habit.SEVERAL_DATA_LINES
    | Habit.BYTE_BY_BYTE
    | Habit.UNTIL_CLOSE
    | Habit.STREAM_IGNORED
    | Habit.ERROR_MIDWAY
    | Habit.USAGE_ABSENT
)


@dataclass(frozen=True, slots=True)
class Used:
    """Tokens as widedeep counts them: `input` includes `cached` and `cache_write`."""

    input: int
    output: int
    cached: int = 0
    cache_write: int = 0
    reasoning: int = 0


class Gate:
    """Holds a stream: the server sends an event only when it is let through.

    `sent`: events so far; `left`: set when the client goes while the stream is held.
    """

    def __init__(self) -> None:
        self.sent = 0
        self.left = asyncio.Event()
        self._allowed = 0
        self._open = False
        self._moved = asyncio.Condition()

    async def let(self, events: int = 1) -> None:
        """Let more events through."""
        async with self._moved:
            self._allowed += events
            self._moved.notify_all()

    async def open(self) -> None:
        """Let everything through."""
        async with self._moved:
            self._open = True
            self._moved.notify_all()

    async def reached(self, events: int) -> None:
        """Wait until so many events were sent."""
        async with self._moved:
            await self._moved.wait_for(lambda: self.sent >= events)

    async def passing(self) -> None:
        """Wait, as the server, until another event may go."""
        async with self._moved:
            await self._moved.wait_for(lambda: self._open or self.sent < self._allowed)

    async def passed(self) -> None:
        async with self._moved:
            self.sent += 1
            self._moved.notify_all()


@dataclass(frozen=True, slots=True)
class Said:
    """A reply of the model.

    `calls`: (tool, arguments), the arguments as an object or as the very text. `used`: None =
    measured: a token is four bytes, and cached is what an earlier request began with. `cut`: the
    connection closes after so many bytes of the body.
    """

    text: str = ""
    calls: Sequence[tuple[str, Json | str]] = ()
    reasoning: str = ""
    used: Used | None = None
    stop: Literal["end", "length", "filter"] = "end"
    habit: Habit | None = None
    cut: int | None = None
    gate: Gate | None = None
    content_type: str | None = None


@dataclass(frozen=True, slots=True)
class Failed:
    """An error of the provider in its own JSON shape: 429, 500, 503, 529.

    `retry_after`: seconds, an HTTP date, or whatever odd servers send.
    """

    status: int
    message: str = "The fake provider was told to fail."
    retry_after: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Raw:
    """A response as something that is not the provider would send it."""

    status: int
    body: bytes
    content_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class Dropped:
    """The connection closes before any byte."""


Answer = Said | Failed | Raw | Dropped


def page(status: int = 502) -> Raw:
    """Return the HTML error page of a proxy."""
    title = f"{status} Bad Gateway"
    html = f"<html><head><title>{title}</title></head><body><h1>{title}</h1></body></html>"
    return Raw(status, html.encode(), "text/html; charset=utf-8")


def huge(size: int, status: int = 200) -> Raw:
    """Return a body of so many bytes that says nothing."""
    return Raw(status, b'{"x": "' + b"x" * (size - 9) + b'"}')


@dataclass(slots=True)
class Asked:
    """A request as the server got it, and what became of it.

    `error`: why it was refused, in the provider's words. `left`: the client closed the connection
    before the reply had ended.
    """

    number: int
    method: str
    path: str
    headers: Mapping[str, str]
    raw: bytes
    query: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    status: int | None = None
    error: str | None = None
    peer: Any = None
    left: bool = False


Script = Iterable[Answer] | Callable[[Asked], Answer]


def written(arguments: Json | str) -> str:
    """Return arguments as the model's text."""
    return arguments if isinstance(arguments, str) else dumped(arguments)


def dumped(value: Any) -> str:
    """Return JSON as servers write it: compact, not escaped to ASCII."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def pieces(text: str, count: int = 2) -> list[str]:
    """Cut a text into about `count` pieces, none of them empty."""
    size = max(1, -(-len(text) // count))
    return [text[start : start + size] for start in range(0, len(text), size)]
