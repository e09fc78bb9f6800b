"""Does the fake Chat Completions server refuse, stream and fail as servers do?"""

import copy
import importlib
import itertools
import json

import httpx2
import pytest

from tests.fakes import providers as fake
from tests.fakes.providers import Dropped, Failed, Gate, Habit, Raw, Rules, Said, Used
from tests.fakes.providers.chat_checks import PARAMETERS
from tests.require import package

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": f"{name} something",
            "parameters": {
                "type": "object",
                "properties": {"query": {"type": "string"}},
                "required": ["query"],
            },
        },
    }
    for name in ("search", "read")
]
USER = {"role": "user", "content": "Who?"}
CALLS = [("search", {"query": "ä"}), ("search", {"query": "b"}), ("read", {"query": "c"})]


def call(id, name="search", arguments='{"query": "x"}'):
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def assistant(*calls, **more):
    return {"role": "assistant", "content": None, "tool_calls": list(calls)} | more


def result(id, text="found"):
    return {"role": "tool", "tool_call_id": id, "content": text}


HISTORY = [
    {"role": "system", "content": "Search."},
    USER,
    assistant(call("a"), call("b")),
    result("b"),
    result("a"),
    {"role": "user", "content": "Go on."},
]


@pytest.fixture
def openai():
    package("openai")
    return importlib.import_module("openai")


def client(openai, server, key="sk-1"):
    plain = httpx2.AsyncClient(verify=False, timeout=20)  # certificates take 45 ms to load
    return openai.AsyncOpenAI(base_url=server.url, api_key=key, max_retries=0, http_client=plain)


def ask(client, messages=(USER,), **more):
    given = {"model": "m", "messages": list(messages), "tools": TOOLS} | more
    return client.chat.completions.create(**{k: v for k, v in given.items() if v is not None})


async def streamed(client, **more):
    """Return the chunks as the server wrote them."""
    more = {"stream": True, "stream_options": {"include_usage": True}} | more
    return [chunk.to_dict(warnings=False) async for chunk in await ask(client, **more)]


def deltas(chunks):
    return [choice["delta"] for chunk in chunks for choice in chunk["choices"]]


def parts(chunks):
    return [part for delta in deltas(chunks) for part in delta.get("tool_calls", ())]


def text(chunks):
    return "".join(delta.get("content") or "" for delta in deltas(chunks))


async def test_a_conversation_passes(openai):
    script = [Said("Looking.", calls=CALLS, reasoning="Hm."), Said("It is Ann.")]
    async with fake.chat(script, key="sk-1") as server, client(openai, server) as asking:
        first = (await ask(asking)).choices[0]
        assert first.finish_reason == "tool_calls"
        message = first.message
        assert [json.loads(each.function.arguments) for each in message.tool_calls] == [
            arguments for _, arguments in CALLS
        ]
        assert message.to_dict()["reasoning_content"] == "Hm."
        answers = [result(each.id) for each in message.tool_calls]
        history = [USER, message.to_dict(), *reversed(answers), {"role": "user", "content": "So?"}]
        second = await ask(asking, history)
        assert (second.choices[0].message.content, second.choices[0].finish_reason) == (
            "It is Ann.",
            "stop",
        )
        assert second.usage.prompt_tokens_details.cached_tokens > 0
    assert server.invalid == []
    assert [asked.status for asked in server.requests] == [200, 200]


async def test_what_is_streamed_is_what_the_sdk_types_say(openai):
    chunk_type = importlib.import_module("openai.types.chat").ChatCompletionChunk
    said = Said("Lööking.", calls=CALLS, used=Used(100, 20, cached=60, reasoning=5))
    async with fake.chat([said]) as server, client(openai, server) as asking:
        chunks = await streamed(asking)
    for chunk in chunks:
        chunk_type.model_validate(chunk)
    assert text(chunks) == "Lööking."
    assert chunks[-1]["choices"] == []
    assert chunks[-1]["usage"]["prompt_tokens_details"]["cached_tokens"] == 60
    whole = {}
    for part in parts(chunks):
        whole.setdefault(part["index"], []).append(part["function"]["arguments"])
    assert [json.loads("".join(each)) for each in whole.values()] == [each for _, each in CALLS]


