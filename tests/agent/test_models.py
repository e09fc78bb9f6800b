"""Models that misbehave: what a run makes of them."""

import asyncio
from contextlib import suppress

import pytest
from tests.fakes.runs import Scripted, research
from tests.fakes.tools import look

from widedeep.messages import Reply

CALLS = [("look", {"query": "Quito"})]


class Odd:
    """Ask for one call, then do something else than reply."""

    info = Scripted([]).info

    def __init__(self, what):
        self.what = what
        self.asked = 0

    async def reply(self, request, on):
        self.asked += 1
        if self.asked == 1:
            return await Scripted([CALLS]).reply(request, on)
        return await self.what()


async def ignore():
    while True:
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()


async def cancel():
    raise asyncio.CancelledError


async def time_out():
    raise TimeoutError("of my own")


async def hang():
    await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("what", "stopped_by", "note"),
    [
        (ignore, "model_error", "no reply within 30 s"),
        (hang, "model_error", "no reply within 30 s"),
        (cancel, "model_error", "the request was cancelled"),
        (time_out, "error", "TimeoutError: of my own"),
    ],
)
def test_a_model_that_does_not_reply_costs_nothing_that_was_found(what, stopped_by, note):
    answer, _ = research(Odd(what), [look], model_deadline=30)
    assert (answer.status, answer.stopped_by) == ("partial", stopped_by)
    assert "Quito has 42 inhabitants." in answer.text
    assert any(note in each for each in answer.notes)
    assert answer.seconds.wall <= 30


@pytest.mark.parametrize("text", ["  \n", '{"answer": ""}', '{"answer": "  "}'])
def test_an_answer_without_words_is_none(text):
    answer, _ = research([CALLS, text, text], [look])
    assert answer.status == "partial"
    assert "Quito has 42 inhabitants." in answer.text
    answer, _ = research([text, text], [])
    assert answer.status == "failed"


def test_odd_arguments_are_an_error_of_their_call_alone():
    from tests.fakes.runs import outcomes

    from widedeep.messages import ToolCall

    calls = (ToolCall("look", [1]), ToolCall("look", "x"), ToolCall("look", {"query": "a"}))
    _, events = research([Reply(calls=calls), "Done."], [look])
    assert outcomes(events) == ["error", "error", "ok"]
