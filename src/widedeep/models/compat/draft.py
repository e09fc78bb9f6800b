"""What has come of a reply so far, and what is it when it is whole?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from widedeep.messages import Reply, ToolCall, Usage
from widedeep.models.compat.calls import Calls
from widedeep.models.compat.ids import own_id
from widedeep.models.compat.intext import calls_in
from widedeep.models.compat.loose import count, listed, mapping
from widedeep.models.compat.server import Server
from widedeep.models.thinking import Thinking, part
from widedeep.seams import CallReady, Delta, Reasoning, Request, Text

_REASONING = ("reasoning_content", "reasoning")


class Draft:
    """A reply of Chat Completions that is being put together from its chunks.

    Args:
        request: what was asked.
        server: who was asked.
        on: who is told of what comes.
        model: what the model is called.
    """

    def __init__(
        self, request: Request, server: Server, on: Callable[[Delta], None], model: str
    ) -> None:
        self._request = request
        self._server = server
        self._on = on
        self._model = model
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._returns: dict[str, Any] = {}
        self._thinking = Thinking()
        self._calls = Calls(spec.name for spec in request.tools)
        self._usage = Usage()
        self._finish: str | None = None
        self._done = False

    @property
    def whole(self) -> bool:
        """Whether the server has shown the reply's end."""
        return self._done or self._finish is not None

    def chunk(self, chunk: Mapping[str, Any]) -> None:
        """Take one chunk of a stream, or a reply that came in one piece."""
        self._done = self._done or "done" in chunk
        if usage := mapping(chunk.get("usage")):
            self._usage = usage_of(usage)
        choice = mapping(next(iter(listed(chunk.get("choices"))), None))
        self._take(mapping(choice.get("delta") or choice.get("message")))
        if isinstance(finish := choice.get("finish_reason"), str) and finish:
            self._finish = finish

    def _take(self, delta: Mapping[str, Any]) -> None:
        reasoning = next((text for name in _REASONING if (text := delta.get(name))), None)
        text, thought = _content(delta.get("content") or delta.get("refusal"))
        if isinstance(reasoning, str):
            thought = reasoning + thought
        self._hear([Reasoning(thought)] if thought else [])
        self._hear(self._thinking.feed(text))
        for name in self._server.returns:
            if (value := delta.get(name)) is not None:
                self._returns[name] = _joined(self._returns.get(name), value)
        for piece in listed(delta.get("tool_calls")):
            self._calls.feed(mapping(piece))
            for position, call in self._calls.ready():
                self._on(CallReady(position, call))

    def _hear(self, deltas: Iterable[Text | Reasoning]) -> None:
        for delta in deltas:
            (self._text if isinstance(delta, Text) else self._reasoning).append(delta.text)
            self._on(delta)

    def reply(self) -> Reply:
        """Return the whole reply."""
        self._hear(self._thinking.end())
        calls, extras = self._calls.finish()
        text, thought = part("".join(self._text))
        reasoning = "".join((*self._reasoning, thought or ""))
        if not calls and self._server.calls_in_text and self._request.choice == "auto":
            text, calls = calls_in(text, {spec.name for spec in self._request.tools})
            extras = [dict[str, Any]() for _ in calls]
        return Reply(
            text=text,
            calls=calls,
            stop=self._stop(),
            reasoning=reasoning or None,
            usage=self._usage,
            provider=self._provider(calls, extras),
        )

    def _stop(self) -> Literal["end", "length", "cut"]:
        if self._finish == "length":
            return "length"
        return "cut" if self._finish == "content_filter" else "end"

    def _provider(
        self, calls: tuple[ToolCall, ...], extras: list[dict[str, Any]]
    ) -> dict[str, Any] | None:
        """Return what must go back unchanged: ids of calls, their extras, reasoning."""
        kept: dict[str, Any] = {}
        if calls:
            kept["ids"] = self._ids(calls)
        if any(extras):
            kept["extras"] = extras
        if self._returns:
            kept["returns"] = self._returns
        return {"of": self._model, **kept} if kept else None

    def _ids(self, calls: tuple[ToolCall, ...]) -> list[str]:
        """Return the ids of the calls: the server's where they name one call each, else ours."""
        used = {
            id
            for message in self._request.history
            if message.role == "assistant"
            for id in listed(mapping(message.provider).get("ids"))
        }
        found: list[str] = []
        for at, call in enumerate(calls):
            name = call.provider_id
            if not name or name in used:
                name = own_id(f"{self._request.turn}.{at + 1}")
            used.add(name)
            found.append(name)
        return found


def usage_of(usage: Mapping[str, Any]) -> Usage:
    """Return the tokens of a request as the server counts them."""
    read = mapping(usage.get("prompt_tokens_details"))
    written = mapping(usage.get("completion_tokens_details"))
    cached = count(read.get("cached_tokens"))
    return Usage(
        input=count(usage.get("prompt_tokens")),
        cached=count(usage.get("prompt_cache_hit_tokens")) if cached is None else cached,
        cache_write=count(read.get("cache_write_tokens")),
        output=count(usage.get("completion_tokens")),
        reasoning=count(written.get("reasoning_tokens")),
    )


def _content(content: object) -> tuple[str, str]:
    """Return the text and the reasoning of a content: a text, or parts of both kinds."""
    if isinstance(content, str):
        return content, ""
    text, thought = "", ""
    for one in map(mapping, listed(content)):
        if one.get("type") == "thinking":
            inner = one.get("thinking")
            thought += inner if isinstance(inner, str) else _content(inner)[0]
        elif isinstance(words := one.get("text"), str):
            text += words
    return text, thought


def _joined(kept: Any, value: Any) -> Any:
    """Return what has come of a field that is sent in pieces: texts, or entries with an index."""
    if isinstance(kept, str) and isinstance(value, str):
        return kept + value
    joined, entries = listed(kept), listed(value)
    if not joined or not entries:
        return value
    for entry in entries:
        if _continues(joined[-1], entry):
            joined = [*joined[:-1], _merged(joined[-1], entry)]
        else:
            joined = [*joined, entry]
    return joined


def _continues(last: object, entry: object) -> bool:
    one, other = mapping(last), mapping(entry)
    return "index" in other and all(one.get(n) == other.get(n) for n in ("index", "type"))


def _merged(last: Mapping[str, Any], entry: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(last)
    for name, value in entry.items():
        before = merged.get(name)
        grows = name in {"text", "summary", "data"}
        if grows and isinstance(before, str) and isinstance(value, str):
            merged[name] = before + value
        else:
            merged[name] = value
    return merged