INVALID = {
    "unanswered": ([*HISTORY[:4], HISTORY[5]], "must be followed by tool messages.*: a$"),
    "unanswered at the end": (HISTORY[:3], "did not have response messages: a, b"),
    "user between": ([*HISTORY[:4], USER, HISTORY[4]], "must be followed by tool messages"),
    "orphan": ([USER, result("a")], "must be a response to a preceeding message"),
    "answered twice": ([*HISTORY[:5], result("a")], "must be a response to a preceeding message"),
    "one id twice": ([USER, assistant(call("a"), call("a")), result("a")], "Duplicate value"),
    "no arguments": ([USER, assistant(call("a", arguments="")), result("a")], "JSON object"),
    "cut arguments": ([USER, assistant(call("a", arguments='{"q')), result("a")], "JSON object"),
    "object": ([USER, assistant(call("a", arguments={})), result("a")], "JSON object"),
    "list": ([USER, assistant(call("a", arguments="[1]")), result("a")], "JSON object"),
    "no id": ([USER, assistant({**call("a"), "id": None}), result("a")], "tool_calls.0..id'"),
    "long id": ([USER, assistant(call("a" * 41)), result("a" * 41)], "maximum length 40"),
    "odd name": ([USER, assistant(call("a", name="a.b")), result("a")], "does not match pattern"),
    "no content": ([{"role": "user", "content": None}], "expected a string, got null"),
    "empty reply": ([USER, {"role": "assistant", "content": None}], "expected a string, got null"),
    "no calls": ([USER, assistant()], "empty array"),
    "no messages": ([], "Invalid 'messages': empty array"),
    "role": ([{"role": "results", "content": "x"}], "Invalid value: 'results'"),
    "our own field": ([USER | {"turn": 1}], "Unknown parameter: 'messages.0..turn'"),
    "wrong part": (
        [USER | {"content": [{"type": "tool_result"}]}],
        "Invalid 'messages.0..content'",
    ),
}


@pytest.mark.parametrize(("messages", "why"), INVALID.values(), ids=INVALID)
async def test_an_invalid_history_is_refused(openai, messages, why):
    async with fake.chat([Said("ok")]) as server, client(openai, server) as asking:
        with pytest.raises(openai.BadRequestError, match=why) as refused:
            await ask(asking, messages)
        await ask(asking, HISTORY)  # a refused request takes no answer
    assert refused.value.body.keys() == {"message", "type", "param", "code"}
    assert refused.value.type == "invalid_request_error"
    assert [asked.number for asked in server.invalid] == [1]


def changed(path, value):
    tools = copy.deepcopy(TOOLS)
    *way, last = path
    place = tools[0]
    for step in way:
        place = place[step]
    place[last] = value
    return {"tools": tools}


PARAMETER_FAULTS = {
    "unknown": ({"extra_body": {"top_k": 3}}, "Unknown parameter: 'top_k'"),
    "choice": ({"tool_choice": "any"}, "Supported values are"),
    "choice of no tool": (
        {"tool_choice": {"type": "function", "function": {"name": "x"}}},
        "Tool choice 'x' not found",
    ),
    "choice without tools": ({"tools": None, "tool_choice": "none"}, "only allowed when 'tools'"),
    "parallel without tools": (
        {"tools": None, "parallel_tool_calls": False},
        "only allowed when 'tools'",
    ),
    "no tools": ({"tools": []}, "Invalid 'tools': empty array"),
    "options": ({"stream_options": {"include_usage": True}}, "only allowed when 'stream'"),
    "limit": ({"max_tokens": 0}, "below minimum"),
    "tool name": (changed(["function", "name"], "a b"), "does not match pattern"),
    "schema type": (changed(["function", "parameters"], {"type": "array"}), 'type: "object"'),
    "no schema type": (
        changed(["function", "parameters"], {"properties": {}}),
        "got 'type: \"None",
    ),
    "inner type": (
        changed(["function", "parameters", "properties", "query"], {"type": "text"}),
        "'text' is not valid .* in properties.query",
    ),
    "inner enum": (
        changed(["function", "parameters", "properties", "query"], {"enum": "a"}),
        "'a' is not of type 'array'",
    ),
    "required": (changed(["function", "parameters", "required"], "query"), "not of type 'array'"),
    "what only the SDK knows": ({"temperature": "hot"}, "types of the SDK"),
}


@pytest.mark.parametrize(("more", "why"), PARAMETER_FAULTS.values(), ids=PARAMETER_FAULTS)
async def test_an_invalid_parameter_is_refused(openai, more, why):
    async with fake.chat([]) as server, client(openai, server) as asking:
        with pytest.raises(openai.BadRequestError, match=why):
            await ask(asking, **more)


