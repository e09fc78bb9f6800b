"""How does a Chat Completions server write a reply, in each habit?"""

import json
from typing import Any

from tests.fakes.providers.script import (
    FRAMING,
    Asked,
    Habit,
    Json,
    Said,
    Used,
    pieces,
    written,
)
from tests.fakes.providers.sse import Event

HABITS = FRAMING
for _habit in Habit:
    if Habit.INDEX_ZERO.value <= _habit.value <= Habit.THINK_TAGS.value:
        HABITS |= _habit

CREATED = 1_767_225_600


def whole(asked: Asked, said: Said, used: Used, habit: Habit) -> dict[str, Any]:
    """Return the reply as one object."""
    calls = _calls(asked, said, habit)
    message: dict[str, Any] = {"role": "assistant", "content": _text(said, habit) or None}
    message |= _reasoning(said.reasoning, habit)
    if calls:
        message["tool_calls"] = [_whole_call(call, habit) for call in calls]
    choice = {"index": 0, "message": message, "finish_reason": _finish(said, calls, habit)}
    usage = {} if Habit.USAGE_ABSENT in habit else {"usage": _usage(used)}
    return {**_envelope(asked, "chat.completion"), "choices": [choice], **usage}


def events(asked: Asked, said: Said, used: Used, habit: Habit) -> list[Event]:
    """Return the reply as a stream."""
    calls = _calls(asked, said, habit)
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [_reasoning(part, habit) for part in pieces(said.reasoning, 3)]
    deltas += [{"content": part} for part in pieces(_text(said, habit), 4)]
    deltas += [{"tool_calls": part} for part in _call_deltas(calls, habit)]
    envelope = _envelope(asked, "chat.completion.chunk")
    chunks = [{**envelope, "choices": [_choice(delta, None)]} for delta in deltas]
    last = {**envelope, "choices": [_choice({}, _finish(said, calls, habit))]}
    chunks += [last, *_usage_chunks(asked, used, habit, chunks, last)]
    sent = [Event(chunk) for chunk in chunks]
    if Habit.ERROR_MIDWAY in habit:
        error = {"message": "The server had an error while processing your request.", "code": 502}
        return [*sent[: len(sent) // 2], Event({"error": error | {"type": "server_error"}})]
    return sent if Habit.DONE_MISSING in habit else [*sent, Event("[DONE]")]


def _usage_chunks(
    asked: Asked, used: Used, habit: Habit, chunks: list[dict[str, Any]], last: dict[str, Any]
) -> list[dict[str, Any]]:
    """Write the usage where the habit has it; return the chunk of its own, where it has one."""
    wanted = (asked.body.get("stream_options") or {}).get("include_usage", False)
    usage = {"usage": _usage(used)}
    if Habit.USAGE_ABSENT in habit:
        return []
    if Habit.USAGE_IN_EVERY_CHUNK in habit:
        for chunk in [*chunks, last]:
            chunk.update(usage)
        return []
    if Habit.USAGE_WITH_FINISH in habit:
        last |= usage
        return []
    if not wanted:
        return []
    for chunk in [*chunks, last]:
        chunk["usage"] = None
    return [{**_envelope(asked, "chat.completion.chunk"), "choices": [], **usage}]


def _envelope(asked: Asked, kind: str) -> dict[str, Any]:
    identity = f"chatcmpl-{asked.number}"
    return {"id": identity, "object": kind, "created": CREATED, "model": asked.body["model"]}


def _choice(delta: Json, finish: str | None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}


def _finish(said: Said, calls: list[Json], habit: Habit) -> str:
    if Habit.SAYS_STOP in habit:
        return "stop"
    if Habit.SAYS_TOOL_CALLS in habit or (calls and said.stop == "end"):
        return "tool_calls"
    return {"end": "stop", "length": "length", "filter": "content_filter"}[said.stop]


def _usage(used: Used) -> dict[str, Any]:
    return {
        "prompt_tokens": used.input,
        "completion_tokens": used.output,
        "total_tokens": used.input + used.output,
        "prompt_tokens_details": {
            "cached_tokens": used.cached,
            "cache_write_tokens": used.cache_write,
        },
        "completion_tokens_details": {"reasoning_tokens": used.reasoning},
    }


def _text(said: Said, habit: Habit) -> str:
    text = said.text
    if Habit.THINK_TAGS in habit and said.reasoning:
        text = f"<think>\n{said.reasoning}\n</think>\n\n{text}"
    if Habit.CALLS_IN_TEXT in habit:
        for name, arguments in said.calls:
            call = f'{{"name": "{name}", "arguments": {written(arguments)}}}'
            text += f"\n<tool_call>\n{call}\n</tool_call>"
    return text


def _reasoning(text: str, habit: Habit) -> dict[str, Any]:
    if not text or Habit.THINK_TAGS in habit:
        return {}
    if Habit.REASONING_DETAILS in habit:
        detail = {"type": "reasoning.text", "text": text, "format": "unknown", "index": 0}
        return {"reasoning": text, "reasoning_details": [detail]}
    return {"reasoning" if Habit.REASONING in habit else "reasoning_content": text}


def _calls(asked: Asked, said: Said, habit: Habit) -> list[Json]:
    """Return the calls of the reply: id, name, and arguments as the model's text."""
    if Habit.CALLS_IN_TEXT in habit:
        return []
    calls: list[Json] = [
        {
            "id": f"call_{asked.number}" + ("" if Habit.IDS_EQUAL in habit else f"_{position}"),
            "name": name,
            "arguments": written(arguments),
        }
        for position, (name, arguments) in enumerate(said.calls)
    ]
    if Habit.CONCATENATED in habit and calls:
        return [{**calls[0], "arguments": "".join(call["arguments"] for call in calls)}]
    return calls


def _whole_call(call: Json, habit: Habit) -> dict[str, Any]:
    arguments: Any = call["arguments"]
    if Habit.ARGUMENTS_OBJECT in habit:
        arguments = json.loads(arguments)
    id = {} if Habit.IDS_ABSENT in habit else {"id": call["id"]}
    return {**id, "type": "function", "function": {"name": call["name"], "arguments": arguments}}


def _call_deltas(calls: list[Json], habit: Habit) -> list[list[dict[str, Any]]]:
    """Return the `tool_calls` of each delta."""
    streams = [_one_call(position, call, habit) for position, call in enumerate(calls)]
    if Habit.ONE_DELTA in habit:
        return [[part for stream in streams for part in stream]]
    if Habit.INTERLEAVED in habit:
        longest = max(map(len, streams), default=0)
        return [[stream[n]] for n in range(longest) for stream in streams if n < len(stream)]
    return [[part] for stream in streams for part in stream]


def _one_call(position: int, call: Json, habit: Habit) -> list[dict[str, Any]]:
    index = {} if Habit.INDEX_MISSING in habit else {"index": position}
    if Habit.INDEX_ZERO in habit:
        index = {"index": 0}
    if habit & (Habit.WHOLE | Habit.ONE_DELTA | Habit.ARGUMENTS_OBJECT):
        return [index | _whole_call(call, habit)]
    names = pieces(call["name"]) if Habit.NAMES_IN_PIECES in habit else [call["name"]]
    id = {} if Habit.IDS_ABSENT in habit else {"id": call["id"]}
    again = id if Habit.IDS_REPEATED in habit else {}
    more = {"name": call["name"]} if Habit.NAMES_REPEATED in habit else {}
    start = {"type": "function", "function": {"name": names[0], "arguments": ""}}
    return [
        index | id | start,
        *(index | again | {"function": {"name": name}} for name in names[1:]),
        *(
            index | again | {"function": more | {"arguments": part}}
            for part in pieces(call["arguments"], 3)
        ),
    ]
