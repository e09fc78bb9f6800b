"""How does the Messages API write a reply, in each habit?"""

import json
from typing import Any

from tests.fakes.providers.script import FRAMING, Asked, Habit, Json, Said, Used, pieces, written
from tests.fakes.providers.sse import Event

HABITS = (FRAMING & ~Habit.USAGE_ABSENT) | Habit.PINGS | Habit.EAGER | Habit.REDACTED
STOPS = {"end": "end_turn", "length": "max_tokens", "filter": "refusal"}


def content(asked: Asked, said: Said, habit: Habit, *, parsed: bool = False) -> list[Json]:
    """Return the blocks of a reply; `parsed`: the input of calls as objects, not as text."""
    number = asked.number
    blocks: list[Json] = []
    seal = f"EqMB-{number}-{len(said.reasoning)}=="
    if said.reasoning and Habit.REDACTED in habit:
        blocks.append({"type": "redacted_thinking", "data": seal})
    elif said.reasoning:
        blocks.append({"type": "thinking", "thinking": said.reasoning, "signature": seal})
    if said.text:
        blocks.append({"type": "text", "text": said.text, "citations": None})
    for position, (name, arguments) in enumerate(said.calls):
        text = written(arguments)
        call = {"type": "tool_use", "id": f"toolu_{number}_{position}", "name": name}
        blocks.append(call | {"input": json.loads(text) if parsed else text})
    return blocks


def whole(asked: Asked, said: Said, used: Used, habit: Habit) -> dict[str, Any]:
    """Return the reply as one object."""
    message = _message(asked, content(asked, said, habit, parsed=True))
    usage = _usage(used) | {"output_tokens": used.output}
    return message | {"stop_reason": _stop(said), "usage": usage | _thought(used)}


def events(asked: Asked, said: Said, used: Used, habit: Habit) -> list[Event]:
    """Return the reply as a stream."""
    begun = _message(asked, []) | {"usage": _usage(used) | {"output_tokens": 1}}
    told: list[Json] = [{"type": "message_start", "message": begun}, {"type": "ping"}]
    for index, block in enumerate(content(asked, said, habit)):
        told += [{"index": index, **event} for event in _block_events(block, habit)]
    if Habit.ERROR_MIDWAY in habit:
        error = {"type": "overloaded_error", "message": "Overloaded"}
        told = [*told[: len(told) // 2 + 1], {"type": "error", "error": error}]
    else:
        delta = {"stop_reason": _stop(said), "stop_sequence": None}
        usage = {"output_tokens": used.output} | _thought(used)
        told += [{"type": "message_delta", "delta": delta, "usage": usage}]
        told += [{"type": "message_stop"}]
    if Habit.PINGS in habit:
        told = [each for event in told for each in (event, {"type": "ping"})]
    return [Event(event, event["type"]) for event in told]


def _message(asked: Asked, blocks: list[Json]) -> dict[str, Any]:
    return {
        "id": f"msg_{asked.number}",
        "type": "message",
        "role": "assistant",
        "model": asked.body["model"],
        "content": blocks,
        "stop_reason": None,
        "stop_sequence": None,
    }


def _stop(said: Said) -> str:
    return "tool_use" if said.calls and said.stop == "end" else STOPS[said.stop]


def _usage(used: Used) -> dict[str, Any]:
    """Write what was read: `input_tokens` has nothing of the cache."""
    return {
        "input_tokens": used.input - used.cached - used.cache_write,
        "cache_read_input_tokens": used.cached,
        "cache_creation_input_tokens": used.cache_write,
        "cache_creation": {
            "ephemeral_5m_input_tokens": used.cache_write,
            "ephemeral_1h_input_tokens": 0,
        },
        "service_tier": "standard",
    }


def _thought(used: Used) -> dict[str, Any]:
    return {"output_tokens_details": {"thinking_tokens": used.reasoning}}


def _block_events(block: Json, habit: Habit) -> list[Json]:
    deltas: list[Json]
    match block["type"]:
        case "thinking":
            empty = {**block, "thinking": "", "signature": ""}
            parts = pieces(block["thinking"], 3)
            deltas = [{"type": "thinking_delta", "thinking": part} for part in parts]
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
        case "redacted_thinking":
            empty, deltas = block, []
        case "text":
            empty = {**block, "text": ""}
            deltas = [{"type": "text_delta", "text": part} for part in pieces(block["text"], 4)]
        case _:
            empty, text = {**block, "input": {}}, block["input"]
            count = -(-len(text) // 2) if Habit.EAGER in habit else 3
            parts = ["", *pieces(text, count)]
            deltas = [{"type": "input_json_delta", "partial_json": part} for part in parts]
    return [
        {"type": "content_block_start", "content_block": empty},
        *({"type": "content_block_delta", "delta": delta} for delta in deltas),
        {"type": "content_block_stop"},
    ]
