"""How do the pieces of a stream become whole calls, whatever habits the server has?

A call is known by its `index` where servers keep to that. Some give every call the index 0, or
none, or repeat ids, or name a call in pieces; some send arguments as an object. Joining pieces that
are all there is assembly. No byte is added, dropped or changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from widedeep.messages import ToolCall
from widedeep.models.compat.loose import decoder, mapping, text


@dataclass(slots=True)
class _Part:
    """One call as far as it has come."""

    id: str | None
    name: str
    pieces: list[str] = field(default_factory=list[str])
    extra: dict[str, Any] = field(default_factory=dict[str, Any])
    tried: int = -1
    found: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    @property
    def raw(self) -> str:
        return "".join(self.pieces)

    def objects(self) -> list[dict[str, Any]]:
        """Return the JSON objects that its arguments are so far; empty when one is not whole."""
        if self.tried != len(self.pieces):
            self.tried = len(self.pieces)
            written = self.raw.strip()
            self.found = _objects(written) if written.endswith("}") else []
        return self.found


class Calls:
    """The calls of one reply, in the order in which they began.

    Args:
        tools: the names of the tools that were offered.
    """

    def __init__(self, tools: Iterable[str] = ()) -> None:
        self._tools = frozenset(tools)
        self._parts: list[_Part] = []
        self._at: dict[int, _Part] = {}
        self._ready = 0

    def __bool__(self) -> bool:
        return bool(self._parts)

    def feed(self, piece: Mapping[str, Any]) -> None:
        """Take one entry of `delta.tool_calls`."""
        function = mapping(piece.get("function"))
        index = piece.get("index")
        name, arguments = text(function.get("name")), function.get("arguments")
        part = self._at.get(index) if isinstance(index, int) else self._last()
        if part is None or self._begins(part, text(piece.get("id")), name, arguments):
            part = _Part(text(piece.get("id")) or None, name)
            self._parts.append(part)
        elif name and not part.pieces and name != part.name:
            part.name += name
        if isinstance(index, int):
            self._at[index] = part
        part.id = part.id or text(piece.get("id")) or None
        if isinstance(arguments, Mapping):
            part.pieces.append(json.dumps(arguments, ensure_ascii=False))
        elif isinstance(arguments, str) and arguments:
            part.pieces.append(arguments)
        if "extra_content" in piece:
            part.extra["extra_content"] = piece["extra_content"]

    def ready(self) -> list[tuple[int, ToolCall]]:
        """Return the calls whose end has just been shown: another has begun after them.

        In order: where a call stands is only sure when those before it are whole.
        """
        found: list[tuple[int, ToolCall]] = []
        for part in self._parts[self._ready : -1]:
            objects = part.objects()
            if len(objects) != 1:
                break
            found.append((self._ready, ToolCall(part.name, objects[0], provider_id=part.id)))
            self._ready += 1
        return found

    def finish(self) -> tuple[tuple[ToolCall, ...], list[dict[str, Any]]]:
        """Return the calls, and for each what must be sent back with it."""
        calls: list[ToolCall] = []
        extras: list[dict[str, Any]] = []
        for part in self._parts:
            made = list(_calls_of(part))
            calls += made
            extras += [part.extra] * len(made)
        return tuple(calls), extras

    def _last(self) -> _Part | None:
        return self._parts[-1] if self._parts else None

    def _begins(self, part: _Part, id: str, name: str, arguments: object) -> bool:
        """Say whether a piece begins another call than `part`, which was under way at its index."""
        if id and part.id and id != part.id:
            return True
        if not name:
            return False
        if part.objects():
            brings = arguments.strip() if isinstance(arguments, str) else arguments
            return bool(brings) or name != part.name
        return not part.pieces and name != part.name and {name, part.name} <= self._tools


def _calls_of(part: _Part) -> Iterable[ToolCall]:
    """Return the call that a part is; arguments that are several objects are several calls."""
    nothing: list[dict[str, Any]] = [{}]
    objects = part.objects() if part.raw.strip() else nothing
    if not objects:
        return [ToolCall(part.name, None, raw=part.raw, provider_id=part.id)]
    return [ToolCall(part.name, one, provider_id=part.id) for one in objects]


def _objects(written: str) -> list[dict[str, Any]]:
    """Return the JSON objects that a text is made of and nothing else; empty when it is not."""
    found: list[dict[str, Any]] = []
    at = 0
    while at < len(written):
        try:
            value, at = decoder.raw_decode(written, at)
        except (ValueError, RecursionError):
            return []
        if not isinstance(value, dict):
            return []
        found.append(cast("dict[str, Any]", value))
        while at < len(written) and written[at].isspace():
            at += 1
    return found
