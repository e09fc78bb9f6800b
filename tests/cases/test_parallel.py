"""Faults reported of parallel batches in systems like this one; each test is named by its case."""

import asyncio
import threading

import pytest
from tests.fakes import clock
from tests.fakes.runs import Scripted, of, outcomes, research, results
from tests.fakes.tools import fail, hang, look, recorder

from widedeep import Agent, Budget, tool
from widedeep.events import CallStarted


def test_p1_one_failure_leaves_its_26_siblings():
    calls = [("look", {"query": f"q{n}", "seconds": 0.01 + n / 1000}) for n in range(27)]
    calls[3] = ("fail", {"seconds": 0.005})
    _, events = research([calls, "Done."], [look, fail], schedule="constant:32!")
    assert outcomes(events) == ["ok"] * 3 + ["error"] + ["ok"] * 23
    assert "ConnectionError: no such host" in results(events)[3].text


def test_p3_an_error_after_a_sibling_finished_keeps_the_sibling():
    calls = [("look", {"query": "a", "seconds": 1}), ("fail", {"seconds": 2})]
    answer, events = research([calls, "a has 42 inhabitants [1]."], [look, fail])
    assert outcomes(events) == ["ok", "error"]
    assert answer.status == "answered"
    assert any("no such host" in note for note in answer.notes)


@pytest.mark.parametrize("bad", ["raise", "exit", "cancel", "cancel_task", "sync", "surrogate"])
def test_p6_every_call_has_one_answer_before_the_next_request(bad):
    @tool
    async def misbehave(how: str) -> str:
        """Misbehave."""
        match how:
            case "exit":
                raise SystemExit(3)
            case "cancel":
                raise asyncio.CancelledError
            case "cancel_task":
                asyncio.current_task().cancel()
                await asyncio.sleep(1)
            case "surrogate":
                return "bad \ud800 text \x00"
        raise IsADirectoryError(21, "Is a directory", "/etc")

    @tool
    def sync(how: str) -> str:
        """Exit from a thread."""
        raise SystemExit(how)

    name = "sync" if bad == "sync" else "misbehave"
    calls = [(name, {"how": bad}), ("look", {"query": "good"})]
    model = Scripted([calls, "good has 42 inhabitants [1]."])
    _, events = research(model, [misbehave, sync, look], grace=0.05)
    assert outcomes(events) == ["ok" if bad == "surrogate" else "error", "ok"]
    sent = model.requests[1].history[-1]
    assert [result.call.id for result in sent.results] == ["1.1", "1.2"]
    sent.results[0].text.encode("utf-8")


def test_p8_a_call_that_ignores_cancellation_costs_only_itself():
    calls = [("look", {"query": str(n)}) for n in range(7)] + [("hang", {})]
    answer, events = research([calls, "0 has 42 inhabitants [1]."], [look, hang], turn_deadline=60)
    assert outcomes(events) == ["ok"] * 7 + ["timeout"]
    assert "No result within 10 s" in results(events)[7].text
    assert answer.status == "answered"
    _, events = research([calls, "0 has 42 inhabitants [1]."], [look, hang], turn_deadline=5)
    assert outcomes(events) == ["ok"] * 7 + ["late"]


def test_p13_no_call_starts_after_the_deadline():
    work, seen = recorder(limit=2, seconds=8.0)
    calls = [("work", {"name": str(n)}) for n in range(6)]
    answer, events = research([calls, "Done."], [work], turn_deadline=5)
    assert outcomes(events) == ["late"] * 2 + ["cancelled"] * 4
    assert [name for name, *_ in seen] == ["0", "1"]
    assert answer.calls.executed == 2


def test_p14_cancelling_one_call_settles_it_at_once():
    calls = [("look", {"query": "a", "seconds": 1}), ("hang", {}), ("look", {"query": "b"})]
    agent = Agent(Scripted([calls, "a has 42 inhabitants [1]."]), [look, hang])

    async def follow():
        run, seen = agent.stream("How many?"), []
        async for event in run:
            seen.append(event)
            if isinstance(event, CallStarted) and event.call.tool == "hang":
                assert run.cancel(event.call.id)
                assert not run.cancel("9.9")
        return seen, asyncio.get_running_loop().time()

    events, at = clock.run(follow())
    assert outcomes(events) == ["ok", "cancelled", "ok"]
    assert at <= 1.0 + 1.0


def test_p15_a_thread_that_timed_out_may_still_run():
    release = threading.Event()

    @tool(deadline=5)
    def slow() -> str:
        """Act after the deadline."""
        release.wait()
        return "acted"

    _, events = research([[("slow", {})], "Done."], [slow], turn_deadline=60)
    release.set()
    assert outcomes(events) == ["timeout"]
    assert "may still be running" in results(events)[0].text


def test_p17_a_limit_of_six_calls_runs_six_and_refuses_two():
    work, seen = recorder()
    calls = [("work", {"name": str(n)}) for n in range(8)]
    answer, events = research([calls, "Done."], [work], budget=Budget(calls=6))
    assert outcomes(events) == ["ok"] * 6 + ["refused"] * 2
    assert len(seen) == 6
    assert (answer.stopped_by, answer.status) == ("max_calls", "partial")
    assert len(of(events, CallStarted)) == 6
