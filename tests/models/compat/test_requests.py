"""What is sent: the history as it was, the tail after it, what the width asks for."""

import asyncio
import gc
import json

import pytest
from tests.fakes.providers import Said
from tests.models.compat.asking import QUESTION, after, ask, request

from widedeep.messages import Assistant, Outcome, Reply, Results, ToolCall, ToolResult, User
from widedeep.models.compat import Compat, Server
from widedeep.models.compat.encoding import Tools

REPLY = Reply("", (ToolCall("search", {"query": "é"}), ToolCall("read", {"id": "1"})))


def body(made, **server):
    return json.loads(Compat("m", Server("http://localhost/v1", **server)).body(made))


def test_a_request_in_full():
    history = (*after(QUESTION, REPLY), User("Late result."))
    sent = body(request(history, turn=2, width=1, max_output=100))
    assert list(sent) == [
        "model",
        "stream",
        "stream_options",
        "max_tokens",
        "tools",
        "tool_choice",
        "parallel_tool_calls",
        "messages",
    ]
    assert (sent["max_tokens"], sent["tool_choice"]) == (100, "auto")
    assert sent["parallel_tool_calls"] is False
    assert [message["role"] for message in sent["messages"]] == [
        "system",
        "user",
        "assistant",
        "tool",
        "tool",
        "user",
        "user",
    ]
    calls = sent["messages"][2]["tool_calls"]
    assert [call["id"] for call in calls] == ["c00001001", "c00001002"]
    assert calls[0]["function"] == {"name": "search", "arguments": '{"query":"é"}'}
    assert [m["tool_call_id"] for m in sent["messages"][3:5]] == ["c00001001", "c00001002"]
    assert sent["messages"][-1]["content"] == "Turn 1 of 3."
    assert sent["tools"][0]["function"]["parameters"]["required"] == ["query"]


def test_the_answering_request_keeps_its_tools_and_may_call_none():
    sent = body(request(choice="none"))
    assert (sent["tool_choice"], len(sent["tools"])) == ("none", 2)
    assert "parallel_tool_calls" not in sent
    assert "tools" not in body(request(choice="none"), choice_none=False)


def test_a_run_without_tools_names_none():
    assert not {"tools", "tool_choice", "parallel_tool_calls"} & set(body(request(tools=())))


@pytest.mark.parametrize(("width", "parallel"), [(1, False), (2, True), (8, True)])
def test_the_switch_of_the_server_is_off_for_one_call(width, parallel):
    assert body(request(width=width))["parallel_tool_calls"] is parallel


def test_each_message_is_encoded_once_and_forgotten_with_its_run():
    encoder = Tools(())
    history = list(after(QUESTION, REPLY))
    first = b"".join(encoder.messages(history, "tail one"))
    history.append(User("more"))
    second = b"".join(encoder.messages(history, "tail two"))
    kept = first[: first.index(b',{"role":"user","content":"tail one')]
    assert second.startswith(kept)
    assert len(encoder._messages) == 5
    del history
    gc.collect()
    assert len(encoder._messages) <= len(QUESTION)


def test_equal_messages_are_not_the_same_message():
    encoder = Tools(())
    call = ToolCall("search", {}, "1.1")
    results = [Results((ToolResult(call, Outcome.OK, text),)) for text in ("one", "two")]
    said = Assistant("", (call,))
    bodies = [b"".join(encoder.messages((said, one), None)) for one in results]
    assert b"one" in bodies[0]
    assert b"two" in bodies[1]


def test_lone_surrogates_do_not_break_a_request():
    assert "?" in body(request((User("a \ud800 b"),)))["messages"][0]["content"]


def test_keys_travel_in_headers_alone():
    _, _, server = ask([Said("x")], request(key="run/1.2.0"), server={"key": "sk-0123456789"})
    asked = server.requests[0]
    assert asked.headers["authorization"] == "Bearer sk-0123456789"
    assert asked.headers["idempotency-key"] == "run/1.2.0"
    assert b"sk-0123456789" not in asked.raw


def test_what_another_model_sent_is_not_sent_back():
    call = ToolCall("search", {"query": "a"}, "1.1", provider_id="chatcmpl-tool-1")
    kept = {"of": "other", "ids": ["chatcmpl-tool-1"], "extras": [{"extra_content": 1}]}
    said = Assistant("", (call,), provider=kept)
    results = Results((ToolResult(call, Outcome.OK, "x"),))
    sent = body(request((*QUESTION, said, results), turn=2))["messages"]
    assert sent[2]["tool_calls"][0]["id"] == sent[3]["tool_call_id"] == "c00001001"
    assert "extra_content" not in sent[2]["tool_calls"][0]


@pytest.mark.parametrize("raw", ['{"n": NaN}', '{"n": -Infinity}'])
def test_what_json_does_not_know_is_no_argument(raw):
    replies, _, _ = ask([Said(calls=[("search", raw)])], request())
    assert (replies[0].calls[0].arguments, replies[0].calls[0].raw) == (None, raw)


def test_one_connection_serves_many_streamed_requests():
    _, _, server = ask([Said("x")] * 4, *[request()] * 4)
    assert len({asked.peer for asked in server.requests}) == 1


def test_loops_that_have_ended_are_forgotten():
    model = Compat("m", Server("http://127.0.0.1:9/v1"))

    async def lend():
        async with model._clients.client():
            pass

    for _ in range(3):
        asyncio.run(lend())
    gc.collect()
    assert len(model._clients._by_loop) == 0
