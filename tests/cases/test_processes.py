"""P15 with a real process: what timed out is ended, and does not act later."""

import asyncio
import multiprocessing
import os
import select
from pathlib import Path

import pytest
from tests.cases.worker import act_late, give_what_stays, halve, raise_mutely
from tests.fakes.runs import Scripted, outcomes, results

from widedeep import Agent, UsageError, tool
from widedeep.events import CallStarted


async def test_p15_a_process_is_killed_with_its_call(tmp_path):
    work = tool(process=True, deadline=3600)(act_late)
    began = tmp_path / "acted.began"
    os.mkfifo(began)
    call = ("act_late", {"path": str(tmp_path / "acted")})
    run = Agent(Scripted([[call], "Done."]), [work]).stream("Act.")
    events = []
    async for event in run:
        events.append(event)
        if isinstance(event, CallStarted):
            await asyncio.to_thread(wait_for_word_from, began)
            (child,) = multiprocessing.active_children()
            run.cancel(event.call.id)
    assert outcomes(events) == ["cancelled"]
    child.join(timeout=30)
    assert child.exitcode == -9


async def test_p15_a_process_tool_returns_its_value_and_its_error():
    work = tool(process=True, name="divide")(divmod_text)
    calls = [("divide", {"a": 7, "b": 2}), ("divide", {"a": 1, "b": 0})]
    run = Agent(Scripted([calls, "Done."]), [work]).stream("Divide.")
    events = [event async for event in run]
    assert outcomes(events) == ["ok", "error"]
    assert "(3, 1)" in results(events)[0].text
    assert "ZeroDivisionError" in results(events)[1].text


@pytest.mark.parametrize(
    ("function", "said"),
    [(give_what_stays, "cannot leave the process: PicklingError"), (raise_mutely, "_MuteError")],
)
async def test_p15_a_result_or_error_that_cannot_be_sent_is_told(function, said, capfd):
    work = tool(process=True, name="work")(function)
    run = Agent(Scripted([[("work", {"number": 1})], "Done."]), [work]).stream("Work.")
    events = [event async for event in run]
    assert outcomes(events) == ["error"]
    assert said in results(events)[0].text
    assert capfd.readouterr().err == ""


def wait_for_word_from(pipe: Path):
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        ready, _, _ = select.select([reading], [], [], 60)
        assert ready, "the process never began"
    finally:
        os.close(reading)


def divmod_text(a: int, b: int) -> str:
    """Divide."""
    return str(divmod(a, b))


async def test_a_decorated_function_runs_in_a_process_of_its_own():
    assert (await halve.call({"number": 7}, None)).text == "3.5"


def test_a_function_that_no_other_process_finds_is_refused():
    def inner(number: int) -> str:
        """Double."""
        return str(2 * number)

    with pytest.raises(UsageError, match="at the top of a module"):
        tool(process=True)(inner)