async def test_keys_models_paths_and_sizes(openai):
    server = fake.chat([Said("ok")], key="sk-1", models=["m"], context=300)
    async with server, client(openai, server) as asking:
        with pytest.raises(openai.NotFoundError, match="does not exist"):
            await ask(asking, model="n")
        with pytest.raises(openai.NotFoundError, match="Invalid URL"):
            await asking.completions.create(model="m", prompt="x")
        with pytest.raises(openai.BadRequestError, match="maximum context length is 300") as long:
            await ask(asking, [{"role": "user", "content": "x" * 2000}])
        assert long.value.code == "context_length_exceeded"
        with pytest.raises(openai.AuthenticationError, match="Incorrect API key"):
            await ask(asking.with_options(api_key="sk-2"))
        with pytest.raises(openai.AuthenticationError, match="didn't provide an API key"):
            await ask(asking, extra_headers={"Authorization": openai.Omit()})
        assert [each.id async for each in asking.models.list()] == ["m"]
        await ask(asking)


async def test_servers_with_other_rules(openai):
    odd = assistant(call("a"), call("b"), reasoning_content="Hm.")
    thought = [USER, odd, result("a"), result("b")]
    async with fake.chat(itertools.repeat(Said("ok"))) as server, client(openai, server) as asking:
        await ask(asking, thought)
    alternate = Rules(reasoning="refused", alternate=True, unsupported=["max_tokens"])
    server = fake.chat(itertools.repeat(Said("ok")), rules=alternate)
    async with server, client(openai, server) as asking:
        with pytest.raises(openai.BadRequestError, match=r"Unknown parameter.*reasoning_content"):
            await ask(asking, thought)
        with pytest.raises(openai.BadRequestError, match="must alternate"):
            await ask(asking, [USER, USER])
        with pytest.raises(openai.BadRequestError, match="must alternate"):
            await ask(asking, HISTORY)
        with pytest.raises(openai.BadRequestError, match="'max_tokens' is not supported"):
            await ask(asking, max_tokens=5)
        await ask(asking, HISTORY[:5])


@pytest.mark.parametrize("habit", [Habit.NORMAL, Habit.REASONING_DETAILS], ids=str)
async def test_reasoning_must_come_back_unchanged_where_it_must(openai, habit):
    script = [Said(calls=CALLS[:1], reasoning="Hm."), Said("ok")]
    server = fake.chat(script, rules=Rules(reasoning="required"), habit=habit)
    async with server, client(openai, server) as asking:
        message = (await ask(asking)).choices[0].message.to_dict()
        answer = result(message["tool_calls"][0]["id"])
        for field in {"reasoning_content", "reasoning_details"} & message.keys():
            with pytest.raises(openai.BadRequestError, match=f"Missing `{field}` field"):
                await ask(asking, [USER, message | {field: "Hmm."}, answer])
        await ask(asking, [USER, message, answer])


@pytest.mark.parametrize("habit", list(fake.FRAMING & ~Habit.ERROR_MIDWAY & ~Habit.STREAM_IGNORED))
async def test_every_framing_says_the_same(openai, habit):
    said = Said("Lööking.", calls=CALLS)
    async with fake.chat([said, said], habit=habit) as server, client(openai, server) as asking:
        chunks = await streamed(asking)
        assert text(chunks) == "Lööking."
        assert ("usage" in chunks[-1]) == (habit != Habit.USAGE_ABSENT)
        assert await streamed(asking)  # on the same connection, or on a new one


def pretty(part):
    function = part.get("function", {})
    return (part.get("index"), part.get("id"), function.get("name"), function.get("arguments"))


TWO = [("search", {"q": 1}), ("search", {"q": 2})]
ONE, OTHER = '{"q":1}', '{"q":2}'
A, B = "call_1_0", "call_1_1"
DELTAS = {
    Habit.WHOLE: [(0, A, "search", ONE), (1, B, "search", OTHER)],
    Habit.WHOLE | Habit.INDEX_ZERO: [(0, A, "search", ONE), (0, B, "search", OTHER)],
    Habit.WHOLE | Habit.INDEX_MISSING: [(None, A, "search", ONE), (None, B, "search", OTHER)],
    Habit.WHOLE | Habit.IDS_ABSENT: [(0, None, "search", ONE), (1, None, "search", OTHER)],
    Habit.WHOLE | Habit.IDS_EQUAL: [(0, "call_1", "search", ONE), (1, "call_1", "search", OTHER)],
    Habit.WHOLE | Habit.CONCATENATED: [(0, A, "search", ONE + OTHER)],
    Habit.ARGUMENTS_OBJECT: [(0, A, "search", {"q": 1}), (1, B, "search", {"q": 2})],
    Habit.INTERLEAVED: [
        *[(0, A, "search", ""), (1, B, "search", "")],
        *[(0, None, None, '{"q'), (1, None, None, '{"q')],
        *[(0, None, None, '":1'), (1, None, None, '":2')],
        *[(0, None, None, "}"), (1, None, None, "}")],
    ],
    Habit.NAMES_REPEATED | Habit.IDS_REPEATED: [
        *[(0, A, "search", ""), (0, A, "search", '{"q'), (0, A, "search", '":1')],
        *[(0, A, "search", "}"), (1, B, "search", ""), (1, B, "search", '{"q')],
        *[(1, B, "search", '":2'), (1, B, "search", "}")],
    ],
    Habit.NAMES_IN_PIECES: [
        *[(0, A, "sea", ""), (0, None, "rch", None), (0, None, None, '{"q')],
        *[(0, None, None, '":1'), (0, None, None, "}"), (1, B, "sea", ""), (1, None, "rch", None)],
        *[(1, None, None, '{"q'), (1, None, None, '":2'), (1, None, None, "}")],
    ],
}


