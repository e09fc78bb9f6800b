"""Does the fake Responses server refuse, stream and fail as OpenAI's does?"""

import importlib

import httpx2
import pytest

from tests.fakes import providers as fake
from tests.fakes.providers import Habit, Said, Used
from tests.fakes.providers.responses_checks import PARAMETERS
from tests.require import package

SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
TOOL = {"type": "function", "name": "search", "parameters": SCHEMA, "strict": False}
USER = {"role": "user", "content": "Who?"}
CALLS = [("search", {"query": "ä"}), ("search", {"query": "b"})]


def call(call_id, **more):
    return {"type": "function_call", "call_id": call_id, "name": "search", "arguments": "{}"} | more


def output(id):
    return {"type": "function_call_output", "call_id": id, "output": "found"}


@pytest.fixture
def openai():
    package("openai")
    return importlib.import_module("openai")


def client(openai, server):
    plain = httpx2.AsyncClient(verify=False, timeout=20)  # certificates take 45 ms to load
    return openai.AsyncOpenAI(base_url=server.url, api_key="sk-1", max_retries=0, http_client=plain)


def ask(client, items=(USER,), **more):
    given = {"model": "m", "input": list(items), "tools": [TOOL], "store": False} | more
    return client.responses.create(**given)


def sent_back(response):
    return [item.to_dict() for item in response.output]


async def test_a_conversation_passes(openai):
    script = [Said("Looking.", calls=CALLS, reasoning="Hm."), Said("It is Ann.")]
    server = fake.responses(script, key="sk-1")
    async with server, client(openai, server) as asking:
        first = await ask(asking)
        response_type = importlib.import_module("openai.types.responses").Response
        response_type.model_validate(first.to_dict())
        kinds = ["reasoning", "message", "function_call", "function_call"]
        assert [item.type for item in first.output] == kinds
        results = [output(item.call_id) for item in first.output[2:]]
        history = [USER, *sent_back(first), *reversed(results), USER]
        second = await ask(asking, history)
        assert (second.output_text, second.status) == ("It is Ann.", "completed")
        assert second.usage.input_tokens_details.cached_tokens > 0
    assert server.invalid == []


async def test_what_is_streamed_is_what_the_sdk_types_say(openai):
    types = importlib.import_module("openai.types.responses")
    adapter = importlib.import_module("pydantic").TypeAdapter(types.ResponseStreamEvent)
    said = Said("Löoking.", calls=CALLS, reasoning="Hm, hm.", used=Used(100, 20, 60, 5, 3))
    server = fake.responses([said])
    async with server, client(openai, server) as asking:
        events = [event async for event in await ask(asking, stream=True)]
    for event in events:
        adapter.validate_python(event.to_dict())
    assert [event.sequence_number for event in events] == list(range(len(events)))
    assert events[0].type == "response.created"
    done = [event.item for event in events if event.type == "response.output_item.done"]
    added = [event.item for event in events if event.type == "response.output_item.added"]
    assert [item.to_dict() for item in done] == sent_back(events[-1].response)
    assert (added[0].encrypted_content, bool(done[0].encrypted_content)) == (None, True)
    assert [item.arguments for item in done[2:]] == ['{"query":"ä"}', '{"query":"b"}']
    assert events[-1].response.usage.output_tokens_details.reasoning_tokens == 3


INVALID = {
    "unanswered": ([USER, call("a"), call("b"), output("b")], "No tool output found .* call a"),
    "orphan": ([USER, output("a")], "No tool call found for function call output with call_id a"),
    "output first": ([USER, output("a"), call("a")], "No tool call found"),
    "answered twice": ([USER, call("a"), output("a"), output("a")], "No tool call found"),
    "one id twice": ([USER, call("a"), output("a"), call("a"), output("a")], "Duplicate"),
    "no id": ([USER, call(None)], "Missing required parameter: 'input.1..call_id'"),
    "long id": ([USER, call("a" * 65)], "maximum length 64"),
    "id of another kind": ([USER, call("a", id="call_a"), output("a")], "begins with 'fc'"),
    "foreign seal": (
        [USER, {"type": "reasoning", "id": "rs_9", "summary": [], "encrypted_content": "x"}],
        "encrypted content for item rs_9 could not be verified",
    ),
    "chat content": (
        [USER | {"content": [{"type": "text", "text": "x"}]}],
        "Invalid value: 'text'",
    ),
    "no content": ([USER | {"content": None}], "expected one of an array"),
    "empty": ([], "empty array"),
    "chat history": ([{"role": "tool", "tool_call_id": "a", "content": "x"}], "Invalid value: 'to"),
    "our own field": ([USER | {"turn": 1}], "types of the SDK"),
    "arguments": ([USER, call("a", arguments={}), output("a")], "types of the SDK"),
}


