"""How a run is followed, steered and ended from outside."""

import asyncio
import signal
import subprocess
import sys
from contextlib import suppress

import pytest
from tests.fakes import clock
from tests.fakes.runs import Scripted, of, outcomes
from tests.fakes.tools import hang, look, who

from widedeep import Agent, MemoryJournal, UsageError, tool
from widedeep.errors import JournalError
from widedeep.events import (
    BatchEnded,
    CallStarted,
    Replied,
    RequestSent,
    RunEnded,
    RunInterrupted,
    RunStarted,
)
from widedeep.journal import reading
from widedeep.messages import Assistant, Reply, ToolCall

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
    def next_step(request):
        return SCRIPT[any(isinstance(message, Assistant) for message in request.history)]

    async def all_at_once():
        agent = Agent(Scripted([next_step] * 100), [look])
        return await asyncio.gather(*(agent.run("How many?") for _ in range(50)))

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


@pytest.mark.parametrize("early", [False, True])
def test_answer_now_just_after_a_reply_ends_its_calls(early):
    script = [[("look", {"query": "a", "seconds": 8})], "Nothing was found."]
    answer, events, at = steered(
        script, [look], Replied, lambda run: run.answer_now(), early_start=early
    )
    assert outcomes(events) == ["cancelled"]
    assert (answer.stopped_by, at) == ("user", pytest.approx(2.0))


def test_before_and_after_a_run_there_is_nothing_to_steer():
    journal = MemoryJournal()

    async def follow():
        run = Agent(Scripted(SCRIPT), [look], journal=journal).stream("How many?")
        run.answer_now()
        run.stop()
        answer = await run.answer()
        run.answer_now()
        return answer

    answer = clock.run(follow())
    events = [record.event for record in journal.read(answer.run_id)]
    assert isinstance(events[0], RunStarted)
    assert isinstance(events[-1], RunEnded)
    assert answer.stopped_by == "answer"


def test_a_run_ends_with_its_block_and_not_with_who_follows_it():
    journal = MemoryJournal()

    async def follow():
        agent = Agent(Scripted([[("hang", {})], "Done."]), [hang], journal=journal)
        async with agent.stream("How many?") as run:
            with suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await run.answer()
            assert run.id
            first = asyncio.get_running_loop().time()
        return run.id, first, asyncio.get_running_loop().time()

    run_id, first, ended = clock.run(follow())
    assert first == pytest.approx(1.0)
    assert ended == pytest.approx(1.0)
    assert isinstance([record.event for record in journal.read(run_id)][-1], RunInterrupted)


def test_cancelling_agent_run_ends_the_run():
    journal = MemoryJournal()
    agent = Agent(Scripted([[("hang", {})], "Done."]), [hang], journal=journal)

    async def cancelled():
        with suppress(TimeoutError):
            async with asyncio.timeout(2):
                await agent.run("How many?")
        return asyncio.get_running_loop().time()

    assert clock.run(cancelled()) == pytest.approx(2.0)
    (events,) = journal._events.values()
    assert isinstance(events[-1][1], RunInterrupted)


def test_a_journal_that_fails_ends_the_calls_too():
    acted = []

    @tool(deadline=100)
    async def act() -> str:
        """Act, much later."""
        await asyncio.sleep(50)
        acted.append(True)
        return "acted"

    class Failing(MemoryJournal):
        def append(self, run_id, event):
            if isinstance(event, BatchEnded):
                raise JournalError("disk full")
            super().append(run_id, event)

    agent = Agent(Scripted([[("act", {})], "Done."]), [act], journal=Failing(), turn_deadline=5)

    async def follow():
        with pytest.raises(JournalError):
            await agent.run("Act.")
        await asyncio.sleep(100)

    clock.run(follow())
    assert acted == []


def test_answer_now_while_a_reply_arrives_refuses_its_calls():
    class Late:
        info = Scripted([]).info

        def __init__(self):
            self.run = None
            self.replies = [Reply(calls=(ToolCall("look", {"query": "a"}),)), Reply("Nothing.")]

        async def reply(self, request, on):
            if len(self.replies) == 2:
                asyncio.get_running_loop().call_soon(self.run.answer_now)
            return self.replies.pop(0)

    async def follow():
        model = Late()
        run = model.run = Agent(model, [look]).stream("How many?")
        return [event async for event in run], await run.answer()

    events, answer = clock.run(follow())
    assert outcomes(events) == ["refused"]
    assert (answer.stopped_by, answer.calls.executed) == ("user", 0)


INTERRUPTED_IN_A_LOOP = """
import asyncio, os, signal
from pathlib import Path
from widedeep import Agent, Scripted, SqliteJournal, tool

@tool
async def stop(name: str) -> str:
    "Interrupt the program and never come back."
    os.kill(os.getpid(), signal.SIGINT)
    await asyncio.Event().wait()

async def notebook():
    journal = SqliteJournal(Path("journal.sqlite"))
    Agent(Scripted([[("stop", {"name": "x"})]]), [stop], journal=journal).run_sync("How many?")

asyncio.run(notebook())
"""


def test_the_first_interrupt_ends_run_sync_also_inside_a_running_loop(tmp_path):
    program = [sys.executable, "-c", INTERRUPTED_IN_A_LOOP]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, timeout=60, check=False)
    assert done.returncode in (-signal.SIGINT, 130)
    assert b"KeyboardInterrupt" in done.stderr
    (run,) = reading.runs(tmp_path / "journal.sqlite")
    events = [record.event for record in reading.read(tmp_path / "journal.sqlite", run.run_id)]
    assert isinstance(events[-1], RunInterrupted)
