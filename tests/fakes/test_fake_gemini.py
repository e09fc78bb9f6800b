"""Does the fake Gemini server refuse, stream and fail as the real one does?"""

import base64
import importlib
import json

import httpx2
import pytest

from tests.fakes import providers as fake
from tests.fakes.providers import Failed, Habit, Said, Used
from tests.fakes.providers.sdks import has
from tests.require import need

SCHEMA = {"type": "OBJECT", "properties": {"query": {"type": "STRING"}}, "required": ["query"]}
DECLARED = {"name": "search", "description": "Search.", "parameters": SCHEMA}
USER = {"role": "user", "parts": [{"text": "Who?"}]}
CALLS = [("search", {"query": "ä"}), ("search", {"query": "b"})]
DUMMY = "skip_thought_signature_validator"


@pytest.fixture
def genai():
    need(has("google.genai"), "package 'google.genai'")
    return importlib.import_module("google.genai")


def client(genai, server, key="k-1"):
    options = genai.types.HttpOptions(base_url=server.url, timeout=20_000)
    return genai.Client(api_key=key, http_options=options).aio


def config(genai, **more):
    tool = {"function_declarations": [DECLARED]}
    return genai.types.GenerateContentConfig(
        tools=[tool], automatic_function_calling={"disable": True}, **more
    )


def ask(genai, asking, contents=(USER,), **more):
    return asking.models.generate_content(
        model="m", contents=list(contents), config=config(genai, **more)
    )


def answered(calls, **more):
    parts = [
        {"functionResponse": {"name": call.name, "response": {"output": "found"}, "id": call.id}}
        for call in calls
    ]
    return {"role": "user", "parts": parts}


async def post(server, contents, verb="generateContent", **more):
    """Ask without the SDK, which would mend or refuse some requests itself."""
    body = {"contents": contents, "tools": [{"functionDeclarations": [DECLARED]}]} | more
    async with httpx2.AsyncClient(verify=False) as asking:
        url = f"{server.url}/v1beta/models/m:{verb}"
        headers = {"x-goog-api-key": "k-1"}
        return await asking.post(url, json=body, headers=headers, params={"alt": "sse"})


@pytest.mark.parametrize("habit", [Habit.NORMAL, Habit.IDS_ABSENT, Habit.CRLF])
async def test_a_conversation_passes(genai, habit):
    script = [Said("Looking.", calls=CALLS, reasoning="Hm."), Said("It is Ann.")]
    server = fake.gemini(script, key="k-1", habit=habit)
    async with server:
        asking = client(genai, server)
        first = await ask(genai, asking)
        assert [call.args for call in first.function_calls] == [args for _, args in CALLS]
        signed = [part.thought_signature is not None for part in first.candidates[0].content.parts]
        assert signed == [False, False, True, False]
        content = first.candidates[0].content.model_dump(
            mode="json", by_alias=True, exclude_none=True
        )
        responses = answered(first.function_calls)
        if habit != Habit.IDS_ABSENT:
            responses["parts"].reverse()
        second = await ask(genai, asking, [USER, first.candidates[0].content, responses])
        assert (second.text, second.candidates[0].finish_reason) == ("It is Ann.", "STOP")
        assert second.usage_metadata.cached_content_token_count > 0
        await asking.aclose()
    assert server.invalid == []
    assert content["parts"][2]["thoughtSignature"]


async def test_a_stream_has_each_call_whole(genai):
    said = Said("Löoking.", calls=CALLS, reasoning="Hm.", used=Used(100, 20, 60, 0, 3))
    for habit in (Habit.NORMAL, Habit.ONE_DELTA, Habit.SEVERAL_DATA_LINES | Habit.COMMENTS):
        async with fake.gemini([said], habit=habit) as server:
            lines = (await post(server, [USER], "streamGenerateContent")).text
        events = [event for event in lines.replace("\r", "").split("\n\n") if "data:" in event]
        chunks = [
            json.loads("".join(line[5:] for line in event.split("\n") if line[:5] == "data:"))
            for event in events
        ]
        for chunk in chunks:
            genai.types.GenerateContentResponse.model_validate(chunk)
        parts = [chunk["candidates"][0]["content"].get("parts", []) for chunk in chunks]
        calls = [[part for part in each if "functionCall" in part] for each in parts]
        assert max(map(len, calls)) == (2 if habit == Habit.ONE_DELTA else 1)
        assert sum("thoughtSignature" in part for each in parts for part in each) == 1
        assert chunks[-1]["candidates"][0]["finishReason"] == "STOP"
        usage = chunks[-1]["usageMetadata"]
        assert (usage["candidatesTokenCount"], usage["thoughtsTokenCount"]) == (17, 3)