@pytest.mark.parametrize(("habit", "expected"), DELTAS.items(), ids=str)
async def test_calls_are_streamed_in_every_habit(openai, habit, expected):
    async with (
        fake.chat([Said(calls=TWO)], habit=habit) as server,
        client(openai, server) as asking,
    ):
        chunks = await streamed(asking)
    assert [pretty(part) for part in parts(chunks)] == expected
    assert chunks[-2]["choices"][0]["finish_reason"] == "tool_calls"


async def test_two_calls_in_one_delta(openai):
    server = fake.chat([Said(calls=TWO)], habit=Habit.ONE_DELTA)
    async with server, client(openai, server) as asking:
        found = [len(each.get("tool_calls", ())) for each in deltas(await streamed(asking))]
    assert found == [0, 2, 0]


async def test_calls_are_left_in_the_text(openai):
    server = fake.chat([Said("So:", calls=TWO)], habit=Habit.CALLS_IN_TEXT)
    async with server, client(openai, server) as asking:
        said = text(await streamed(asking))
    tagged = '\n<tool_call>\n{"name": "search", "arguments": %s}\n</tool_call>'
    assert said == "So:" + tagged % ONE + tagged % OTHER


async def test_reasoning_stands_where_the_habit_has_it(openai):
    found = {}
    for habit in (Habit.NORMAL, Habit.REASONING, Habit.REASONING_DETAILS, Habit.THINK_TAGS):
        server = fake.chat([Said("Ann.", reasoning="Hm, let me think.")], habit=habit)
        async with server, client(openai, server) as asking:
            found[habit] = {}
            for delta in deltas(await streamed(asking)):
                for name in delta.keys() - {"role"}:
                    told = delta[name] if isinstance(delta[name], str) else delta[name][0]["text"]
                    found[habit][name] = found[habit].get(name, "") + told
    thought = "Hm, let me think."
    assert found == {
        Habit.NORMAL: {"content": "Ann.", "reasoning_content": thought},
        Habit.REASONING: {"content": "Ann.", "reasoning": thought},
        Habit.REASONING_DETAILS: {
            "content": "Ann.",
            "reasoning": thought,
            "reasoning_details": thought,
        },
        Habit.THINK_TAGS: {"content": f"<think>\n{thought}\n</think>\n\nAnn."},
    }


async def test_finish_reasons_lie_and_usage_moves(openai):
    async def ends(said, habit):
        async with fake.chat([said], habit=habit) as server, client(openai, server) as asking:
            chunks = await streamed(asking)
        reasons = [each["choices"][0]["finish_reason"] for each in chunks if each["choices"]]
        return reasons[-1], [bool(chunk.get("usage")) for chunk in chunks]

    said = Said("a")
    assert await ends(Said(calls=TWO[:1]), Habit.SAYS_STOP | Habit.WHOLE) == (
        "stop",
        [False, False, False, True],
    )
    assert await ends(said, Habit.SAYS_TOOL_CALLS) == ("tool_calls", [False, False, False, True])
    assert await ends(said, Habit.USAGE_IN_EVERY_CHUNK) == ("stop", [True, True, True])
    assert await ends(said, Habit.USAGE_WITH_FINISH) == ("stop", [False, False, True])
    assert await ends(said, Habit.USAGE_ABSENT) == ("stop", [False, False, False])
    assert (await ends(Said("a", stop="length"), Habit.NORMAL))[0] == "length"


