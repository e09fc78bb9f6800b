"""Does the fake Anthropic server refuse, stream and fail as the real one does?"""

import copy
import importlib
import json

import httpx2
import pytest

from tests.fakes import providers as fake
from tests.fakes.providers import Failed, Habit, Said, Used
from tests.fakes.providers.messages_checks import PARAMETERS
from tests.require import package

SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
TOOL = {"name": "search", "description": "Search.", "input_schema": SCHEMA}
USER = {"role": "user", "content": "Who?"}
CALLS = [("search", {"query": "ä"}), ("search", {"query": "b"})]
MARK = {"type": "ephemeral"}


def call(id, **more):
    return {"type": "tool_use", "id": id, "name": "search", "input": {}} | more


def result(id, **more):
    return {"type": "tool_result", "tool_use_id": id, "content": "found"} | more


def text(text):
    return {"type": "text", "text": text}


def assistant(*blocks):
    return {"role": "assistant", "content": list(blocks)}


def user(*blocks):
    return {"role": "user", "content": list(blocks)}


@pytest.fixture
def anthropic():
    package("anthropic")
    return importlib.import_module("anthropic")


def client(anthropic, server, key="sk-1"):
    plain = httpx2.AsyncClient(verify=False, timeout=20)  # certificates take 45 ms to load
    return anthropic.AsyncAnthropic(
        base_url=server.url, api_key=key, max_retries=0, http_client=plain
    )


def ask(client, messages=(USER,), **more):
    given = {"model": "m", "max_tokens": 99, "messages": list(messages), "tools": [TOOL]} | more
    return client.messages.create(**{k: v for k, v in given.items() if v is not None})


def sent_back(message):
    return {"role": "assistant", "content": [block.to_dict() for block in message.content]}


async def test_a_conversation_passes(anthropic):
    script = [Said("Looking.", calls=CALLS, reasoning="Hm."), Said("It is Ann.")]
    server = fake.messages(script, key="sk-1")
    async with server, client(anthropic, server) as asking:
        first = await ask(asking, thinking={"type": "adaptive"})
        importlib.import_module("anthropic.types").Message.model_validate(first.to_dict())
        assert [block.type for block in first.content] == ["thinking", "text", *["tool_use"] * 2]
        assert first.stop_reason == "tool_use"
        answers = [result(block.id) for block in first.content[2:]]
        failed = result(answers[1]["tool_use_id"], is_error=True, content="no such host")
        history = [USER, sent_back(first), user(failed, answers[0], text("Go on."))]
        second = await ask(asking, history)
        assert (second.content[0].text, second.stop_reason) == ("It is Ann.", "end_turn")
    assert server.invalid == []


async def test_what_is_streamed_is_what_the_sdk_types_say(anthropic):
    types = importlib.import_module("anthropic.types")
    adapter = importlib.import_module("pydantic").TypeAdapter(types.RawMessageStreamEvent)
    said = Said("Löoking.", calls=CALLS, reasoning="Hm, hm.", used=Used(100, 20, 60, 5, 3))
    for habit in (Habit.NORMAL, Habit.PINGS, Habit.EAGER, Habit.CRLF | Habit.BYTE_BY_BYTE):
        server = fake.messages([said, said], habit=habit)
        async with server, client(anthropic, server) as asking:
            events = [event.to_dict() async for event in await ask(asking, stream=True)]
            whole = await ask(asking)
        for event in events:
            adapter.validate_python(event)
        usage = events[0]["message"]["usage"]
        assert (usage["input_tokens"], usage["cache_read_input_tokens"]) == (35, 60)
        assert events[-2]["usage"]["output_tokens"] == 20
        pieces = [event["delta"] for event in events if event["type"] == "content_block_delta"]
        assert "".join(each.get("partial_json", "") for each in pieces) == (
            '{"query":"ä"}{"query":"b"}'
        )
        assert "".join(each.get("thinking", "") for each in pieces) == "Hm, hm."
        longest = max(len(each.get("partial_json", "")) for each in pieces)
        assert (longest <= 2) == (habit == Habit.EAGER)
        assert [block.input for block in whole.content[2:]] == [each for _, each in CALLS]


