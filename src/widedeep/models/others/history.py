"""How does a run's history read as pydantic-ai's messages?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, cast

from pydantic_ai import messages as ai

from widedeep.messages import Assistant, Message, Outcome, Results, System, ToolCall, User
from widedeep.models.others.replies import rebuilt

NO_TEXT = "(empty)"
"""What stands for a text without words, which some providers refuse."""

FAILED = frozenset(
    {Outcome.ERROR, Outcome.TIMEOUT, Outcome.REFUSED, Outcome.CANCELLED, Outcome.INTERRUPTED}
)
"""Outcomes that a provider is told of as a failure."""


class Conversation:
    """The messages of one run, each converted once.

    Its histories have one first message, which is not kept: the run is known by it while it lives.

    Args:
        stamp: the model's name; only what it said itself is given back to it with its signatures.
        by_reply: ids of calls need to differ only within a reply, and may be signed.
        words: a text of a reply must have words, and is left out otherwise.
    """

    def __init__(self, stamp: str, *, by_reply: bool = False, words: bool = True) -> None:
        self._stamp = stamp
        self._words = words
        self._by_reply = by_reply
        self._read = 0
        self._known: list[Message] = []
        self._ids: set[str] = set()

    def fresh(self, history: Sequence[Message]) -> tuple[list[ai.ModelMessage], bool]:
        """Return what the history has that it did not have before, and whether that is all of it.

        A history that does not begin as it did, that is shorter, or that says more where a request
        ended, is read anew. What follows a reply up to the next one is one request.
        """
        known = self._read
        grown = all(isinstance(message, Assistant) for message in history[known : known + 1])
        again = not known or not grown or list(history[1:known]) != self._known
        if again:
            self._known, self._ids, known = [], set(), 0
        messages: list[ai.ModelMessage] = []
        parts: list[ai.ModelRequestPart] = []
        ids: tuple[str, ...] = ()
        for message in history[known:]:
            if isinstance(message, Assistant):
                if parts:
                    messages.append(request(parts))
                parts = []
                messages.append(response := self._response(message))
                ids = tuple(call.tool_call_id for call in response.tool_calls)
            else:
                parts.extend(_parts(message, ids))
        if parts:
            messages.append(request(parts))
        self._known += history[max(1, known) :]
        self._read = len(history)
        return messages, again

    def _response(self, message: Assistant) -> ai.ModelResponse:
        """Return a reply as the model gave it, or by text and calls when another one gave it."""
        response = rebuilt(message, self._stamp)
        if self._by_reply:
            self._ids = set()
        parts: list[ai.ModelResponsePart] = []
        calls = iter(message.calls)
        for part in response.parts:
            if isinstance(part, ai.ToolCallPart):
                call = next(calls)
                parts.append(_call(part, call, self._unique(part.tool_call_id, call.id)))
            elif not (self._words and _blank(part)):
                parts.append(part)
        response.parts = parts
        return response

    def _unique(self, id: str, ours: str) -> str:
        """Return the provider's id of a call, or one of ours when it has been there before."""
        if id in self._ids:
            number = len(self._ids)
            id = f"call_{ours.replace('.', '_') or number}"
            while id in self._ids:
                id = f"call_{number}"
                number += 1
        self._ids.add(id)
        return id


class Plain:
    """A run's history for an SDK that is left to send it whole.

    `cached`: the provider wants to be told where the cache may end. It may at the last durable
    block, and at that of the turn before, which a wide turn may have put out of the cache's sight.
    """

    def __init__(self, stamp: str, *, cached: bool) -> None:
        self._conversation = Conversation(stamp)
        self._cached = cached
        self._all: list[ai.ModelMessage] = []

    def messages(self, history: Sequence[Message], tail: str | None) -> list[ai.ModelMessage]:
        """Return the history with the tail at its end."""
        fresh, again = self._conversation.fresh(history)
        self._all = fresh if again else [*self._all, *fresh]
        messages = list(self._all)
        if self._cached and len(messages) > 2:
            messages[-3] = _with(messages[-3], [ai.CachePoint()])
        if self._cached:
            messages[-1] = _with(messages[-1], [ai.CachePoint(), *([tail] if tail else [])])
        elif tail:
            messages[-1] = _with(messages[-1], tail)
        return messages


def _with(message: ai.ModelMessage, content: str | list[ai.UserContent]) -> ai.ModelRequest:
    """Return a request that says more at its end; every other message of a history is a request."""
    return request([*cast("ai.ModelRequest", message).parts, ai.UserPromptPart(content)])


def request(parts: Sequence[ai.ModelRequestPart]) -> ai.ModelRequest:
    """Return parts as one request."""
    return ai.ModelRequest(parts=parts)


def _parts(message: Message, ids: Sequence[str]) -> Iterator[ai.ModelRequestPart]:
    """Convert what is no reply; results answer the calls of the reply before them, in order."""
    if isinstance(message, System):
        yield ai.SystemPromptPart(message.text)
    elif isinstance(message, User):
        yield ai.UserPromptPart((message.text.strip() and message.text) or NO_TEXT)
    elif isinstance(message, Results):
        for result, id in zip(message.results, ids, strict=True):
            outcome: Literal["failed", "success"]
            outcome = "failed" if result.outcome in FAILED else "success"
            text = (result.text.strip() and result.text) or NO_TEXT
            yield ai.ToolReturnPart(result.call.tool, text, id, outcome=outcome)


def _blank(part: ai.ModelResponsePart) -> bool:
    return isinstance(part, ai.TextPart) and not part.content.strip() and not part.provider_details


def _call(part: ai.ToolCallPart, call: ToolCall, id: str) -> ai.ToolCallPart:
    """Return a call with its id, and with arguments that every provider can read again."""
    if call.arguments is None:
        part = replace(part, args={ai.INVALID_JSON_KEY: call.raw or ""})
    return part if part.tool_call_id == id else replace(part, tool_call_id=id)