@pytest.mark.parametrize(("items", "why"), INVALID.values(), ids=INVALID)
async def test_an_invalid_history_is_refused(openai, items, why):
    server = fake.responses([])
    async with server, client(openai, server) as asking:
        with pytest.raises(openai.BadRequestError, match=why) as refused:
            await ask(asking, items)
    assert refused.value.body.keys() == {"message", "type", "param", "code"}


async def test_reasoning_comes_back_with_its_calls(openai):
    script = [Said(calls=CALLS, reasoning="Hm."), Said("ok"), Said("ok")]
    server = fake.responses(script)
    async with server, client(openai, server) as asking:
        thought, *calls = sent_back(await ask(asking))
        results = [output(each["call_id"]) for each in calls]

        async def refused(why, *items, error=openai.BadRequestError):
            with pytest.raises(error, match=why):
                await ask(asking, [USER, *items])

        await refused("without its required 'reasoning' item: 'rs_1'", *calls, *results)
        await refused("without its required following item", thought, USER)
        await refused("without its required following item", thought, calls[1], *results[1:])
        await refused(
            "could not be verified", thought | {"encrypted_content": "x"}, *calls, *results
        )
        await refused("was modified", thought | {"summary": []}, *calls, *results)
        bare = {key: value for key, value in thought.items() if key != "encrypted_content"}
        await refused("not persisted", bare, *calls, *results, error=openai.NotFoundError)
        await ask(asking, [USER, thought, *calls, *results])
        without_ids = [{k: v for k, v in each.items() if k != "id"} for each in calls]
        await ask(asking, [USER, thought, *without_ids, *results])


PARAMETER_FAULTS = {
    "unknown": ({"extra_body": {"max_tokens": 3}}, "Unknown parameter: 'max_tokens'"),
    "choice": ({"tool_choice": "any"}, "Supported values are"),
    "choice of no tool": ({"tool_choice": {"type": "function", "name": "x"}}, "not found"),
    "chat tool": ({"tools": [{"type": "function", "function": {"name": "x"}}]}, r"tools\[0\].name"),
    "tool name": ({"tools": [TOOL | {"name": "a b"}]}, "does not match pattern"),
    "schema": ({"tools": [TOOL | {"parameters": {"type": "array"}}]}, "Invalid schema"),
    "strict": ({"tools": [TOOL | {"strict": True}]}, "'additionalProperties' is required"),
    "limit": ({"max_output_tokens": 5}, ">= 16"),
    "state": ({"previous_response_id": "resp_1"}, "not found"),
    "unsupported": ({"temperature": 1}, "'temperature' is not supported"),
    "model": ({"model": "n"}, "does not exist"),
    "size": ({"instructions": "x" * 4000}, "exceeds the context window"),
}


@pytest.mark.parametrize(("more", "why"), PARAMETER_FAULTS.values(), ids=PARAMETER_FAULTS)
async def test_an_invalid_parameter_is_refused(openai, more, why):
    server = fake.responses([], models=["m"], unsupported=["temperature"], context=500)
    async with server, client(openai, server) as asking:
        with pytest.raises(openai.BadRequestError, match=why):
            await ask(asking, **more)


async def test_items_end_without_done_and_interleave(openai):
    for habit in (Habit.ITEM_DONE_MISSING, Habit.INTERLEAVED):
        server = fake.responses([Said(calls=CALLS)], habit=habit)
        async with server, client(openai, server) as asking:
            events = [event async for event in await ask(asking, stream=True)]
        kinds = [event.type.removeprefix("response.") for event in events]
        assert ("output_item.done" in kinds) == (habit != Habit.ITEM_DONE_MISSING)
        assert (kinds[2:4] == ["output_item.added"] * 2) == (habit == Habit.INTERLEAVED)
        assert [item.arguments for item in events[-1].response.output] == [
            '{"query":"ä"}',
            '{"query":"b"}',
        ]


async def test_a_reply_is_cut_by_its_limit_or_an_error(openai):
    server = fake.responses([Said("Hel", stop="length")] * 2)
    async with server, client(openai, server) as asking:
        assert (await ask(asking)).incomplete_details.reason == "max_output_tokens"
        events = [event async for event in await ask(asking, stream=True)]
        assert events[-1].type == "response.incomplete"
    server = fake.responses([Said("Hello.")], habit=Habit.ERROR_MIDWAY)
    async with server, client(openai, server) as asking:
        found = [event async for event in await ask(asking, stream=True)]
        assert (found[-1].type, found[-1].code) == ("error", "server_error")


def test_the_parameters_are_those_of_the_sdk(openai):
    params = importlib.import_module("openai.types.responses.response_create_params")
    assert params.ResponseCreateParamsBase.__annotations__.keys() | {"stream"} == PARAMETERS