TWO = assistant(call("a"), call("b"))
INVALID = {
    "unanswered": ([USER, TWO, user(result("b"))], "immediately after: a. Each `tool_use`"),
    "unanswered at all": ([USER, TWO, USER], "immediately after: a, b"),
    "two messages": ([USER, TWO, user(result("a")), user(result("b"))], "immediately after: b"),
    "text first": ([USER, TWO, user(text("x"), result("a"), result("b"))], "immediately after"),
    "text between": ([USER, TWO, user(result("a"), text("x"), result("b"))], "immediately after"),
    "orphan": ([user(result("a"))], "unexpected `tool_use_id` .*: a"),
    "late": ([USER, TWO, user(result("a"), result("b")), user(result("a"))], "unexpected `tool_u"),
    "answered twice": ([USER, TWO, user(result("a"), result("a"))], "must have a single result"),
    "one id twice": ([USER, assistant(call("a"), call("a")), USER], "must be unique"),
    "one id again": (
        [USER, TWO, user(result("a"), result("b")), assistant(call("a")), user(result("a"))],
        "must be unique",
    ),
    "odd id": ([USER, assistant(call("a.1")), user(result("a.1"))], "String should match pattern"),
    "text input": ([USER, assistant(call("a", input="{}")), USER], "valid dictionary"),
    "call of the user": ([user(call("a"))], "can only be in `assistant` messages"),
    "result of the model": ([USER, assistant(result("a")), USER], "can only be in `user` messages"),
    "error without text": (
        [USER, assistant(call("a")), user(result("a", is_error=True, content=""))],
        "content cannot be empty if `is_error`",
    ),
    "no text": ([USER | {"content": ""}], "non-empty content"),
    "empty text": ([user(text(""))], "text content blocks must be non-empty"),
    "only space": ([user(text(" \n"))], "must contain non-whitespace text"),
    "no blocks": ([USER, assistant(), USER], "non-empty content"),
    "no messages": ([], "at least one message is required"),
    "model first": ([assistant(text("x")), USER], 'first message must use the "user" role'),
    "prefill": ([USER, assistant(text("x"))], "does not support assistant message prefill"),
    "system": ([{"role": "system", "content": "x"}, USER], 'Unexpected role "system"'),
    "our own field": ([USER | {"turn": 1}], "Extra inputs are not permitted"),
    "own field of a block": ([user(text("x") | {"n": 1})], "types of the SDK"),
    "made-up thinking": (
        [USER, assistant({"type": "thinking", "thinking": "x", "signature": "y"}), USER],
        "Invalid `signature`",
    ),
    "five marks": ([user(*[text("x") | {"cache_control": MARK}] * 5)], "maximum of 4 blocks"),
    "long after short": (
        [
            user(
                text("x") | {"cache_control": MARK},
                text("y") | {"cache_control": MARK | {"ttl": "1h"}},
            )
        ],
        "must not come after",
    ),
}


@pytest.mark.parametrize(("messages", "why"), INVALID.values(), ids=INVALID)
async def test_an_invalid_history_is_refused(anthropic, messages, why):
    server = fake.messages([])
    async with server, client(anthropic, server) as asking:
        with pytest.raises(anthropic.BadRequestError, match=why) as refused:
            await ask(asking, messages)
    assert refused.value.body["error"]["type"] == "invalid_request_error"


@pytest.mark.parametrize("habit", [Habit.NORMAL, Habit.REDACTED])
async def test_thinking_comes_back_unchanged_and_first(anthropic, habit):
    server = fake.messages([Said("So.", calls=CALLS, reasoning="Hm."), Said("ok")], habit=habit)
    async with server, client(anthropic, server) as asking:
        thought, *rest = sent_back(await ask(asking))["content"]
        answers = user(*[result(block["id"]) for block in rest[1:]])

        async def refused(why, *blocks):
            with pytest.raises(anthropic.BadRequestError, match=why):
                await ask(asking, [USER, assistant(*blocks), answers])

        await refused("Expected `thinking` .* found `text`", *rest)
        await refused("Expected `thinking`", *rest, thought)
        if habit == Habit.NORMAL:
            await refused("cannot be modified", thought | {"thinking": "Hmm."}, *rest)
            await refused("Invalid `signature`", thought | {"signature": "x"}, *rest)
        await ask(asking, [USER, assistant(thought, *rest), answers])


