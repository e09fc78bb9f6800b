"""Which calls does the built-in policy ask for?"""

import json

import pytest
from tests.models.builtin.histories import ARDENIA, NOTE, READ, SEARCH, ask, queries, request

from widedeep.messages import Outcome, Results, ToolCall, ToolResult, Width
from widedeep.models.builtin import Builtin
from widedeep.seams import CallReady, Request, Text, ToolSpec

pytestmark = pytest.mark.anyio

COMPARE = "Compare the area and population of Aland, Bland, Cland, Dland and Eland."


@pytest.mark.parametrize("width", [1, 2, 3, 5, 8])
async def test_it_asks_for_distinct_calls_and_never_more_than_the_target(width):
    reply = await ask(COMPARE, width=width)
    asked = [(call.tool, call.raw) for call in reply.calls]
    assert len(asked) == len(set(asked)) == width
    assert all(json.loads(call.raw or "") == call.arguments for call in reply.calls)


async def test_without_a_target_it_asks_for_a_few():
    assert len((await ask(COMPARE, width=None)).calls) == 4


async def test_subjects_of_a_comparison_are_searched_side_by_side():
    found = queries(await ask(COMPARE, width=5))
    assert [query.split()[0] for query in found] == ["Aland", "Bland", "Cland", "Dland", "Eland"]
    assert all("area" in query and "population" in query for query in found)


async def test_a_bridge_is_searched_by_what_is_said_of_it_and_then_crossed():
    question = "How many airports has the country whose capital is Vessel Bay?"
    first = await ask(question)
    assert all("Vessel Bay" in query for query in queries(first))
    then = await ask(question, ARDENIA)
    assert any("Ardenia" in query and "airports" in query for query in queries(then))


async def test_a_document_is_read_when_its_passage_lacks_the_attribute():
    reply = await ask("What is the birth rate of Ardenia?", ARDENIA, width=4)
    assert {"id": "doc/1", "around": "birth rate"} in [call.arguments for call in reply.calls]


async def test_a_settled_question_is_answered_at_once():
    assert (await ask("What is the capital of Ardenia?", ARDENIA)).calls == ()


async def test_a_call_that_was_made_is_not_made_again_and_the_search_ends():
    seen: list[tuple[str, str | None]] = []
    made: tuple[ToolCall, ...] = ()
    reply = await ask("What is the birth rate of Ardenia?", ARDENIA)
    while reply.calls and len(seen) < 30:
        seen += [(call.tool, call.raw) for call in reply.calls]
        made = (*made, *reply.calls)
        reply = await ask("What is the birth rate of Ardenia?", ARDENIA, calls=made)
    assert reply.abstains
    assert len(seen) == len(set(seen)) <= 8


async def test_a_deferred_call_is_asked_for_again():
    wanted = request("What is the capital of Ardenia?", width=1)
    [call] = (await Builtin().reply(wanted, lambda _: None)).calls
    deferred = Results((ToolResult(call, Outcome.DEFERRED, "Not run", ()),))
    again = Request(2, [*wanted.history, deferred], None, wanted.tools, Width(1, 1))
    assert (await Builtin().reply(again, lambda _: None)).calls == (call,)


async def test_calls_are_shown_in_order_before_the_reply_and_the_answer_as_text():
    shown = []
    reply = await Builtin().reply(request(COMPARE), shown.append)
    assert shown == [CallReady(at, call) for at, call in enumerate(reply.calls)]
    shown.clear()
    reply = await Builtin().reply(request("What is the capital of Ardenia?", ARDENIA), shown.append)
    assert shown == [Text(reply.text)]


async def test_it_answers_when_it_may_not_call():
    reply = await ask("What is the birth rate of Ardenia?", ARDENIA, choice="none")
    assert (reply.calls, reply.abstains) == ((), True)


@pytest.mark.parametrize("tools", [(), (READ,), (NOTE,)])
async def test_without_a_search_it_abstains(tools):
    reply = await ask("What is the capital of Ardenia?", tools=tools)
    assert (reply.calls, reply.abstains) == ((), True)


async def test_it_uses_any_tool_that_takes_a_query_and_leaves_the_others():
    web = ToolSpec("web_search", "", SEARCH.schema)
    reply = await ask("What is the capital of Ardenia?", tools=(web, NOTE))
    assert {call.tool for call in reply.calls} == {"web_search"}


async def test_the_same_request_gets_the_same_reply():
    asked = request(COMPARE, ARDENIA)
    assert await ask(COMPARE, ARDENIA) == await Builtin().reply(asked, lambda _: None)


async def test_it_is_free():
    reply = await ask("What is the capital of Ardenia?", ARDENIA)
    assert Builtin().info.free
    assert (reply.usage.input, reply.usage.output) == (0, 0)
