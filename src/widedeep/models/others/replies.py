"""What did the model say: a reply of ours from pydantic-ai's response, and back again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn, cast

from pydantic import ValidationError
from pydantic_ai import messages as ai
from pydantic_ai.usage import RequestUsage

from widedeep.costs import Usage
from widedeep.errors import ModelError, TransientError
from widedeep.messages import Assistant, Json, Reply, ToolCall

BETWEEN = "\n\n"
"""What stands between the parts of a text."""

UNSENT = frozenset(
    {"usage", "timestamp", "run_id", "metadata", "failed_attempts", "history_digest"}
)
"""Fields of a response that are never sent back, and so are not kept."""


def reply_of(response: ai.ModelResponse, stamp: str) -> Reply:
    """Return a response as a reply; `stamp` is the name of the model that gave it.

    Raises:
        TransientError: the stream ended before the reply did.
        ModelError: the provider withheld the reply.
    """
    calls = tuple(map(_call, response.tool_calls))
    text = joined(response, ai.TextPart)
    if not ended(response):
        raise TransientError("the reply broke off before its end", billed=True)
    if response.finish_reason in {"content_filter", "error"} and not (text or calls):
        raise ModelError(f"the provider withheld the reply: {response.finish_reason}")
    return Reply(
        text,
        calls,
        "length" if response.finish_reason == "length" else "end",
        joined(response, ai.ThinkingPart) or None,
        usage=_usage(response.usage),
        provider=_kept(response, stamp),
    )


def ended(response: ai.ModelResponse) -> bool:
    """Say whether the provider said why the reply ends."""
    details = response.provider_details or {}
    return response.finish_reason is not None or details.get("finish_reason") is not None


def arguments_of(args: str | Mapping[str, Any] | None) -> Json | None:
    """Return arguments, if they are a JSON object; nothing at all is an empty one."""
    if not args:
        return {}
    if not isinstance(args, str):
        return dict(args)
    try:
        value = json.loads(args, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return cast("Json", value) if isinstance(value, dict) else None


def joined(response: ai.ModelResponse, kind: type[ai.TextPart | ai.ThinkingPart]) -> str:
    """Return the text of all parts of a kind."""
    parts = [part.content for part in response.parts if isinstance(part, kind)]
    return BETWEEN.join(part for part in parts if part)


def rebuilt(message: Assistant, stamp: str) -> ai.ModelResponse:
    """Return a reply of the history as a response.

    With all that the provider wants back unchanged if this very model gave it, else of its text and
    calls alone: no provider takes the signatures of another.
    """
    kept: object = message.provider
    if isinstance(kept, Mapping) and cast("Json", kept).get("model") == stamp:
        try:
            messages = ai.ModelMessagesTypeAdapter.validate_python([cast("Json", kept)["response"]])
        except (ValidationError, KeyError):
            messages = []
        response = messages[0] if messages else None
        if isinstance(response, ai.ModelResponse) and _fits(response, message):
            return response
    return ai.ModelResponse(parts=_plain(message))


def _fits(response: ai.ModelResponse, message: Assistant) -> bool:
    return [part.tool_name for part in response.tool_calls] == [c.tool for c in message.calls]


def _plain(message: Assistant) -> list[ai.ModelResponsePart]:
    parts: list[ai.ModelResponsePart] = [ai.TextPart(message.text)] if message.text.strip() else []
    for call in message.calls:
        id = f"call_{call.id.replace('.', '_')}"  # another provider's may be in no form we may send
        parts.append(ai.ToolCallPart(call.tool, dict(call.arguments or {}), id))
    return parts


def _call(part: ai.ToolCallPart) -> ToolCall:
    arguments = arguments_of(part.args)
    raw = part.args if arguments is None and isinstance(part.args, str) else None
    return ToolCall(part.tool_name, arguments, raw=raw, provider_id=part.tool_call_id)


def _kept(response: ai.ModelResponse, stamp: str) -> Json:
    (dumped,) = ai.ModelMessagesTypeAdapter.dump_python([response], mode="json", exclude_none=True)
    return {
        "model": stamp,
        "response": {name: value for name, value in dumped.items() if name not in UNSENT},
    }


def _usage(usage: RequestUsage) -> Usage:
    """Return what the provider said of tokens; pydantic-ai counts what was not said as 0."""
    if not (usage.input_tokens or usage.output_tokens):
        return Usage()
    details = usage.details
    said = {"cache_creation_input_tokens", "cache_write_tokens"} & details.keys()
    reasoning = usage.output_reasoning_tokens or next(
        (
            details[name]
            for name in ("reasoning_tokens", "thoughts_tokens", "thinking_tokens")
            if name in details
        ),
        None,
    )
    return Usage(
        input=usage.input_tokens,
        cached=usage.cache_read_tokens,
        cache_write=usage.cache_write_tokens if usage.cache_write_tokens or said else None,
        output=usage.output_tokens,
        reasoning=reasoning,
    )


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")