ENABLED = {"type": "enabled", "budget_tokens": 2000}
PARAMETER_FAULTS = {
    "unknown": ({"extra_body": {"parallel_tool_calls": True}}, "Extra inputs are not permitted"),
    "no limit": ({"max_tokens": 0}, "greater than or equal to 1"),
    "choice": ({"tool_choice": {"type": "required"}}, "Input tag 'required'"),
    "choice of no tool": ({"tool_choice": {"type": "tool", "name": "x"}}, "Tool 'x' not found"),
    "choice without tools": ({"tools": None, "tool_choice": {"type": "auto"}}, "while providing"),
    "none and the switch": (
        {"tool_choice": {"type": "none", "disable_parallel_tool_use": True}},
        "Extra inputs",
    ),
    "no tools": (
        {"tools": None, "messages": [USER, TWO, user(result("a"), result("b"))]},
        "must define tools",
    ),
    "tool name": ({"tools": [TOOL | {"name": "a b"}]}, "should match pattern"),
    "one tool twice": ({"tools": [TOOL, TOOL]}, "must be unique"),
    "schema": ({"tools": [TOOL | {"input_schema": {"type": "array"}}]}, "should be 'object'"),
    "inner schema": (
        {"tools": [TOOL | {"input_schema": SCHEMA | {"properties": {"a": {"type": "x"}}}}]},
        "JSON schema is invalid",
    ),
    "thinking budget": ({"thinking": ENABLED | {"budget_tokens": 9}}, "equal to 1024"),
    "thinking limit": ({"thinking": ENABLED}, "must be greater than `thinking.budget_tokens`"),
    "forced thinking": (
        {"thinking": ENABLED, "max_tokens": 4000, "tool_choice": {"type": "any"}},
        "may not be enabled",
    ),
    "size": ({"system": "x" * 4000}, r"prompt is too long: 1\d+ tokens > 500 maximum"),
}


@pytest.mark.parametrize(("more", "why"), PARAMETER_FAULTS.values(), ids=PARAMETER_FAULTS)
async def test_an_invalid_parameter_is_refused(anthropic, more, why):
    server = fake.messages([], context=500)
    async with server, client(anthropic, server) as asking:
        with pytest.raises(anthropic.BadRequestError, match=why):
            await ask(asking, **copy.deepcopy(more))


async def test_keys_models_and_failures(anthropic):
    script = [Failed(429, retry_after="3"), Failed(529), Failed(500)]
    server = fake.messages(script, key="sk-1", models=["m"])
    async with server, client(anthropic, server) as asking:
        with pytest.raises(anthropic.AuthenticationError, match="invalid x-api-key"):
            await ask(asking.with_options(api_key="sk-2"))
        with pytest.raises(anthropic.NotFoundError, match="model: n"):
            await ask(asking, model="n")
        assert [each.id async for each in asking.models.list()] == ["m"]
        kinds = []
        for _ in script:
            with pytest.raises(anthropic.APIStatusError) as failed:
                await ask(asking)
            kinds.append(failed.value.body["error"]["type"])
    assert kinds == ["rate_limit_error", "overloaded_error", "api_error"]


async def test_the_cache_holds_what_stands_before_a_mark(anthropic):
    server = fake.messages([Said("ok")] * 4)

    async def usage(*blocks):
        found = (await ask(asking, [user(*blocks)])).usage
        return found.cache_read_input_tokens > 0, found.cache_creation_input_tokens > 0

    one, more = text("one"), [text(str(n)) for n in range(30)]
    async with server, client(anthropic, server) as asking:
        assert await usage(one) == (False, False)
        assert await usage(one | {"cache_control": MARK}, text("tail")) == (False, True)
        near = more[9] | {"cache_control": MARK}
        assert await usage(one, *more[:9], near) == (True, True)
        far = more[29] | {"cache_control": MARK}
        # The mark before is 20 blocks back: out of sight, unless a mark stands between.
        assert await usage(one, *more[:29], far) == (True, True)
    reads = [json.loads(asked.raw)["messages"] for asked in server.requests]
    assert len(reads) == 4


async def test_a_stream_ends_in_an_overload(anthropic):
    server = fake.messages([Said("Hello.")], habit=Habit.ERROR_MIDWAY)
    async with server, client(anthropic, server) as asking:
        with pytest.raises(anthropic.APIStatusError, match="overloaded_error"):
            [event async for event in await ask(asking, stream=True)]


async def test_a_reply_ends_at_its_limit(anthropic):
    server = fake.messages([Said(calls=[("search", '{"que')], stop="length")])
    async with server, client(anthropic, server) as asking:
        events = [event async for event in await ask(asking, stream=True)]
    assert events[-2].delta.stop_reason == "max_tokens"


def test_the_parameters_are_those_of_the_sdk(anthropic):
    params = importlib.import_module("anthropic.types.message_create_params")
    assert params.MessageCreateParamsBase.__annotations__.keys() | {"stream"} == PARAMETERS
