"""Does a whole run pass, wide, early, resumed, and handed from one provider to another?"""

import asyncio
import gc
from dataclasses import replace

import pytest
from tests.fakes.providers import Failed, Gate, Said
from tests.models.others.talking import ANSWER, DIALECTS, Talk, Turn, calls
from tests.models.others.test_replies import ENOUGH

from widedeep import Agent, Budget, MemoryJournal, tool
from widedeep.messages import Assistant, Outcome, Results, System, ToolCall, ToolResult, User

WIDTH = 8


def wide(turn):
    return Said("Looking.", calls=calls(*(f"{turn}.{n}" for n in range(WIDTH))), reasoning="Hm.")


def agent(model, search, **options):
    return Agent(
        model,
        [search],
        schedule=f"constant:{WIDTH}!",
        budget=Budget(turns=4),
        journal=MemoryJournal(),
        **options,
    )


@tool
async def search(query: str) -> str:
    """Search."""
    return f"{query} is 6,263 m high."


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_run_of_eight_calls_a_turn(dialect):
    script = [wide(1), wide(2), wide(3), Said("It is 6,263 m high [1].", reasoning="Enough.")]
    async with DIALECTS[dialect].talk(script) as (talk, server):
        answer = await agent(talk.model, search).run("How high is Chimborazo?")
    assert server.invalid == []
    assert (answer.status, answer.stopped_by) == ("answered", "answer")
    assert (answer.calls.requested, answer.calls.ok) == (3 * WIDTH, 3 * WIDTH)
    assert (answer.usage.input or 0) > (answer.usage.cached or 0) > 0


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_calls_start_while_the_reply_streams(dialect):
    gate, started = Gate(), asyncio.Event()

    @tool
    async def search(query: str) -> str:
        """Search."""
        started.set()
        return f"{query} is 6,263 m high."

    script = [replace(wide(1), gate=gate, reasoning="", text=""), Said("It is high [1].")]
    async with DIALECTS[dialect].talk(script) as (talk, _):
        run = asyncio.ensure_future(agent(talk.model, search).run("How high is Chimborazo?"))
        await gate.let(ENOUGH[dialect])
        await asyncio.wait_for(started.wait(), 60)
        assert not run.done()
        await gate.open()
        answer = await run
    assert answer.calls.ok == WIDTH


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_the_last_turn_offers_the_same_tools_and_takes_none(dialect):
    script = [wide(1), wide(2), wide(3), wide(4), Said("It is 6,263 m high [1].")]
    async with DIALECTS[dialect].talk(script) as (talk, server):
        answer = await agent(talk.model, search).run("How high is Chimborazo?")
    assert server.invalid == []
    assert answer.stopped_by == "max_turns"
    assert server.requests[-1].body["tools"] == server.requests[0].body["tools"]


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_request_is_made_again_with_the_same_bytes(dialect):
    script = [Said(calls=calls("a", "b")), Failed(503), ANSWER.said]
    async with DIALECTS[dialect].talk(script) as (talk, server):
        await talk.go(Turn(script[0]))
        with pytest.raises(Exception, match="503"):
            await talk.ask()
        await talk.ask()
    assert server.invalid == []
    assert server.requests[-1].raw == server.requests[-2].raw


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("other", DIALECTS)
async def test_another_provider_goes_on_with_a_history(dialect, other):
    begun = Turn(Said("Looking.", calls=calls("a", "b"), reasoning="Hm."))
    async with DIALECTS[other].talk([begun.said]) as (talk, _):
        await talk.go(begun)
    history = talk.history
    if other == dialect:  # the same provider, another model of it
        history = [
            replace(m, provider={**m.provider, "model": "another"})
            if isinstance(m, Assistant)
            else m
            for m in history
        ]
    async with DIALECTS[dialect].talk([Said(calls=calls("c")), ANSWER.said]) as (talk, server):
        talk.history = history
        await talk.go(Turn(Said()))
        await talk.go(ANSWER)
    assert server.invalid == []
    assert b"Hm." not in server.requests[0].raw


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_calls_with_one_id_are_told_apart(dialect):
    twice = (
        ToolCall("search", {"query": "a"}, "1.1", provider_id="call_0"),
        ToolCall("search", None, "1.2", raw="{", provider_id="call_0"),
    )
    again = (ToolCall("search", {"query": "c"}, "2.1", provider_id="call_0"),)
    async with DIALECTS[dialect].talk([ANSWER.said]) as (talk, server):
        talk.history = [System("You research."), User("How high is Chimborazo?")]
        for calls_ in (twice, again):
            talk.history += [Assistant("", calls_), Results(answered(calls_))]
        await talk.go(ANSWER)
    assert server.invalid == []


def answered(calls_):
    return tuple(ToolResult(call, Outcome.OK, f"result {call.id}") for call in calls_)


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_history_that_was_trimmed_is_sent_as_it_is_now(dialect):
    script = [wide(n) for n in range(3)]
    async with DIALECTS[dialect].talk([*script, ANSWER.said]) as (talk, server):
        for said in script:
            await talk.go(Turn(said))
        first = next(n for n, m in enumerate(talk.history) if isinstance(m, Results))
        talk.history[first] = Results(
            tuple(replace(r, text="[1] left out") for r in talk.history[first].results)
        )
        await talk.go(ANSWER)
    assert server.invalid == []
    assert server.requests[-1].raw.count(b"left out") == WIDTH


@pytest.mark.filterwarnings("error")
async def test_a_model_serves_one_event_loop_after_another_and_leaves_nothing_open():
    def once(model):
        async def ask():
            return (await Talk(model).ask()).text

        text = asyncio.run(ask())
        gc.collect()
        return text

    said = ["One.", "Two.", "Three."]
    async with DIALECTS["responses"].talk(list(map(Said, said))) as (talk, _):
        assert [await asyncio.to_thread(once, talk.model) for _ in said] == said
