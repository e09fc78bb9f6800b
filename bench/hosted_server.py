"""A loopback server of three hosted dialects for bench/models_others.py: always W calls, T turns.

The model's name carries the script: `mock-w8-t100` = 8 calls in each of 100 turns, then a text.
"""

import asyncio
import json
import re
import sys

SCRIPT = re.compile(r"w(\d+)-t(\d+)")


def lines(*events: dict) -> bytes:
    return b"".join(
        b"event: %s\ndata: %s\n\n" % (e.get("type", "x").encode(), json.dumps(e).encode())
        for e in events
    )


def responses(body: dict, calls: list[tuple[str, str, str]], turn: int) -> bytes:
    base = {"id": f"resp_{turn}", "object": "response", "created_at": 1, "model": body["model"]}
    base |= {"output": [], "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    made: list[dict] = [
        {"type": "reasoning", "id": f"rs_{turn}", "summary": [], "encrypted_content": "x" * 400}
    ]
    made += [
        {"type": "function_call", "id": f"fc_{id}", "call_id": id, "name": name}
        | {"arguments": arguments, "status": "completed"}
        for id, name, arguments in calls
    ]
    if not calls:
        text = {"type": "output_text", "text": "Final answer: done", "annotations": []}
        made = [{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed"}]
        made[0]["content"] = [text]
    events: list[dict] = [
        {"type": "response.created", "response": base | {"status": "in_progress"}}
    ]
    for at, item in enumerate(made):
        where = {"output_index": at}
        started = item | ({"arguments": ""} if "arguments" in item else {})
        started |= {"content": []} if "content" in item else {}
        events.append({"type": "response.output_item.added", "item": started} | where)
        if "arguments" in item:
            half = len(item["arguments"]) // 2
            for piece in (item["arguments"][:half], item["arguments"][half:]):
                kind = "response.function_call_arguments.delta"
                events.append({"type": kind, "item_id": item["id"], "delta": piece} | where)
        if "content" in item:
            kind = "response.output_text.delta"
            delta = {"delta": "Final answer: done", "item_id": item["id"], "content_index": 0}
            events.append({"type": kind, "logprobs": []} | delta | where)
        events.append({"type": "response.output_item.done", "item": item} | where)
    usage = {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}
    usage |= {"input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0}}
    usage |= {"output_tokens_details": {"reasoning_tokens": 0}}
    done = base | {"status": "completed", "output": made, "usage": usage}
    events.append({"type": "response.completed", "response": done})
    return lines(*({**event, "sequence_number": at} for at, event in enumerate(events)))


def messages(body: dict, calls: list[tuple[str, str, str]], turn: int) -> bytes:
    usage = {"input_tokens": 100, "output_tokens": 1}
    start = {"id": f"msg_{turn}", "type": "message", "role": "assistant", "content": []}
    start |= {"model": body["model"], "stop_reason": None, "usage": usage}
    events: list[dict] = [{"type": "message_start", "message": start}]
    blocks: list[tuple[dict, list[dict]]] = [
        (
            {"type": "tool_use", "id": id, "name": name, "input": {}},
            [
                {"type": "input_json_delta", "partial_json": piece}
                for piece in ("", arguments[:9], arguments[9:])
            ],
        )
        for id, name, arguments in calls
    ] or [({"type": "text", "text": ""}, [{"type": "text_delta", "text": "Final answer: done"}])]
    for at, (block, deltas) in enumerate(blocks):
        events.append({"type": "content_block_start", "index": at, "content_block": block})
        events += [{"type": "content_block_delta", "index": at, "delta": d} for d in deltas]
        events.append({"type": "content_block_stop", "index": at})
    stop = {"stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None}
    events.append({"type": "message_delta", "delta": stop, "usage": {"output_tokens": 20}})
    return lines(*events, {"type": "message_stop"})


def contents(_: dict, calls: list[tuple[str, str, str]], turn: int) -> bytes:
    parts: list[dict] = [
        {"functionCall": {"id": id, "name": name, "args": json.loads(arguments)}}
        for id, name, arguments in calls
    ] or [{"text": "Final answer: done"}]
    if calls:
        parts[0]["thoughtSignature"] = "c2lnbmF0dXJl" * 30
    usage = {"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120}
    chunks: list[dict] = [
        {"candidates": [{"index": 0, "content": {"role": "model", "parts": [part]}}]}
        for part in parts
    ]
    chunks[-1]["candidates"][0]["finishReason"] = "STOP"
    chunks[-1]["usageMetadata"] = usage
    ids = {"responseId": f"r{turn}", "modelVersion": "mock"}
    return b"".join(b"data: %s\r\n\r\n" % json.dumps(chunk | ids).encode() for chunk in chunks)


def answer(path: str, body: dict) -> bytes:
    """Return what the script says comes next: as many turns are over as have calls in the body."""
    name = body.get("model", path)
    width, turns = map(int, SCRIPT.search(name).groups())  # pyright: ignore[reportOptionalMemberAccess]
    make = {"/responses": responses, "/messages": messages}.get(path[path.rfind("/") :], contents)
    said = {
        responses: lambda: sum(i.get("type") == "function_call" for i in body["input"]) / width,
        messages: lambda: sum(m["role"] == "assistant" for m in body["messages"]),
        contents: lambda: sum(c["role"] == "model" for c in body["contents"]),
    }
    turn = int(said[make]())
    calls = [
        (f"call_{turn}_{n}", "search", json.dumps({"query": f"turn {turn} call {n} of the bench"}))
        for n in range(width if turn < turns else 0)
    ]
    return make(body, calls, turn)


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while True:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
        except (asyncio.IncompleteReadError, ConnectionError):
            break
        length = int(re.search(r"(?i)content-length: *(\d+)", head)[1])  # pyright: ignore[reportOptionalSubscript]
        path = head.split(" ")[1].partition("?")[0]
        said = answer(path, json.loads(await reader.readexactly(length)))
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: %d\r\n\r\n"
            % len(said)
        )
        writer.write(said)
        await writer.drain()
    writer.close()


async def main() -> None:
    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=1 << 26)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
