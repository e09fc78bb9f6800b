"""What does a provider's failure become, and is anything of it lost or shown?"""

import pytest
from tests.fakes.providers import Dropped, Failed, Habit, Raw, Said, page
from tests.models.others.talking import DIALECTS, KEY, calls

from widedeep.errors import ContextError, ModelError, TransientError
from widedeep.seams import Text

AGAIN = {
    "crowded": (Failed(429, retry_after="7"), 7.0, True),
    "crowded without saying for how long": (Failed(429), None, True),
    "server error": (Failed(500), None, False),
    "unavailable": (Failed(503, retry_after="2"), 2.0, False),
    "overloaded": (Failed(529), None, False),
    "a proxy's page": (page(502), None, False),
    "dropped": (Dropped(), None, False),
    "cut": (Said("It is 6,263 m high.", calls=calls("a"), cut=300), None, False),
    "cut after the first call": (Said("Looking.", calls=calls("a", "b"), cut=1500), None, False),
    "an error half way": (
        Said("Looking.", calls=calls("a"), habit=Habit.ERROR_MIDWAY),
        None,
        False,
    ),
    "no JSON": (Raw(200, b"data: {]\n\n", "text/event-stream"), None, False),
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(("answer", "wait", "crowded"), AGAIN.values(), ids=AGAIN)
async def test_what_may_pass_is_asked_once_and_told_as_such(dialect, answer, wait, crowded):
    async with DIALECTS[dialect].talk([answer, Said("Whole.")]) as (talk, server):
        with pytest.raises(TransientError) as failed:
            await talk.ask()
        assert (failed.value.wait, failed.value.crowded) == (wait, crowded)
        assert len(server.requests) == 1
        assert failed.value.billed or not talk.deltas
        assert KEY not in str(failed.value)
        assert "\n" not in str(failed.value)
        assert (await talk.ask()).text == "Whole."
        assert talk.deltas == [Text("Whole.")] or "".join(d.text for d in talk.deltas) == "Whole."
    assert server.invalid == []


NEVER = {
    "bad request": (Failed(400, "The model said no."), "status 400: The model said no"),
    "not allowed": (
        Failed(403, f"Key {KEY} may not."),
        r"status 403: Key \[redacted:key\] may not",
    ),
    "unknown model": (Failed(404, "No such model."), "status 404: No such model"),
}


@pytest.mark.parametrize("dialect", ["responses", "messages"])  # Gemini sends a call in one event
async def test_arguments_that_broke_off_may_be_charged_and_a_refusal_is_not(dialect):
    cut = Said(calls=calls("a" * 4_000), cut=3_000)
    async with DIALECTS[dialect].talk([cut, Failed(503)]) as (talk, _):
        for billed in (True, False):
            with pytest.raises(TransientError) as failed:
                await talk.ask()
            assert (failed.value.billed, talk.deltas) == (billed, [])


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(("answer", "words"), NEVER.values(), ids=NEVER)
async def test_what_stays_wrong_is_told_in_one_line_without_the_key(dialect, answer, words):
    async with DIALECTS[dialect].talk([answer]) as (talk, _):
        with pytest.raises(ModelError, match=words) as failed:
            await talk.ask()
    assert not isinstance(failed.value, TransientError | ContextError)
    assert KEY not in str(failed.value)


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_request_that_is_too_long_is_told_as_such(dialect):
    async with DIALECTS[dialect].talk([], context=10) as (talk, _):
        with pytest.raises(ContextError):
            await talk.ask()


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_reply_that_met_its_limit_says_so(dialect):
    said = Said("Half of", stop="length")
    async with DIALECTS[dialect].talk([said]) as (talk, _):
        reply = await talk.ask()
    assert (reply.text, reply.stop) == ("Half of", "length")


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_reply_that_was_withheld_is_an_error(dialect):
    async with DIALECTS[dialect].talk([Said(stop="filter")]) as (talk, _):
        with pytest.raises(ModelError, match="withheld"):
            await talk.ask()


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_what_the_listener_raises_is_not_the_providers_failure(dialect):
    class StopError(Exception):
        pass

    def on(delta):
        raise StopError

    async with DIALECTS[dialect].talk([Said("Hello.")]) as (talk, _):
        with pytest.raises(StopError):
            await talk.ask(on=on)
