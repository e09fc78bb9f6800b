"""Width by constrained decoding: a reply is one JSON object, and calls are its entries."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fakes import providers as fake
from tests.fakes.providers import Said
from tests.fakes.runs import Scripted, research
from tests.fakes.tools import look
from tests.models.compat.asking import QUESTION, SEARCH, after, ask, request

from widedeep import Agent
from widedeep.messages import Assistant, ToolCall, ToolSpec, User, Width
from widedeep.models.compat import Compat, Server
from widedeep.models.compat.schema import Entries
from widedeep.models.compat.shape import longest, reply_shape
from widedeep.models.named import open_model
from widedeep.prompts import fill
from widedeep.seams import CallReady, Text
from widedeep.settings import load

CALLS = {
    "reasoning": "Look for both.",
    "calls": [
        {"tool": "search", "arguments": {"query": 'a "}]" b'}},
        {"tool": "read", "arguments": {"id": "7"}},
    ],
}


def body(made):
    server = Server("http://localhost/v1", width_mode="schema")
    return json.loads(Compat("m", server).body(made))


def shapes(made):
    shape = reply_shape(made)
    return {
        next(n for n in ("calls", "answer") if n in one["properties"])
        for one in (shape.get("anyOf") or [shape])
    }


@pytest.mark.parametrize(
    ("turn", "choice", "tools", "expected"),
    [
        (1, "auto", (SEARCH,), {"calls"}),
        (2, "auto", (SEARCH,), {"calls", "answer"}),
        (2, "none", (SEARCH,), {"answer"}),
        (1, "auto", (), {"answer"}),
    ],
)
def test_what_a_reply_may_be(turn, choice, tools, expected):
    assert shapes(request(turn=turn, choice=choice, tools=tools)) == expected


@pytest.mark.parametrize(
    ("width", "least", "most"),
    [
        (Width(3, 3), 3, 3),
        (Width(3, 4), 3, 4),
        (Width(1, 1), 1, 1),
        (Width(None, 4), 1, 4),
        (Width(5, None), 5, 5),
        (Width(2, 1), 2, 2),
    ],
)
def test_a_reply_is_as_wide_as_is_wanted(width, least, most):
    from widedeep.seams import Request

    calls = reply_shape(Request(1, QUESTION, None, (SEARCH,), width))["properties"]["calls"]
    assert (calls["minItems"], calls["maxItems"]) == (least, most)


def test_every_text_has_an_end_and_so_has_the_reply():
    spec = ToolSpec(
        "note",
        "Note.",
        {
            "type": "object",
            "properties": {
                "text": {"type": "string"},
                "short": {"type": "string", "maxLength": 10},
                "kind": {"enum": ["a", "b"]},
                "quotes": {"type": "array", "items": {"$ref": "#/$defs/Quote"}},
            },
            "$defs": {"Quote": {"type": "object", "properties": {"n": {"type": "integer"}}}},
        },
    )
    shape = reply_shape(request(tools=(spec,), width=2))
    text = json.dumps(shape)
    assert "$ref" not in text
    arguments = shape["properties"]["calls"]["items"]["anyOf"][0]["properties"]["arguments"]
    texts = arguments["properties"]
    assert (texts["text"]["maxLength"], texts["short"]["maxLength"]) == (200, 10)
    assert texts["quotes"]["maxItems"] == 4
    assert 500 < longest(shape) < 1500


def test_a_reply_of_calls_streams_them_one_by_one():
    script = [Said(json.dumps(CALLS))]
    replies, told, server = ask(script, request(width=2), width_mode="schema")
    calls = [(call.tool, call.arguments) for call in replies[0].calls]
    assert calls == [("search", {"query": 'a "}]" b'}), ("read", {"id": "7"})]
    assert replies[0].reasoning == "Look for both."
    ready = [d for d in told[0] if isinstance(d, CallReady)]
    assert [(d.position, d.call.tool) for d in ready] == [(0, "search"), (1, "read")]
    assert not [d for d in told[0] if isinstance(d, Text)]
    sent = server.requests[0].body
    assert sent["response_format"]["json_schema"]["strict"] is True
    assert "tools" not in sent


def test_the_history_is_what_was_written_and_results_are_one_message():
    script = [Said(json.dumps(CALLS)), Said('{"reasoning": "", "answer": "42 [1]."}')]
    second = lambda r: request(after(QUESTION, r[0], texts=["one", "two"]), turn=2)  # noqa: E731
    replies, _, server = ask(script, request(width=2), second, width_mode="schema")
    messages = server.requests[1].body["messages"]
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "user"]
    assert messages[2]["content"] == json.dumps(CALLS)
    assert messages[3]["content"] == (
        "Result of call 1 (search):\none\n\nResult of call 2 (read):\ntwo\n\nTurn 1 of 3."
    )
    assert "search: Search." in messages[0]["content"]
    assert replies[1].text == "42 [1]."
    assert server.invalid == []


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ('{"reasoning": "", "answer": null}', '{"reasoning": "", "answer": null}'),
        ("The answer is 42.", "The answer is 42."),
        ("[1, 2]", "[1, 2]"),
        ('{"calls": 3}', '{"calls": 3}'),
        ('{"calls": [{"tool": 1}, 4]}', '{"calls": [{"tool": 1}, 4]}'),
    ],
)
def test_a_server_that_keeps_to_no_schema_breaks_nothing(text, reply):
    replies, _, _ = ask([Said(text)], request(turn=2), width_mode="schema")
    assert (replies[0].text, replies[0].calls) == (reply, ())


@pytest.mark.parametrize("size", [75, 110, 128])
def test_calls_that_are_cut_off_are_no_answer(size):
    text = json.dumps(CALLS)[:size]
    replies, _, _ = ask([Said(text, stop="length")], request(), width_mode="schema")
    assert (replies[0].stop, replies[0].text) == ("length", "")
    assert 1 <= len(replies[0].calls) <= 2
    assert replies[0].calls[-1].arguments is None or size > 120


def test_a_run_goes_on_when_its_calls_were_cut_off():
    calls = {"reasoning": "", "calls": [{"tool": "look", "arguments": {"query": "a"}}]}
    script = [
        Said(json.dumps(calls)[:60], stop="length"),
        Said(json.dumps(calls)),
        Said('{"reasoning": "", "answer": "a has 42 inhabitants [1]."}'),
    ]

    async def go():
        async with fake.chat(script) as server:
            model = Compat("m", Server(server.url, width_mode="schema"))
            return await Agent(model, [look], schedule="constant:1").run("How many has a?")

    answer = asyncio.run(go())
    assert (answer.status, answer.calls.refused, answer.calls.ok) == ("answered", 1, 1)


def test_an_answer_that_is_cut_off_is_kept_as_far_as_it_goes():
    text = '{"reasoning": "x", "answer": "The \\"town\\" has 42'
    replies, _, _ = ask([Said(text, stop="length")], request(turn=2), width_mode="schema")
    assert (replies[0].text, replies[0].stop) == ('The "town" has 42', "length")


def test_a_schema_of_several_types_is_one_too():
    kinds = {"type": "object", "properties": {"a": {"type": ["string", "null"]}}}
    shape = reply_shape(request(tools=(ToolSpec("t", "T.", kinds),)))
    assert '"maxLength"' in json.dumps(shape["properties"]["calls"])


def test_a_history_of_tool_calls_is_told_in_this_form():
    said = Assistant("I look.", (ToolCall("search", {"query": "a"}, "1.1"),))
    sent = body(request((*QUESTION, said, User("Late.")), turn=2))
    assert json.loads(sent["messages"][2]["content"]) == {
        "reasoning": "I look.",
        "calls": [{"tool": "search", "arguments": {"query": "a"}}],
    }


@pytest.mark.parametrize(
    ("given", "constrained"),
    [
        ({}, False),
        ({"tool_calls": False}, True),
        ({"width_mode": "schema"}, True),
        ({"width_mode": "hint", "tool_calls": False}, False),
    ],
)
def test_auto_goes_by_what_the_model_can(given, constrained):
    assert Server("http://localhost/v1", **given).constrained is constrained


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=6)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.lists(st.dictionaries(st.text(max_size=3), JSON, max_size=3)), st.text(), st.data())
def test_entries_are_found_wherever_the_text_is_cut(entries, reasoning, data):
    text = json.dumps({"reasoning": reasoning, "calls": entries}, ensure_ascii=False)
    finder = Entries()
    found = []
    while text:
        size = data.draw(st.integers(1, len(text)))
        found += finder.feed(text[:size])
        text = text[size:]
    assert [json.loads(entry) for entry in found] == entries


@pytest.mark.parametrize("output", [100, 200, 400, 8192])
def test_texts_are_short_enough_for_the_limit_of_the_reply(output):
    shape = reply_shape(request(width=3, max_output=output))
    assert longest(shape) <= max(output * 2.5, 350)


def test_a_model_held_to_a_schema_is_told_the_style_and_offered_no_notes(tmp_path):
    file = tmp_path / "config.toml"
    file.write_text('[servers.work]\nurl = "http://h/v1"\nwidth_mode = "schema"', encoding="utf-8")
    info = open_model("work:m", load(file, environ={}).settings).info
    scripted = Scripted(["Done."])
    scripted.info = info
    research(scripted, [look], style="short")
    assert fill("style_short") in scripted.requests[0].history[0].text
    assert [spec.name for spec in scripted.requests[0].tools] == ["look"]
