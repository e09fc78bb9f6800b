"""What goes wrong at a server is told as what it is: too long, wrong, or worth asking again."""

import asyncio
import itertools

import pytest
from tests.fakes import providers as fake
from tests.fakes.providers import Dropped, Failed, Habit, Raw, Rules, Said
from tests.models.compat.asking import alone, ask, request

from widedeep import UsageError
from widedeep.errors import ContextError, ModelError, TransientError
from widedeep.models.compat import Compat, Server

KEY = "sk-canary-0123456789"
GROQ = (
    "Rate limit reached for model x on tokens per minute (TPM): Limit 6000. Need more tokens? "
    "Upgrade to Dev Tier today at https://console.groq.com/settings/billing"
)


@pytest.mark.parametrize(
    ("answer", "wait", "crowded"),
    [
        (Failed(429, retry_after="3"), 3.0, True),
        (Failed(429, retry_after="nonsense"), None, True),
        (Failed(429, headers={"retry-after-ms": "250"}), 0.25, True),
        (Failed(429, GROQ), None, True),
        (Failed(500), None, False),
        (Failed(502), None, False),
        (Failed(503, retry_after="1.5"), 1.5, True),
        (Failed(529), None, True),
        (fake.page(502), None, False),
        (Dropped(), 0.0, False),
        (Said("some words", cut=150), None, False),
        (Raw(200, b"not json", "application/json"), None, False),
        (Raw(200, b"data: {\n\n", "text/event-stream"), None, False),
        (Raw(200, b"", "text/event-stream"), None, False),
    ],
    ids=str,
)
def test_what_may_help_when_asked_again(answer, wait, crowded):
    with pytest.raises(TransientError) as caught:
        ask([answer], request())
    assert (caught.value.wait, caught.value.crowded) == (wait, crowded)
    assert "\n" not in str(caught.value)


def test_an_error_in_mid_stream_is_told():
    with pytest.raises(TransientError, match="broke off its reply"):
        ask([Said("one two three")], request(), habit=Habit.ERROR_MIDWAY)


def test_a_date_to_wait_for_is_a_number_of_seconds():
    with pytest.raises(TransientError) as caught:
        ask([Failed(429, retry_after="Wed, 21 Oct 2065 07:28:00 GMT")], request())
    assert (caught.value.wait or 0) > 3600


@pytest.mark.parametrize(
    "answer",
    [
        Failed(401, "Incorrect API key provided: " + KEY),
        Failed(403, "forbidden"),
        Failed(404, "no such model"),
        Failed(400, "something else is wrong"),
        Failed(307),
        Raw(429, b'{"error": {"message": "no credit", "code": "insufficient_quota"}}'),
    ],
    ids=str,
)
def test_what_does_not(answer):
    with pytest.raises(ModelError) as caught:
        ask([answer], request(), server={"key": KEY, "variable": "SOME_API_KEY"})
    assert not isinstance(caught.value, TransientError | ContextError)
    assert KEY not in str(caught.value)
    assert str(answer.status) in str(caught.value)


def test_a_wrong_key_names_the_variable():
    with pytest.raises(ModelError, match="is the key in SOME_API_KEY right"):
        ask([Failed(401)], request(), server={"key": KEY, "variable": "SOME_API_KEY"})


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "This model's maximum context length is 8192 tokens."),
        (400, "the request exceeds the available context size, try increasing it"),
        (413, "prompt is too long: 209101 tokens > 200000 maximum"),
        (500, "context length exceeded"),
    ],
)
def test_a_request_that_is_too_long(status, said):
    with pytest.raises(ContextError):
        ask([Failed(status, said)], request())


def test_a_server_that_was_never_there_is_not_waited_for():
    server = Server("http://127.0.0.1:9/v1")
    with pytest.raises(ModelError, match="is the server running") as caught:
        alone(server, request())
    assert not isinstance(caught.value, TransientError)


@pytest.mark.parametrize(
    "unsupported",
    [("stream_options",), ("parallel_tool_calls",), ("stream_options", "parallel_tool_calls")],
    ids=str,
)
def test_a_field_that_a_server_does_not_know_is_left_out_from_then_on(unsupported):
    rules = Rules(unsupported=unsupported)
    replies, _, server = ask([Said("one"), Said("two")], request(), request(), rules=rules)
    assert [reply.text for reply in replies] == ["one", "two"]
    assert len(server.invalid) == len(unsupported)
    assert len(server.requests) == 2 + len(unsupported)


def test_a_server_whose_turns_must_alternate_gets_them_joined():
    rules = Rules(alternate=True)
    replies, _, server = ask([Said("one")], request(), rules=rules)
    assert replies[0].text == "one"
    assert server.requests[-1].body["messages"][-1]["content"] == "How many?\n\nTurn 1 of 3."


@pytest.mark.parametrize("url", ["", "localhost:8000", "ftp://host/v1", "http://"])
def test_a_url_that_is_none(url):
    with pytest.raises(UsageError, match="give one like"):
        Server(url)


def test_a_key_with_a_line_break_is_refused_and_not_shown():
    with pytest.raises(UsageError) as caught:
        Server("http://localhost/v1", KEY + "\n", "SOME_API_KEY")
    assert "SOME_API_KEY" in str(caught.value)
    assert KEY not in str(caught.value)


def test_a_key_is_in_no_representation():
    assert KEY not in repr(Server("http://localhost/v1", KEY))


def test_requests_at_once_to_a_server_that_does_not_know_a_field_all_go_through():
    async def go():
        script = itertools.repeat(Said("ok"))
        async with fake.chat(script, rules=Rules(unsupported=("stream_options",))) as server:
            model = Compat("m", Server(server.url))
            asked = (model.reply(request(), lambda _: None) for _ in range(4))
            return await asyncio.gather(*asked)

    assert [reply.text for reply in asyncio.run(go())] == ["ok"] * 4
