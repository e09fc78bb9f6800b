"""What does a stream show while it runs, and what does the reply say in the end?"""

import asyncio

import pytest
from tests.fakes.providers import Gate, Habit, Said, Used
from tests.models.others.talking import ANSWER, DIALECTS, Turn, calls

from widedeep.costs import Usage
from widedeep.seams import CallReady, Reasoning, Text


def ready(talk):
    return [(d.position, d.call.arguments) for d in talk.deltas if isinstance(d, CallReady)]


ENOUGH = {"responses": 12, "messages": 12, "gemini": 3}
"""Events of a stream after which its first call is over and its last has not begun."""


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_call_is_told_while_the_others_are_still_to_come(dialect):
    gate, told, seen = Gate(), asyncio.Event(), []

    def on(delta):
        seen.append(delta)
        told.set()

    said = Said(calls=calls(*"abcdefgh"), gate=gate)
    async with DIALECTS[dialect].talk([said]) as (talk, _):
        asking = asyncio.ensure_future(talk.ask(on))
        await gate.let(ENOUGH[dialect])
        await asyncio.wait_for(told.wait(), 60)
        assert not asking.done()
        assert (seen[0].position, seen[0].call.arguments) == (0, {"query": "a"})
        await gate.open()
        reply = await asking
    assert [delta.position for delta in seen] == list(range(8))
    assert [(d.call.tool, d.call.arguments) for d in seen] == [
        (call.tool, call.arguments) for call in reply.calls
    ]


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_text_and_reasoning_are_told_as_they_come(dialect):
    said = Said("It is 6,263 m high.", reasoning="Where did I see it?")
    async with DIALECTS[dialect].talk([said]) as (talk, _):
        reply = await talk.ask()
    texts = [delta.text for delta in talk.deltas if isinstance(delta, Text)]
    thoughts = [delta.text for delta in talk.deltas if isinstance(delta, Reasoning)]
    assert ("".join(texts), "".join(thoughts)) == (reply.text, reply.reasoning)
    assert (reply.text, reply.reasoning) == (said.text, said.reasoning)
    assert len(texts) > 1


@pytest.mark.parametrize("habit", [Habit.INTERLEAVED, Habit.ITEM_DONE_MISSING], ids=str)
async def test_calls_of_interleaved_items_are_told_apart(habit):
    said = Said(calls=calls("a", "b"), habit=habit)
    async with DIALECTS["responses"].talk([said]) as (talk, _):
        reply = await talk.ask()
    assert [call.arguments for call in reply.calls] == [{"query": "a"}, {"query": "b"}]
    assert set(map(str, ready(talk))) <= {"(0, {'query': 'a'})", "(1, {'query': 'b'})"}


FRAMINGS = [
    Habit.COMMENTS,
    Habit.CRLF,
    Habit.NO_SPACE,
    Habit.BYTE_BY_BYTE,
    Habit.UNTIL_CLOSE,
]


UNREADABLE = {("gemini", Habit.COMMENTS), ("gemini", Habit.NO_SPACE)}
"""What Google's SDK cannot read, and Google does not send."""


@pytest.mark.parametrize(
    ("dialect", "habit"),
    [(d, h) for d in DIALECTS for h in FRAMINGS if (d, h) not in UNREADABLE],
    ids=str,
)
async def test_the_framing_does_not_matter(dialect, habit):
    said = Said("Löoking.", calls=calls("ä", "b"), reasoning="Hm.", habit=habit)
    async with DIALECTS[dialect].talk([said]) as (talk, _):
        reply = await talk.ask()
    assert (reply.text, reply.reasoning) == ("Löoking.", "Hm.")
    assert [call.arguments for call in reply.calls] == [{"query": "ä"}, {"query": "b"}]


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_arguments_that_break_off_are_told_by_no_one(dialect):
    said = Said(calls=calls("a", "b"), stop="length")
    async with DIALECTS[dialect].talk([said]) as (talk, _):
        reply = await talk.ask()
    assert reply.stop == "length"


USED = {
    "responses": Used(100, 20, cached=60, cache_write=5, reasoning=3),
    "messages": Used(100, 20, cached=60, cache_write=5),
    "gemini": Used(100, 20, cached=60, reasoning=3),
}


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_tokens_are_counted_with_those_that_are_cached_and_thought(dialect):
    used = USED[dialect]
    async with DIALECTS[dialect].talk([Said("Hi.", used=used)]) as (talk, _):
        reply = await talk.ask()
    assert reply.usage == Usage(
        input=100,
        cached=60,
        cache_write=used.cache_write or None,
        output=20,
        reasoning=used.reasoning or None,
    )


@pytest.mark.parametrize("dialect", ["responses", "gemini"])
async def test_what_is_not_said_of_tokens_is_not_known(dialect):
    said = Said("Hi.", habit=Habit.USAGE_ABSENT)
    async with DIALECTS[dialect].talk([said]) as (talk, _):
        assert (await talk.ask()).usage == Usage()


async def test_the_cache_of_the_turn_before_is_read():
    async with DIALECTS["messages"].talk(
        [Said(calls=calls(*map(str, range(15)))), ANSWER.said]
    ) as (talk, _):
        first = await talk.go(Turn(Said()))
        second = await talk.go(ANSWER)
    assert first.usage.cache_write > 0
    assert second.usage.cached >= first.usage.cache_write


async def test_calls_without_ids_are_answered_in_order():
    habit = Habit.IDS_ABSENT
    script = [Said(calls=calls(*"ab"), habit=habit), Said(calls=calls(*"c"), habit=habit)]
    async with DIALECTS["gemini"].talk([*script, ANSWER.said]) as (talk, server):
        for said in (*script, ANSWER.said):
            await talk.go(Turn(said))
    assert server.invalid == []