async def test_the_sdk_reads_the_stream(genai):
    async with fake.gemini([Said("It is Ann.", reasoning="Hm.")]) as server:
        asking = client(genai, server)
        stream = await asking.models.generate_content_stream(
            model="m", contents=[USER], config=config(genai)
        )
        chunks = [chunk async for chunk in stream]
        await asking.aclose()
    assert "".join(chunk.text or "" for chunk in chunks) == "It is Ann."
    assert chunks[-1].candidates[0].content.parts[0].thought_signature


def call(name="search", signature=DUMMY, **more):
    seal = {} if signature is None else {"thoughtSignature": signature}
    return {"functionCall": {"name": name, "args": {}} | more} | seal


def response(name="search", **more):
    return {"functionResponse": {"name": name, "response": {"output": "x"}} | more}


def model(*parts):
    return {"role": "model", "parts": list(parts)}


def user(*parts):
    return {"role": "user", "parts": list(parts)}


TWO = model(call(), call(signature=None))
COUNT, AFTER = "number of function response parts is equal", "comes immediately after a function ca"
INVALID = {
    "one too few": ([USER, TWO, user(response())], COUNT),
    "two contents": ([USER, TWO, user(response()), user(response())], COUNT),
    "one too many": ([USER, TWO, user(response(), response(), response())], COUNT),
    "text beside": ([USER, TWO, user(response(), response(), {"text": "x"})], COUNT),
    "unanswered": ([USER, TWO, USER], AFTER),
    "orphan": ([user(response())], AFTER),
    "unanswered at the end": ([USER, TWO], "end with a user turn or a function response"),
    "calls first": ([TWO, user(response(), response())], "immediately after a user turn"),
    "calls after the model": (
        [USER, model({"text": "x"}), model(call()), user(response())],
        "immediately after a user turn",
    ),
    "other name": ([USER, model(call()), user(response("read"))], "does not match function call"),
    "other id": ([USER, model(call(id="a")), user(response(id="b"))], "ids do not match"),
    "other order": (
        [USER, model(call("read"), call(signature=None)), user(response(), response("read"))],
        "does not match function call",
    ),
    "call of the user": ([user(call())], "turn of the right role"),
    "response is text": ([USER, model(call()), user(response(response="x"))], "protobuf.Struct"),
    "args are text": ([USER, model(call(args="{}")), user(response())], "protobuf.Struct"),
    "unsigned": ([USER, model(call(signature=None)), user(response())], "missing a thought_sig"),
    "second signed": (
        [USER, model(call(signature=None), call()), user(response(), response())],
        "missing a thought_signature",
    ),
    "made-up signature": ([USER, model(call(signature="eA==")), user(response())], "not valid"),
    "role": ([{"role": "assistant", "parts": [{"text": "x"}]}], "valid role: user, model"),
    "no parts": ([user()], "parts must not be empty"),
    "empty text": ([user({"text": ""})], "must have one initialized field"),
    "two in one": ([user({"text": "x"} | call())], "must have one initialized field"),
    "no contents": ([], "contents is not specified"),
    "our own field": ([USER | {"turn": 1}], "types of the SDK"),
}


@pytest.mark.parametrize(("contents", "why"), INVALID.values(), ids=INVALID)
async def test_an_invalid_history_is_refused(genai, contents, why):
    async with fake.gemini([]) as server:
        refused = await post(server, contents)
    error = refused.json()["error"]
    assert why in error["message"]
    assert (refused.status_code, error["code"], error["status"]) == (400, 400, "INVALID_ARGUMENT")


async def test_signed_calls_come_back_unchanged(genai):
    script = [Said(calls=CALLS), Said("ok")]
    async with fake.gemini(script) as server:
        content = (await post(server, [USER])).json()["candidates"][0]["content"]
        first, second = content["parts"]
        answers = user(*[response(id=part["functionCall"]["id"]) for part in (first, second)])

        async def message(*parts):
            return (await post(server, [USER, model(*parts), answers])).json()["error"]["message"]

        other = {"functionCall": first["functionCall"] | {"args": {"query": "c"}}}
        seal = {"thoughtSignature": first["thoughtSignature"]}
        bare = {"functionCall": first["functionCall"]}
        assert "Corrupted" in await message(other | seal, second)
        assert "Corrupted" in await message(second | seal, bare)
        assert "missing a thought_signature" in await message(bare, second | seal)
        forged = base64.b64encode(b"thought 9").decode()
        assert "not valid" in await message(bare | {"thoughtSignature": forged}, second)
        assert (await post(server, [USER, content, answers])).status_code == 200


