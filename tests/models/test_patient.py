"""Is a request made again when that may help, as often and as late as it should be?"""

import asyncio
from contextlib import suppress
from itertools import pairwise

import pytest
from tests.fakes import clock
from tests.fakes.models import Streaming

from widedeep.errors import ContextError, ModelError, TransientError
from widedeep.messages import Reply, ToolCall, Width
from widedeep.models.patient import Patient
from widedeep.net import Lanes
from widedeep.seams import CallReady, Request, Restarted, Text

REQUEST = Request(1, (), None, (), Width(1, 1))
GOOD = ([Text("Hello.")], Reply("Hello."))


def failed(deltas=(), **why):
    return list(deltas), TransientError("503 of a test", **why)


def asked(*script, on=None, lanes=None, **options):
    """Ask a patient model once; return what came of it, the deltas, and when it was asked."""
    model = Streaming(*script)
    patient = Patient(model, lanes or Lanes("test"), **options)
    heard = []

    def listen(delta):
        heard.append(delta)
        if on is not None:
            on(delta)

    async def ask():
        with suppress(ModelError):
            return await patient.reply(REQUEST, listen)
        return None

    return clock.run(ask()), heard, model.asked


def raised(*script, on=None, **options):
    model = Streaming(*script)
    patient = Patient(model, Lanes("test"), **options)
    with pytest.raises(Exception) as caught:
        clock.run(patient.reply(REQUEST, on or (lambda _: None)))
    return caught.value, model.asked


def test_a_good_reply_passes_through():
    assert asked(GOOD) == (Reply("Hello."), [Text("Hello.")], [0])


def test_the_pauses_grow_and_end():
    reply, heard, times = asked(*[failed()] * 6, GOOD)
    assert reply == Reply("Hello.")
    pauses = [then - before for before, then in pairwise(times)]
    for pause, least in zip(pauses, [1, 2, 4, 8, 16, 30], strict=True):
        assert least - 1e-6 <= pause <= min(30, least + 1) + 1e-6
    assert heard == [Restarted("503 of a test; asking again")] * 6 + [Text("Hello.")]


def test_after_so_many_attempts_it_gives_up_and_says_so():
    error, times = raised(*[failed(crowded=True)] * 3, attempts=3)
    assert isinstance(error, TransientError)
    assert (str(error), error.crowded) == ("503 of a test; asked 3 times", True)
    assert len(times) == 3


def test_it_waits_as_long_as_the_provider_says():
    _, heard, times = asked(failed(wait=3.0), failed(wait=3.0), GOOD)
    assert 3 <= times[1] <= 4
    assert 3 <= times[2] - times[1] <= 4
    assert heard[0].reason == "503 of a test; asking again in 3 s, as the provider wishes"


def test_a_wait_longer_than_the_request_may_take_is_not_begun():
    error, times = raised(failed(wait=3_600.0), within=300)
    assert times == [0]
    assert isinstance(error, TransientError)
    assert str(error) == (
        "503 of a test; it asks to wait 3,600 s, and the request may take 300 s more"
    )


def test_the_time_of_all_attempts_counts():
    error, times = raised(failed(wait=100.0), failed(wait=100.0), GOOD, within=150)
    assert len(times) == 2
    assert "it asks to wait 100 s" in str(error)


def test_a_connection_that_was_gone_is_retried_at_once_but_once():
    _, _, times = asked(failed(wait=0.0), failed(wait=0.0), GOOD)
    assert times[:2] == [0, 0]
    assert 2 <= times[2] <= 3


@pytest.mark.parametrize("error", [ModelError("401"), ContextError("too long"), ValueError("bug")])
def test_what_asking_again_does_not_mend_is_raised_as_it_is(error):
    assert raised(([], error)) == (error, [0])


def test_a_cancelled_request_is_not_made_again():
    async def run():
        model = Streaming(([60.0], Reply("Late.")))
        lanes = Lanes("test")
        task = asyncio.create_task(Patient(model, lanes).reply(REQUEST, lambda _: None))
        await asyncio.sleep(1)
        assert lanes.taken == 1
        task.cancel()
        await asyncio.wait({task})
        return task.cancelled(), model.asked, lanes.taken

    assert clock.run(run()) == (True, [0], 0)


def test_billed_is_an_attempt_of_which_something_had_come():
    call = CallReady(0, ToolCall("look", {"query": "a"}))
    _, heard, _ = asked(failed([call]), failed(), failed([Text("Hel")]), GOOD)
    told = [delta.billed for delta in heard if isinstance(delta, Restarted)]
    assert told == [True, False, True]


def test_billed_is_also_what_came_and_was_no_delta_yet():
    _, heard, _ = asked(failed(billed=True), failed(), GOOD)
    assert [delta.billed for delta in heard[:2]] == [True, False]
    error, _ = raised(failed(billed=True), attempts=1)
    assert error.billed


@pytest.mark.parametrize(
    "objection", [ModelError("no budget"), TransientError("of the listener"), KeyError("a bug")]
)
@pytest.mark.parametrize("to", [Text, Restarted])
def test_what_the_listener_raises_is_never_retried(objection, to):
    def on(delta):
        if isinstance(delta, to):
            raise objection

    error, times = raised(failed([Text("Hel")]), GOOD, on=on)
    assert error is objection
    assert times == [0]


def test_a_lane_is_held_while_a_request_is_under_way_and_not_while_it_waits():
    lanes, taken = Lanes("test", most=1), []

    async def run():
        loop = asyncio.get_running_loop()
        model = Streaming(([5.0], TransientError("503")), ([5.0], Reply("a")))
        other = Streaming(([5.0], Reply("b")))
        for at in range(1, 17, 5):
            loop.call_at(at, lambda: taken.append((lanes.taken, lanes.waiting)))
        tasks = [Patient(one, lanes).reply(REQUEST, lambda _: None) for one in (model, other)]
        await asyncio.gather(*tasks)
        return other.asked

    assert clock.run(run()) == [5]
    assert taken[:2] == [(1, 1), (1, 0)]


def test_runs_that_share_a_provider_wait_with_the_one_it_told():
    lanes = Lanes("test")

    async def run():
        first = Streaming(failed(wait=20.0, crowded=True), GOOD)
        second, third = Streaming(GOOD), Streaming(GOOD)
        asking = asyncio.create_task(Patient(first, lanes).reply(REQUEST, lambda _: None))
        await asyncio.sleep(1)
        patient = Patient(second, lanes).reply(REQUEST, lambda _: None)
        hasty = Patient(third, lanes, within=5).reply(REQUEST, lambda _: None)
        _, _, gave_up = await asyncio.gather(asking, patient, hasty, return_exceptions=True)
        return second.asked, third.asked, str(gave_up)

    second, third, gave_up = clock.run(run())
    assert (second, third) == ([20], [])
    assert gave_up == (
        "test takes no requests now; it asks to wait 19 s, and the request may take 5 s more"
    )
