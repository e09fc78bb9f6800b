"""How does a request look on the wire? Each message is encoded once; the body is joined of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from widedeep.messages import Assistant, Message, Results, System, ToolCall, ToolSpec, User
from widedeep.models.compat.draft import Draft
from widedeep.models.compat.ids import ids, own_part
from widedeep.models.compat.loose import listed, mapping
from widedeep.models.compat.server import Server
from widedeep.models.kept import Kept
from widedeep.seams import Delta, Request

encode = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":")).encode

_ODD = re.compile(r"[^a-zA-Z0-9_-]")


class Tools:
    """Requests whose calls are tool calls; what was encoded is kept with its object.

    Args:
        returns: fields of a reply that are sent back unchanged.
        model: what the model is called: what another has sent is not sent back to it.
    """

    def __init__(self, returns: Collection[str], model: str = "") -> None:
        self._returns = frozenset(returns)
        self._model = model
        self._messages: Kept[bytes] = Kept()
        self._tools: Kept[bytes] = Kept()

    def fields(self, request: Request, server: Server) -> Iterator[bytes]:
        """Give the pieces that say what the tools are, which may be called, and the history.

        The body is joined of them once: copied at each step it would cost more than all else.
        """
        history, tail = request.history, request.tail
        if server.alternates:
            history, tail = alternating(history, tail), None
        yield b'"%b":%d' % (server.limit_field.encode(), request.max_output)
        if request.tools and (request.choice == "auto" or server.choice_none):
            yield b',"tools":' + self.tools(request.tools)
            yield b',"tool_choice":"%b"' % request.choice.encode()
            if request.choice == "auto" and server.parallel_switch:
                several = b"false" if request.width.cap == 1 else b"true"
                yield b',"parallel_tool_calls":' + several
        yield b',"messages":['
        yield from self.messages(history, tail)
        yield b"]"

    def draft(self, request: Request, server: Server, on: Callable[[Delta], None]) -> Draft:
        """Return what puts a reply together."""
        return Draft(request, server, on, self._model)

    def messages(self, history: Sequence[Message], tail: str | None) -> Iterator[bytes]:
        """Give the messages of the history and its tail, with the commas between them."""
        before: Message | None = None
        for message in history:
            if before is not None:
                yield b","
            yield self._message(message, before)
            before = message
        if tail:
            yield b"," if before is not None else b""
            yield self._wire(User(tail), None)

    def tools(self, specs: Iterable[ToolSpec]) -> bytes:
        """Return the JSON array of the tools."""
        return b"[%b]" % b",".join(self._tools.get(spec, _tool) for spec in specs)

    def _message(self, message: Message, before: Message | None) -> bytes:
        return self._messages.get(message, lambda _: self._wire(message, before))

    def _wire(self, message: Message, before: Message | None) -> bytes:
        match message:
            case System(text) | User(text):
                body = encode({"role": message.role, "content": text})
            case Assistant():
                body = encode(_assistant(message, self._returns, self._model))
            case Results(results):
                named = ids(before, self._model) if isinstance(before, Assistant) else []
                body = ",".join(
                    encode({"role": "tool", "tool_call_id": name, "content": result.text})
                    for name, result in zip(named, results, strict=True)
                )
        return body.encode(errors="replace")


def alternating(history: Sequence[Message], tail: str | None) -> list[Message]:
    """Return the messages with what the user says, and the tail, in the message before it.

    A chat template that wants the turns to alternate takes no word of the user after results.
    """
    joined: list[Message] = []
    for message in (*history, *([User(tail)] if tail else ())):
        last = joined[-1] if joined else None
        if isinstance(message, User) and isinstance(last, User):
            joined[-1] = User(f"{last.text}\n\n{message.text}")
        elif isinstance(message, User) and isinstance(last, Results):
            joined[-1] = _with(last, message.text)
        else:
            joined.append(message)
    return joined


def _with(results: Results, text: str) -> Results:
    """Return results with more said at the end of the last."""
    *before, last = results.results
    return Results((*before, replace(last, text=f"{last.text}\n\n{text}")))


def _assistant(message: Assistant, returns: Collection[str], model: str) -> dict[str, Any]:
    body: dict[str, Any] = {"role": "assistant", "content": message.text}
    kept = own_part(message, model)
    if message.calls:
        extras = listed(kept.get("extras")) or [{}] * len(message.calls)
        body["tool_calls"] = [
            {
                "id": name,
                "type": "function",
                "function": {"name": _name(call.tool), "arguments": _arguments(call)},
                **mapping(extra),
            }
            for name, call, extra in zip(ids(message, model), message.calls, extras, strict=True)
        ]
    back = mapping(kept.get("returns"))
    body.update({name: value for name, value in back.items() if name in returns})
    return body


def _name(tool: str) -> str:
    """Return a tool's name as servers take it; a model may have made one up."""
    return _ODD.sub("_", tool)[:64] or "_"


def _arguments(call: ToolCall) -> str:
    """Return arguments as JSON text; what was none is shown to the model inside of some."""
    return encode({"not_json": call.raw} if call.arguments is None else dict(call.arguments))


def _tool(spec: ToolSpec) -> bytes:
    function = {
        "name": spec.name,
        "description": spec.description,
        "parameters": dict(spec.schema),
    }
    return encode({"type": "function", "function": function}).encode(errors="replace")
