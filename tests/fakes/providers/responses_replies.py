"""How does the Responses API write a reply, in each habit?"""

from tests.fakes.providers.script import FRAMING, Asked, Habit, Json, Said, Used, pieces, written
from tests.fakes.providers.sse import Event

HABITS = FRAMING | Habit.INTERLEAVED | Habit.ITEM_DONE_MISSING
CREATED = 1_767_225_600


def items(asked: Asked, said: Said) -> list[Json]:
    """Return the output items of a reply: reasoning, text, calls."""
    number = asked.number
    made: list[Json] = []
    status = "completed" if said.stop == "end" else "incomplete"
    if said.reasoning:
        summary = [{"type": "summary_text", "text": said.reasoning}]
        sealed = f"gAAAA-{number}-{len(said.reasoning)}=="
        made.append(
            {
                "id": f"rs_{number}",
                "type": "reasoning",
                "summary": summary,
                "encrypted_content": sealed,
            }
        )
    if said.text:
        content = [{"type": "output_text", "text": said.text, "annotations": [], "logprobs": []}]
        message = {"id": f"msg_{number}", "type": "message", "role": "assistant"}
        made.append({**message, "status": status, "content": content})
    for position, (name, arguments) in enumerate(said.calls):
        made.append(
            {
                "id": f"fc_{number}_{position}",
                "type": "function_call",
                "status": status,
                "call_id": f"call_{number}_{position}",
                "name": name,
                "arguments": written(arguments),
            }
        )
    return made


def whole(asked: Asked, output: list[Json], said: Said, used: Used, habit: Habit) -> Json:
    """Return the reply as one object."""
    body = asked.body
    usage = None if Habit.USAGE_ABSENT in habit else _usage(used)
    reasons = {"length": "max_output_tokens", "filter": "content_filter"}
    incomplete = None if said.stop == "end" else {"reason": reasons[said.stop]}
    return {
        "id": f"resp_{asked.number}",
        "object": "response",
        "created_at": CREATED,
        "status": "completed" if incomplete is None else "incomplete",
        "error": None,
        "incomplete_details": incomplete,
        "instructions": body.get("instructions"),
        "metadata": {},
        "model": body["model"],
        "output": output,
        "parallel_tool_calls": body.get("parallel_tool_calls", True),
        "temperature": 1.0,
        "tool_choice": body.get("tool_choice") or "auto",
        "tools": body.get("tools") or [],
        "top_p": 1.0,
        "usage": usage,
    }


def events(asked: Asked, output: list[Json], said: Said, used: Used, habit: Habit) -> list[Event]:
    """Return the reply as a stream."""
    ended = whole(asked, output, said, used, habit)
    begun = {**ended, "status": "in_progress", "output": [], "usage": None}
    begun["incomplete_details"] = None
    told: list[Json] = [
        {"type": "response.created", "response": begun},
        {"type": "response.in_progress", "response": begun},
    ]
    streams = [_item_events(place, item, habit) for place, item in enumerate(output)]
    if Habit.INTERLEAVED in habit:
        longest = max(map(len, streams), default=0)
        told += [stream[n] for n in range(longest) for stream in streams if n < len(stream)]
    else:
        told += [event for stream in streams for event in stream]
    told.append({"type": f"response.{ended['status']}", "response": ended})
    if Habit.ERROR_MIDWAY in habit:
        message = "An error occurred while processing your request."
        error = {"type": "error", "code": "server_error", "message": message, "param": None}
        told = [*told[: len(told) // 2], error]
    return [
        Event(event | {"sequence_number": number}, event["type"])
        for number, event in enumerate(map(dict, told))
    ]


def _usage(used: Used) -> Json:
    return {
        "input_tokens": used.input,
        "input_tokens_details": {
            "cached_tokens": used.cached,
            "cache_write_tokens": used.cache_write,
        },
        "output_tokens": used.output,
        "output_tokens_details": {"reasoning_tokens": used.reasoning},
        "total_tokens": used.input + used.output,
    }


def _item_events(place: int, item: Json, habit: Habit) -> list[Json]:
    whose: Json = {"item_id": item["id"], "output_index": place}
    inner: list[Json]
    match item["type"]:
        case "reasoning":
            empty = {**item, "summary": []}
            del empty["encrypted_content"]  # what `added` has of it may be incomplete
            inner = _reasoning_events({**whose, "summary_index": 0}, item["summary"][0]["text"])
        case "message":
            empty = {**item, "content": [], "status": "in_progress"}
            inner = _text_events({**whose, "content_index": 0}, item["content"][0])
        case _:
            empty = {**item, "arguments": "", "status": "in_progress"}
            inner = _call_events(whose, item["arguments"])
    added = {"type": "response.output_item.added", "output_index": place, "item": empty}
    done = {"type": "response.output_item.done", "output_index": place, "item": item}
    return [added, *inner, *([] if Habit.ITEM_DONE_MISSING in habit else [done])]


def _reasoning_events(whose: Json, text: str) -> list[Json]:
    name = "response.reasoning_summary"
    part = {"type": "summary_text", "text": text}
    return [
        {"type": f"{name}_part.added", **whose, "part": {**part, "text": ""}},
        *({"type": f"{name}_text.delta", **whose, "delta": each} for each in pieces(text, 3)),
        {"type": f"{name}_text.done", **whose, "text": text},
        {"type": f"{name}_part.done", **whose, "part": part},
    ]


def _text_events(whose: Json, part: Json) -> list[Json]:
    name, text = "response.output_text", part["text"]
    logs: Json = {**whose, "logprobs": []}
    return [
        {"type": "response.content_part.added", **whose, "part": {**part, "text": ""}},
        *({"type": f"{name}.delta", **logs, "delta": each} for each in pieces(text, 4)),
        {"type": f"{name}.done", **logs, "text": text},
        {"type": "response.content_part.done", **whose, "part": part},
    ]


def _call_events(whose: Json, arguments: str) -> list[Json]:
    name = "response.function_call_arguments"
    return [
        *({"type": f"{name}.delta", **whose, "delta": each} for each in pieces(arguments, 3)),
        {"type": f"{name}.done", **whose, "arguments": arguments},
    ]
