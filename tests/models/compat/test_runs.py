"""Whole runs through a server: calls start while the reply still streams."""

import asyncio

import pytest
from tests.fakes import providers as fake
from tests.fakes.providers import Gate, Habit, Said
from tests.fakes.tools import look

from widedeep import Agent, tool
from widedeep.models.compat import Compat, Server

CALLS = [("look", {"query": name}) for name in "abcdefgh"]


@pytest.mark.parametrize("habit", [Habit.NORMAL, Habit.INDEX_ZERO, Habit.STREAM_IGNORED], ids=str)
def test_a_run_of_eight_calls(habit):
    async def go():
        script = [Said(calls=CALLS), Said("a has 42 inhabitants [1].")]
        async with fake.chat(script, habit=habit) as server:
            model = Compat("m", Server(server.url))
            answer = await Agent(model, [look], schedule="constant:8!").run("How many has a?")
            await model.aclose()
            return answer, server

    answer, server = asyncio.run(go())
    assert (answer.status, answer.calls.ok, len(answer.sources)) == ("answered", 8, 8)
    assert server.invalid == []


def test_calls_run_while_the_reply_still_streams():
    begun = []

    @tool
    async def work(name: str) -> str:
        """Work."""
        begun.append(name)
        return f"{name} is done"

    async def go():
        gate = Gate()
        calls = [("work", {"name": name}) for name in "abc"]
        script = [Said(calls=calls, gate=gate), Said("done")]
        async with fake.chat(script, habit=Habit.WHOLE) as server:
            model = Compat("m", Server(server.url))
            run = asyncio.ensure_future(Agent(model, [work], schedule="constant:3!").run("What?"))
            while len(begun) < 2:
                await gate.let()
                await asyncio.sleep(0)
            before = server.requests[0].status, list(begun)
            await gate.open()
            answer = await run
            await model.aclose()
            return before, answer

    (_, early), answer = asyncio.run(go())
    assert early == ["a", "b"]
    assert answer.calls.ok == 3


def test_an_ending_loop_closes_its_connections(recwarn):
    def once():
        async def go():
            async with fake.chat([Said("done")]) as server:
                return await Agent(Compat("m", Server(server.url))).run("What?")

        return asyncio.run(go())

    assert [once().text for _ in range(3)] == ["done"] * 3
    assert not list(recwarn)


@pytest.mark.parametrize("sent", [1, 3])
def test_answer_now_in_the_midst_of_a_reply_gets_an_answer(sent):
    async def go():
        gate = Gate()
        script = [
            Said(calls=CALLS[:2]),
            Said(calls=CALLS[2:4], gate=gate),
            Said("a has 42 inhabitants [1]."),
        ]
        async with fake.chat(script) as server:
            model = Compat("m", Server(server.url))
            run = Agent(model, [look], schedule="constant:2!").stream("How many has a?")
            ended = asyncio.ensure_future(run.answer())
            await gate.let(sent)
            await gate.reached(sent)
            run.answer_now()
            answer = await ended
            await model.aclose()
            return answer, len(server.requests)

    answer, asked = asyncio.run(go())
    assert (answer.stopped_by, asked) == ("user", 3)
    assert answer.text == "a has 42 inhabitants [1]."


def test_the_first_connection_is_made_although_the_user_wants_the_answer():
    async def go():
        async with fake.chat([Said("Nothing is known.")]) as server:
            model = Compat("m", Server(server.url))
            run = Agent(model, [look]).stream("How many has a?")
            async for event in run:
                if event.kind == "run_started":
                    run.answer_now()
            return await run.answer()

    assert "Nothing is known." in asyncio.run(go()).text
