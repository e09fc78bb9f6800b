"""Which calls did a server leave in the text, because its parser does not know its model?

    <tool_call>{"name": "search", "arguments": {"q": "x"}}</tool_call>      Hermes, Qwen
    <function=search>{"q": "x"}</function>                                  Llama
    [TOOL_CALLS][{"name": "search", "arguments": {"q": "x"}}]               Mistral
    {"name": "search", "parameters": {"q": "x"}}                            Llama, the whole text

Only calls of tools that were offered are taken; everything else stays text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any, cast

from widedeep.messages import ToolCall
from widedeep.models.compat.loose import decoder

_TAGGED = re.compile(r"<tool_call>\s*(.*?)\s*(?:</tool_call>|$)", re.DOTALL)
_NAMED = re.compile(r"<function=([\w.-]+)>\s*(.*?)\s*</function>", re.DOTALL)
_LISTED = re.compile(r"\[TOOL_CALLS\]\s*(\[.*\])", re.DOTALL)


def calls_in(text: str, tools: Collection[str]) -> tuple[str, tuple[ToolCall, ...]]:
    """Return a text without the calls in it, and those calls."""
    for pattern, read in ((_TAGGED, _bare), (_NAMED, _named), (_LISTED, _bare)):
        found = [(match, list(read(match, tools))) for match in pattern.finditer(text)]
        taken = [(match, calls) for match, calls in found if calls]
        if taken:
            left = text
            for match, _ in reversed(taken):
                left = left[: match.start()] + left[match.end() :]
            return left.strip(), tuple(call for _, calls in taken for call in calls)
    whole = list(_calls(text, tools))
    return ("", tuple(whole)) if whole else (text, ())


def _bare(match: re.Match[str], tools: Collection[str]) -> Iterator[ToolCall]:
    yield from _calls(match[1], tools)


def _named(match: re.Match[str], tools: Collection[str]) -> Iterator[ToolCall]:
    arguments = _value(match[2])
    if match[1] in tools and isinstance(arguments, dict):
        yield ToolCall(match[1], cast("dict[str, Any]", arguments))


def _calls(text: str, tools: Collection[str]) -> Iterator[ToolCall]:
    """Return the calls that a text is, one or a list of them."""
    value = _value(text)
    for one in cast("list[Any]", value) if isinstance(value, list) else [value]:
        entry = cast("dict[str, Any]", one) if isinstance(one, dict) else {}
        arguments = entry.get("arguments", entry.get("parameters"))
        name = entry.get("name")
        if isinstance(name, str) and name in tools and isinstance(arguments, dict):
            yield ToolCall(name, cast("dict[str, Any]", arguments))


def _value(text: str) -> object:
    try:
        return decoder.decode(text.strip())
    except (ValueError, RecursionError):
        return None
