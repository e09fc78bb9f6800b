"""How does a model keep any width that cannot call tools? It can write nothing else.

The server holds each reply to a JSON Schema: calls, as many as the width has, or an answer. A call
is ready when its entry in the array is closed. In the history the reply is the very text that was
written, and the results of a batch are one message of the user.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

from widedeep.messages import Assistant, Message, Reply, Results, System, ToolCall, ToolSpec, User
from widedeep.models.compat.draft import Draft
from widedeep.models.compat.loose import decoder, listed, mapping
from widedeep.models.compat.server import Server
from widedeep.models.compat.shape import longest, reply_shape
from widedeep.models.kept import Kept
from widedeep.prompts import fill
from widedeep.seams import CallReady, Delta, Request, Text

_ANSWER = re.compile(r'"answer"\s*:\s*"((?:[^"\\]|\\.)*)')

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Schema:
    """Requests whose reply is one JSON object of a given shape."""

    def __init__(self) -> None:
        self._texts: Kept[bytes] = Kept()

    def fields(self, request: Request, server: Server) -> Iterator[bytes]:
        """Give the pieces that say which form the reply has, and the history."""
        shape = reply_shape(request)
        named = {"name": "reply", "strict": True, "schema": shape}
        form = _encode({"type": "json_schema", "json_schema": named}).encode(errors="replace")
        limit = min(request.max_output, longest(shape))
        yield b'"%b":%d,"response_format":%b' % (server.limit_field.encode(), limit, form)
        yield b',"messages":[%b]' % b",".join(self._messages(request))

    def draft(self, request: Request, server: Server, on: Callable[[Delta], None]) -> Writing:
        """Return what puts a reply together."""
        return Writing(request, server, on)

    def _messages(self, request: Request) -> Iterator[bytes]:
        """Give the messages; what the user says in a row is one."""
        tail = [User(request.tail)] if request.tail else []
        role, texts = "", list[bytes]()
        for message in (*request.history, *tail):
            speaks = "user" if isinstance(message, Results) else message.role
            if speaks != role or role != "user":
                if texts:
                    yield _said(role, texts)
                role, texts = speaks, []
            texts.append(self._texts.get(message, partial(_inner, tools=request.tools)))
        if texts:
            yield _said(role, texts)


class Writing:
    """A reply that is one JSON object, as it is being written."""

    def __init__(self, request: Request, server: Server, on: Callable[[Delta], None]) -> None:
        self._draft = Draft(replace(request, tools=()), server, self._heard, "")
        self._on = on
        self._entries = Entries()
        self._closed: list[ToolCall] = []

    @property
    def whole(self) -> bool:
        """Whether the server has shown the reply's end."""
        return self._draft.whole

    def chunk(self, chunk: Any) -> None:
        """Take one chunk of a stream, or a reply that came in one piece."""
        self._draft.chunk(chunk)

    def reply(self) -> Reply:
        """Return the whole reply: its calls, or its answer, or whatever else was written."""
        made = self._draft.reply()
        written = _object(made.text)
        kept = {"text": made.text}
        reasoning = str(written.get("reasoning") or "") or made.reasoning
        made = replace(made, reasoning=reasoning, provider=kept)
        calls = tuple(_calls(listed(written.get("calls"))))
        if made.stop != "end" and not written:
            calls = (*self._closed, *self._entries.unclosed())
            written = {"answer": _begun(made.text)}
        if calls:
            return replace(made, text="", calls=calls)
        answer = written.get("answer")
        return replace(made, text=answer) if isinstance(answer, str) else made

    def _heard(self, delta: Delta) -> None:
        if not isinstance(delta, Text):
            self._on(delta)
            return
        for entry in self._entries.feed(delta.text):
            for call in _calls([_object(entry)]):
                self._on(CallReady(len(self._closed), call))
                self._closed.append(call)


class Entries:
    """Finds the entries of the array in an object, each when it is closed."""

    def __init__(self) -> None:
        self._entry: list[str] = []
        self._open: list[str] = []
        self._quoted = self._escaped = False

    def feed(self, text: str) -> Iterator[str]:
        """Take more of the text and give the entries that it closes."""
        for letter in text:
            if self._step(letter):
                yield "".join(self._entry)
                self._entry = []

    def unclosed(self) -> list[ToolCall]:
        """Return the call whose entry was cut off, as no call that can be made."""
        raw = "".join(self._entry)
        return [ToolCall("unknown", None, raw=raw)] if raw else []

    def _step(self, letter: str) -> bool:
        """Take a letter; say whether it closes an entry."""
        inside = self._open[:2] == ["{", "["]
        if self._quoted:
            self._quoted = self._escaped or letter != '"'
            self._escaped = letter == "\\" and not self._escaped
        elif letter == '"':
            self._quoted = True
        elif letter in "{[":
            self._open.append(letter)
        elif letter in "}]" and self._open:
            self._open.pop()
        if inside and (len(self._open) > 2 or letter == "}"):
            self._entry.append(letter)
        return inside and letter == "}" and len(self._open) == 2 and not self._quoted


def _written(message: Message, tools: Sequence[ToolSpec]) -> str:
    """Return a message as this form of talk has it."""
    match message:
        case System(text):
            listing = "\n".join(map(_tool, tools))
            return f"{text}\n\n{fill('schema', tools=listing)}" if tools else text
        case User(text):
            return text
        case Assistant():
            kept = mapping(message.provider).get("text")
            return kept if isinstance(kept, str) else _again(message)
        case Results(results):
            return "\n\n".join(
                f"Result of call {at} ({result.call.tool}):\n{result.text}"
                for at, result in enumerate(results, 1)
            )


def _again(message: Assistant) -> str:
    """Return a reply that was written in another form in this one."""
    calls = [{"tool": call.tool, "arguments": call.arguments or {}} for call in message.calls]
    said = {"reasoning": message.text, "calls": calls} if calls else {"answer": message.text}
    return _encode(said)


def _tool(spec: ToolSpec) -> str:
    taken = {
        name: {key: value for key, value in mapping(one).items() if key in {"type", "description"}}
        for name, one in mapping(spec.schema.get("properties")).items()
    }
    return f"{spec.name}: {spec.description}\n  arguments: {_encode(taken)}"


def _calls(entries: Sequence[object]) -> Iterator[ToolCall]:
    for entry in map(mapping, entries):
        if isinstance(name := entry.get("tool"), str):
            arguments = entry.get("arguments", {})
            if isinstance(arguments, Mapping):
                yield ToolCall(name, mapping(cast("object", arguments)))
            else:
                yield ToolCall(name, None, raw=_encode(arguments))


def _object(text: str) -> dict[str, Any]:
    """Return the JSON object that a text is; empty when it is none."""
    try:
        value, _ = decoder.raw_decode(text.strip())
    except (ValueError, RecursionError):
        return {}
    return dict(mapping(value))


def _begun(text: str) -> str | None:
    """Return the answer that a cut text holds as far as it goes."""
    found = _ANSWER.search(text)
    if found is None:
        return None
    try:
        return json.loads(f'"{found[1]}"', strict=False)
    except ValueError:
        return found[1]


def _inner(message: Message, tools: Sequence[ToolSpec]) -> bytes:
    """Return what a message says as it stands between the quotes of a JSON text."""
    return _encode(_written(message, tools))[1:-1].encode(errors="replace")


def _said(role: str, texts: Sequence[bytes]) -> bytes:
    return b'{"role":"%b","content":"%b"}' % (role.encode(), b"\\n\\n".join(texts))