def declared(**more):
    return {"tools": [{"functionDeclarations": [DECLARED | more]}]}


def schema(**more):
    return declared(parameters=SCHEMA | more)


def mode(**more):
    return {"toolConfig": {"functionCallingConfig": more}}


PARAMETER_FAULTS = {
    "unknown": ({"max_tokens": 3}, 'Unknown name "max_tokens"'),
    "unknown setting": ({"generationConfig": {"max_tokens": 3}}, "types of the SDK"),
    "tool name": (declared(name="a b"), "Invalid function name"),
    "one tool twice": (
        {"tools": [{"functionDeclarations": [DECLARED, DECLARED]}]},
        "Duplicate function declaration",
    ),
    "word of JSON Schema": (schema(additionalProperties=False), 'Unknown name "additionalProp'),
    "type list": (schema(type=["OBJECT", "NULL"]), "not repeating"),
    "no properties": (schema(properties={}, required=[]), "non-empty for OBJECT type"),
    "required": (schema(required=["q"]), "property is not defined"),
    "array": (schema(properties={"query": {"type": "ARRAY"}}), "items: missing field"),
    "enum": (schema(properties={"query": {"type": "INTEGER", "enum": [1]}}), "STRING type"),
    "both": (declared(parametersJsonSchema={"type": "object"}), "mutually exclusive"),
    "json schema": (
        {
            "tools": [
                {"functionDeclarations": [{"name": "x", "parametersJsonSchema": {"type": "y"}}]}
            ]
        },
        "'y' is not valid",
    ),
    "mode": (mode(mode="REQUIRED"), "Invalid value"),
    "allowed": (mode(mode="AUTO", allowedFunctionNames=["search"]), "set to ANY"),
    "allowed unknown": (mode(mode="ANY", allowedFunctionNames=["x"]), "not declared"),
    "mode without tools": (mode(mode="NONE") | {"tools": []}, "without function_declarations"),
    "size": ({"systemInstruction": user({"text": "x" * 4000})}, "exceeds the maximum number"),
}


@pytest.mark.parametrize(("more", "why"), PARAMETER_FAULTS.values(), ids=PARAMETER_FAULTS)
async def test_an_invalid_parameter_is_refused(genai, more, why):
    async with fake.gemini([], context=500) as server:
        refused = await post(server, [USER], **more)
    assert (refused.status_code, why in refused.json()["error"]["message"]) == (400, True)


async def test_keys_models_and_failures(genai):
    script = [Failed(429, retry_after="3"), Failed(503)]
    async with fake.gemini(script, key="k-1", models=["m"]) as server:
        errors = importlib.import_module("google.genai.errors")
        wrong, asking = client(genai, server, "k-2"), client(genai, server)
        with pytest.raises(errors.ClientError, match="API key not valid"):
            await ask(genai, wrong)
        with pytest.raises(errors.ClientError, match="RESOURCE_EXHAUSTED"):
            await ask(genai, asking)
        with pytest.raises(errors.ServerError, match="UNAVAILABLE"):
            await ask(genai, asking)
        with pytest.raises(errors.ClientError, match="models/n is not found"):
            await asking.models.generate_content(model="n", contents="x")
        await wrong.aclose()
        await asking.aclose()


async def test_older_models_sign_nothing_and_replies_may_be_empty(genai):
    malformed = Said(calls=[("search", '{"que')])
    async with fake.gemini([Said(calls=CALLS), Said(), malformed], signs=False) as server:
        content = (await post(server, [USER])).json()["candidates"][0]["content"]
        assert not any("thoughtSignature" in part for part in content["parts"])
        empty = (await post(server, [USER])).json()["candidates"][0]
        assert (empty["content"], empty["finishReason"]) == ({"role": "model"}, "STOP")
        broken = (await post(server, [USER])).json()["candidates"][0]
        assert broken["finishReason"] == "MALFORMED_FUNCTION_CALL"
