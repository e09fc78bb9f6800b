"""What of a run's history goes over the wire, each message mapped and encoded once?

An SDK and the layer on it walk through the whole history at each request, and encode all of it.
Here pydantic-ai maps only what is new; the SDK is given `MARK` in the place of the list; and the
HTTP client puts the list, whose items are kept as bytes, where the mark stands.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, cast

import httpx2
from pydantic_ai import messages as ai

from widedeep.errors import ModelError
from widedeep.messages import Message, System
from widedeep.models.certificates import tls
from widedeep.models.others.history import Conversation, request

Item = Mapping[str, Any]
"""A member of the list that a request's history is on the wire."""

MARK = "@@history-of-the-run@@"
_MARKED = json.dumps([MARK]).encode()

READ, CONNECT = 300.0, 10.0
"""Seconds: between two pieces of a reply, and to be connected."""

CACHED = {"cache_control": {"type": "ephemeral"}}
"""What tells Anthropic that the cache may end behind a block."""


MADE_UP = "pyd_ai_"
"""How the ids begin that pydantic-ai gives to calls without one; Gemini does not know them."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a provider spells the list.

    `spell`: an item as JSON. `tail`: the items that carry the tail, given the last durable item.
    `mark`: an item behind which the cache may end. `systems`: system messages are items.
    `by_reply`: ids of calls need to differ only within a reply. `words`: a text must have words.
    """

    spell: Callable[[Item], Item]
    tail: Callable[[Item, str | None], Sequence[Item]]
    mark: Callable[[Item], Item] | None = None
    systems: bool = False
    by_reply: bool = False
    words: bool = False


class Wire:
    """The history of one run on the wire."""

    def __init__(self, stamp: str, dialect: Dialect) -> None:
        by_reply, words = dialect.by_reply, dialect.words
        self._conversation = Conversation(stamp, by_reply=by_reply, words=words)
        self._dialect = dialect
        self._pending: list[ai.ModelMessage] = []
        self._opened = 0
        self._done: list[bytes] = []
        self._ends: list[tuple[int, Item]] = []
        self._tail: str | None = None

    def messages(self, history: Sequence[Message], tail: str | None) -> list[ai.ModelMessage]:
        """Return what pydantic-ai is to map for the request whose history this is.

        What is new; before it stands an opening, as a conversation must begin with the user.
        """
        fresh, again = self._conversation.fresh(history)
        if again:
            self._pending, self._done, self._ends = [], [], []
        self._pending += fresh
        self._tail = tail
        self._opened = 0
        if not self._done:
            return list(self._pending)
        systems = [m for m in history if isinstance(m, System)]
        self._opened = 1 + (len(systems) if self._dialect.systems else 0)
        opening = [ai.SystemPromptPart(message.text) for message in systems]
        return [request([*opening, ai.UserPromptPart("-")]), *self._pending]

    def take(self, items: Sequence[Item]) -> None:
        """Keep what the messages were mapped to."""
        fresh = [self._dialect.spell(item) for item in items[self._opened :]]
        if fresh:
            self._done += map(_encoded, fresh)
            self._ends = [*self._ends[-1:], (len(self._done) - 1, fresh[-1])]
            self._pending = []

    def array(self) -> bytes:
        """Return the list with the tail at its end.

        The cache may end at the last durable block, and at that of the turn before: a wide turn may
        have put it out of the cache's sight.
        """
        items = list(self._done)
        mark = self._dialect.mark
        if mark is not None:
            for index, item in self._ends:
                items[index] = _encoded(mark(item))
        if self._ends:
            last = mark(self._ends[-1][1]) if mark is not None else self._ends[-1][1]
            items[-1:] = map(_encoded, self._dialect.tail(last, self._tail))
        return b"[" + b",".join(items) + b"]"


SENDING: ContextVar[Wire | None] = ContextVar("SENDING", default=None)
"""What the request that is being sent in this task carries."""


class Client(httpx2.AsyncClient):
    """An HTTP client that puts a run's history where the mark stands."""

    def __init__(self, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        timeout = httpx2.Timeout(READ, connect=CONNECT)
        super().__init__(timeout=timeout, transport=transport, verify=tls())

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send a request."""
        wire = SENDING.get()
        if wire is not None and request.method == "POST":
            headers = [(k, v) for k, v in request.headers.raw if k.lower() != b"content-length"]
            request = httpx2.Request(
                request.method,
                request.url,
                headers=headers,
                content=request.read().replace(_MARKED, wire.array(), 1),
                extensions=request.extensions,
            )
        return await super().send(request, **options)


def taken(items: list[Any]) -> list[Any]:
    """Take the mapped history of the request that is being sent, and return what stands for it."""
    wire = SENDING.get()
    if wire is None:
        return items
    wire.take(cast("list[Item]", items))
    return [MARK]


def _encoded(item: Item) -> bytes:
    text = json.dumps(item, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="replace")


def _same(item: Item) -> Item:
    return item


def _as_item(item: Item, tail: str | None) -> Sequence[Item]:
    return [item, {"role": "user", "content": tail}] if tail else [item]


def _as_block(item: Item, tail: str | None) -> Sequence[Item]:
    if not tail:
        return [item]
    return [{**item, "content": [*item["content"], {"type": "text", "text": tail}]}]


def _as_content(item: Item, tail: str | None) -> Sequence[Item]:
    return [item, {"role": "user", "parts": [{"text": tail}]}] if tail else [item]


def _breakpoint(item: Item) -> Item:
    *blocks, last = item["content"]
    return {**item, "content": [*blocks, {**last, **CACHED}]}


def _content(content: Item) -> Item:
    return {"role": content["role"], "parts": [_part(part) for part in content["parts"]]}


def _part(part: Item) -> Item:
    """Return a part of a Gemini content in the wire's spelling.

    Raises:
        ModelError: it is of a kind that a run's history cannot hold.
    """
    wire: dict[str, Any] = {}
    for name, value in part.items():
        if name in {"text", "thought"}:
            wire[name] = value
        elif name in {"function_call", "function_response"}:
            known = {k: v for k, v in value.items() if k != "id" or not v.startswith(MADE_UP)}
            wire["functionCall" if name == "function_call" else "functionResponse"] = known
        elif name == "thought_signature":
            wire["thoughtSignature"] = base64.b64encode(value).decode()
        elif name == "inline_data":
            data = base64.b64encode(value["data"]).decode()
            wire["inlineData"] = {"data": data, "mimeType": value["mime_type"]}
        else:
            raise ModelError(f"the model's reply holds {name!r}, which cannot be sent back")
    return wire


DIALECTS: Mapping[str, Dialect] = {
    "openai": Dialect(_same, _as_item, systems=True),
    "anthropic": Dialect(_same, _as_block, _breakpoint, words=True),
    "google": Dialect(_content, _as_content, by_reply=True),
}
"""The providers whose wire is known here; the others are left to their SDKs."""
