"""How a run is followed, steered and ended from outside."""

import asyncio

import pytest
from tests.fakes import clock
from tests.fakes.runs import Scripted, of, outcomes
from tests.fakes.tools import hang, look, who

from widedeep import Agent, MemoryJournal, UsageError
from widedeep.events import BatchEnded, CallStarted, RequestSent, RunEnded, RunInterrupted

SCRIPT = [[("look", {"query": "a"})], "a has 42 inhabitants [1]."]


def test_run_sync_inside_a_running_loop():
    async def notebook():
        return Agent(Scripted(SCRIPT), [look]).run_sync("How many?")

    assert asyncio.run(notebook()).status == "answered"
    assert Agent(Scripted(SCRIPT), [look]).run_sync("How many?").status == "answered"


def test_run_sync_inside_a_loop_raises_what_the_run_raises():
    async def notebook():
        return Agent(Scripted([]), []).run_sync(" ")

    with pytest.raises(UsageError, match="empty"):
        asyncio.run(notebook())


def steered(script, tools, at, act, **options):
    """Return the answer and events of a run in which `act(run)` is done at the first `at`."""
    agent = Agent(Scripted(script, first=1.0), tools, **options)

    async def follow():
        run, events = agent.stream("How many?"), []
        async for event in run:
            events.append(event)
            if isinstance(event, at) and len(of(events, at)) == 1:
                act(run)
        return await run.answer(), events, asyncio.get_running_loop().time()

    return clock.run(follow())


def test_answer_now_ends_the_batch_and_has_the_model_answer():
    calls = [("look", {"query": "a"}), ("hang", {})]
    script = [calls, "a has 42 inhabitants [1]."]
    answer, events, at = steered(
        script,
        [look, hang],
        CallStarted,
        lambda run: asyncio.get_running_loop().call_later(2, run.answer_now),
    )
    assert outcomes(events) == ["ok", "cancelled"]
    assert (answer.status, answer.stopped_by) == ("partial", "user")
    assert "the user wants the answer" in of(events, RequestSent)[-1].tail.lower()
    assert at < 10


def test_answer_now_ends_a_request_too():
    script = [[("look", {"query": "a"})], [("look", {"query": "b"})], "a has 42 inhabitants [1]."]
    answer, _, _ = steered(
        script,
        [look],
        BatchEnded,
        lambda run: asyncio.get_running_loop().call_later(0.5, run.answer_now),
    )
    assert (answer.status, answer.stopped_by, answer.turns) == ("partial", "user", 1)


def test_stop_ends_the_run_at_once_and_the_journal_says_so():
    journal = MemoryJournal()
    agent = Agent(Scripted([[("hang", {})]]), [hang], journal=journal)

    async def follow():
        run = agent.stream("How many?")

        async def until_it_stops():
            async for event in run:
                if isinstance(event, CallStarted):
                    run.stop()

        with pytest.raises(asyncio.CancelledError):
            await until_it_stops()
        return run.id, asyncio.get_running_loop().time()

    run_id, at = clock.run(follow())
    assert at <= 1.0
    events = [record.event for record in journal.read(run_id)]
    assert isinstance(events[-1], RunInterrupted)
    assert not of(events, RunEnded)


def test_many_runs_of_one_agent_at_once():
    async def all_at_once():
        agents = [Agent(Scripted(SCRIPT), [look]) for _ in range(50)]
        return await asyncio.gather(*(agent.run("How many?") for agent in agents))

    answers = clock.run(all_at_once())
    assert {answer.status for answer in answers} == {"answered"}
    assert len({answer.run_id for answer in answers}) == 50


def test_two_followers_see_the_same_events():
    async def follow():
        run = Agent(Scripted(SCRIPT), [look]).stream("How many?")

        async def events():
            return [event async for event in run]

        return await asyncio.gather(events(), events())

    first, second = clock.run(follow())
    assert first == second
    assert isinstance(first[-1], RunEnded)


def test_a_tool_may_know_its_call():
    agent = Agent(Scripted([[("who", {})] * 2, "Done."]), [who])

    async def follow():
        return [event async for event in agent.stream("Who?")]

    ended = of(clock.run(follow()), BatchEnded)[0]
    assert "1.1 1.1 60.0" in ended.results[0].text