async def test_a_stream_ends_in_an_error_or_without_done(openai):
    server = fake.chat([Said("Hello there.")], habit=Habit.ERROR_MIDWAY)
    async with server, client(openai, server) as asking:
        with pytest.raises(openai.APIError, match="had an error while processing"):
            await streamed(asking)
    async with fake.chat([Said("Hello.")] * 2) as server:
        for habit in (Habit.NORMAL, Habit.DONE_MISSING):
            body = await raw(server, habit)
            assert (b"[DONE]" in body) == (habit == Habit.NORMAL)


async def raw(server, habit):
    """Return the bytes of a stream."""
    server.habit = habit
    async with httpx2.AsyncClient(verify=False) as asking:
        body = {"model": "m", "messages": [USER], "stream": True}
        return (await asking.post(f"{server.url}/chat/completions", json=body)).content


async def test_faults(openai):
    date = "Wed, 21 Oct 2026 07:28:00 GMT"
    faults = [
        Failed(429, retry_after="2"),
        Failed(503, retry_after=date),
        Failed(529),
        fake.page(502),
        Dropped(),
        Raw(200, b"<html>", "text/html"),
        fake.huge(1_000_000, 500),
    ]
    async with fake.chat([*faults, Said("ok")]) as server, client(openai, server) as asking:
        with pytest.raises(openai.RateLimitError) as limited:
            await ask(asking)
        assert limited.value.response.headers["retry-after"] == "2"
        assert limited.value.code == "rate_limit_exceeded"
        with pytest.raises(openai.InternalServerError) as failed:
            await ask(asking)
        assert failed.value.response.headers["retry-after"] == date
        with pytest.raises(openai.InternalServerError) as failed:
            await ask(asking)
        assert failed.value.status_code == 529
        with pytest.raises(openai.InternalServerError) as failed:
            await ask(asking)
        assert "502 Bad Gateway" in failed.value.response.text
        assert "text/html" in failed.value.response.headers["content-type"]
        with pytest.raises(openai.APIConnectionError):
            await ask(asking)
        assert await ask(asking) == "<html>"
        with pytest.raises(openai.InternalServerError) as failed:
            await ask(asking)
        assert len(failed.value.response.content) == 1_000_000
        assert (await ask(asking)).choices[0].message.content == "ok"


async def test_a_stream_is_cut_after_any_byte(openai):
    async with fake.chat([Said("Hello.")] * 2) as server:
        size = len(await raw(server, Habit.NORMAL))
    cuts = [0, 1, size // 2, size - 2]
    server = fake.chat([Said("Hello.", cut=cut) for cut in cuts])
    async with server, client(openai, server) as asking:
        for _ in cuts:
            with pytest.raises(openai.APIConnectionError):
                [chunk async for chunk in await ask(asking, tools=None, stream=True)]


async def test_a_gate_holds_a_stream(openai):
    gate = Gate()
    async with fake.chat([Said("Hello.", gate=gate)]) as server, client(openai, server) as asking:
        await gate.let(1)
        stream = await ask(asking, stream=True)
        first = await anext(stream)
        assert first.choices[0].delta.content == ""
        assert gate.sent == 1
        await gate.open()
        rest = [chunk.choices[0].delta.content async for chunk in stream]
    assert "".join(part or "" for part in rest) == "Hello."


async def test_a_gate_notes_that_the_client_went(openai):
    gate = Gate()
    async with fake.chat([Said("Hello.", gate=gate)]) as server, client(openai, server) as asking:
        await gate.let(1)
        stream = await ask(asking, stream=True)
        await anext(stream)
        await stream.close()
        await gate.left.wait()
    assert [asked.left for asked in server.requests] == [True]


def test_a_server_runs_in_a_thread(openai):
    with fake.chat([Said("ok")]) as server:
        asking = openai.OpenAI(base_url=server.url, api_key="x", max_retries=0)
        with asking:
            asked = asking.chat.completions.create(model="m", messages=[USER])
    assert asked.choices[0].message.content == "ok"


async def test_a_script_that_ran_out_says_so(openai):
    async with fake.chat([]) as server, client(openai, server) as asking:
        with pytest.raises(openai.BadRequestError, match="nothing for request 1"):
            await ask(asking)


def test_a_habit_of_another_dialect_is_refused():
    with pytest.raises(ValueError, match="has no habit"):
        fake.chat([], habit=Habit.PINGS)


def test_the_parameters_are_those_of_the_sdk(openai):
    params = importlib.import_module("openai.types.chat.completion_create_params")
    assert params.CompletionCreateParamsBase.__annotations__.keys() | {"stream"} == PARAMETERS
