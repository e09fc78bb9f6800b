"""Does every provider accept what we send, and do we read what it says?"""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from tests.models.others.talking import CONVERSATIONS, DIALECTS

HISTORY = {"input", "messages", "contents"}
SNAPSHOTS = Path(__file__).parents[2] / "snapshots" / "others"


def cases():
    for dialect in DIALECTS:
        for name in CONVERSATIONS:
            if (dialect, name) != ("gemini", "invalid arguments"):
                yield pytest.param(dialect, name, id=f"{dialect}-{name.replace(' ', '-')}")


@pytest.mark.parametrize(("dialect", "name"), list(cases()))
async def test_a_conversation_is_accepted_and_read(dialect, name):
    turns = CONVERSATIONS[name]
    async with DIALECTS[dialect].talk([turn.said for turn in turns]) as (talk, server):
        for turn in turns:
            reply = await talk.go(turn)
            said = turn.said
            assert (reply.text, reply.reasoning or "") == (said.text, said.reasoning)
            assert [call.tool for call in reply.calls] == [tool for tool, _ in said.calls]
            for call, (_, arguments) in zip(reply.calls, said.calls, strict=True):
                broken = isinstance(arguments, str)
                assert (call.arguments, call.raw) == (
                    (None, arguments) if broken else (arguments, None)
                )
            assert json.loads(json.dumps(reply.provider)) == reply.provider
    assert [asked.error for asked in server.requests] == [None] * len(turns)
    compare(f"{dialect}-{name.replace(' ', '-')}", [asked.body for asked in server.requests])


def compare(name, bodies):
    """Compare requests with those of the snapshot; a new one is written.

    Kept are the last one's history, which holds those before it, and all that is not history.
    """
    path = SNAPSHOTS / f"{name}.json"
    (field,) = HISTORY & bodies[-1].keys()
    *rest, tools = [{k: v for k, v in body.items() if k != field} for body in bodies]
    for body in rest:
        assert body.pop("tools", None) == tools.get("tools")
    seen = {"last": bodies[-1][field], "settings": [*rest, tools]}
    now = json.dumps(seen, indent=1, ensure_ascii=False) + "\n"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_text(now)
        pytest.fail(f"{path.name} is new: look at it")
    assert now == path.read_text()


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_resumed_run_sends_the_same_bytes(dialect):
    turns = CONVERSATIONS["reasoning"]
    async with DIALECTS[dialect].talk([turn.said for turn in turns]) as (talk, server):
        for turn in turns[:2]:
            await talk.go(turn)
        await talk.model.aclose()
        talk.model = DIALECTS[dialect].open(server)
        talk.history = [
            replace(message, provider=json.loads(json.dumps(message.provider)))
            if hasattr(message, "provider")
            else message
            for message in talk.history
        ]
        await talk.go(turns[2])
        await talk.model.aclose()
    assert server.invalid == []


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_what_was_sent_is_the_beginning_of_what_is_sent_next(dialect):
    turns = CONVERSATIONS["wide"]
    async with DIALECTS[dialect].talk([turn.said for turn in turns]) as (talk, server):
        for turn in turns:
            await talk.go(turn)
    assert server.invalid == []
    field = {"responses": "input", "messages": "messages", "gemini": "contents"}[dialect]
    sent = [plain(asked.body[field]) for asked in server.requests]
    for before, after in pairwise(sent):
        durable = without_tail(dialect, before)
        assert after[: len(durable)] == durable


def plain(items):
    """Return items without what marks them for the cache."""
    text = json.dumps(items).replace(', "cache_control": {"type": "ephemeral"}', "")
    return json.loads(text)


def without_tail(dialect, items):
    if dialect != "messages":
        return items[:-1]
    *items, last = items
    return [*items, {**last, "content": last["content"][:-1]}]
