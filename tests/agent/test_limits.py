"""A limit is a limit: of tokens, of USD, of seconds; and whoever meets one still answers."""

import asyncio
import json

import pytest
from tests.fakes import clock
from tests.fakes.runs import of, results
from tests.fakes.tools import look

from widedeep import Agent, Budget, Cost, MemoryJournal, Prices, ToolOutput, UsageError, tool
from widedeep.budget import Spend
from widedeep.costs import Tier
from widedeep.events import (
    BoundExceeded,
    CallStarted,
    Replied,
    RequestRestarted,
    RequestSent,
    RunStarted,
    Stopping,
)
from widedeep.journal import decode, encode
from widedeep.messages import Reply, ToolCall, Usage
from widedeep.models.scripted import Scripted
from widedeep.seams import ModelInfo, Restarted

USAGE = Usage(input=1_000, output=100)
ANSWER = Reply("a has 42 inhabitants [1].", usage=USAGE)


class Priced(Scripted):
    """A scripted model with a price; it asks for calls until it must answer."""

    def __init__(self, width=2, prices=None, usage=USAGE, seconds=0.0):
        super().__init__([], name="priced")
        self.info = ModelInfo("priced", prices=prices)
        self.width, self.usage, self.seconds, self.made = width, usage, seconds, 0

    async def reply(self, request, on):
        self.requests.append(request)
        await asyncio.sleep(self.seconds)
        if request.choice == "none":
            return Reply(ANSWER.text, usage=self.usage)
        calls = []
        for _ in range(self.width):
            self.made += 1
            calls.append(ToolCall("look", {"query": f"a{self.made}", "seconds": 1}))
        return Reply(calls=tuple(calls), usage=self.usage)


def researched(model, tools=(look,), **options):
    options = {"schedule": "constant:2!", "text_limit": 500, "max_output": 500, **options}
    agent = Agent(model, tools, **options)

    async def follow():
        run = agent.stream("How many?")
        events = [event async for event in run]
        return await run.answer(), events

    return clock.run(follow())


@pytest.mark.parametrize(
    ("budget", "stopped_by"),
    [
        (Budget(turns=None, tokens=20_000), "max_tokens"),
        (Budget(turns=None, usd=0.05), "max_usd"),
        (Budget(turns=None, seconds=60.0), "max_seconds"),
    ],
)
def test_a_run_that_meets_its_limit_answers_within_it(budget, stopped_by):
    answer, events = researched(Priced(prices=Prices(input=2.0, output=8.0)), budget=budget)
    assert (answer.stopped_by, answer.text) == (stopped_by, ANSWER.text)
    assert answer.status == "partial"
    (stop,) = of(events, Stopping)
    assert "limit of this run is reached" in stop.why
    assert answer.turns > 3
    spent = sum((event.cost.tokens for event in of(events, Replied)), 0)
    assert budget.tokens is None or spent <= budget.tokens
    assert budget.usd is None or answer.cost_usd <= budget.usd
    assert budget.seconds is None or answer.seconds.wall <= budget.seconds


def test_the_cost_of_a_run_is_known_with_prices_and_unknown_without():
    model = Priced(prices=Prices(input=2.0, output=8.0, cached=0.2))
    model.usage = Usage(input=1_000, cached=400, output=100)
    answer, _ = researched(model, budget=Budget(turns=2))
    each = (600 * 2.0 + 400 * 0.2 + 100 * 8.0) / 1e6
    assert answer.cost_usd == pytest.approx(3 * each)
    assert researched(Priced(), budget=Budget(turns=2))[0].cost_usd is None
    assert researched(Scripted(["Done."]))[0].cost_usd == 0.0


class Growing(Priced):
    """A priced model whose input is as long as its history, at three bytes a token."""

    async def reply(self, request, on):
        sent = sum(len(str(message)) for message in request.history)
        self.usage = Usage(input=sent // 9, output=100)
        return await super().reply(request, on)


@pytest.mark.parametrize("usd", [0.2, 0.4, 0.8])
def test_a_history_that_becomes_long_is_dearer_and_still_within_the_limit(usd):
    prices = Prices(input=2.0, output=8.0, tiers=(Tier(1_500, 20.0, 80.0),))
    answer, events = researched(Growing(prices=prices), budget=Budget(turns=None, usd=usd))
    assert (answer.stopped_by, answer.text) == ("max_usd", ANSWER.text)
    assert answer.cost_usd <= usd
    assert max(event.reply.usage.input for event in of(events, Replied)) > 1_000
    assert not of(events, BoundExceeded)


def test_the_prices_are_on_record_with_who_says_so():
    prices = Prices(input=2.0, output=8.0, tiers=(Tier(1_500, 20.0, 80.0),), source="a list")
    answer, events = researched(Priced(prices=prices), budget=Budget(turns=1))
    (started,) = of(events, RunStarted)
    assert started.prices == decode(json.loads(encode(started))).prices == prices
    assert answer.prices == "a list"
    before = json.loads(encode(started))
    del before["prices"]
    assert decode(before).prices is None


def test_a_limit_in_usd_takes_prices():
    with pytest.raises(UsageError, match="price of the model 'priced' is unknown"):
        Agent(Priced(), [look], budget=Budget(usd=1.0))

    @tool(bound=Cost(0, None))
    async def shop(query: str) -> str:
        """Buy."""
        return query

    with pytest.raises(UsageError, match="'shop' has no bound in USD"):
        Agent(Scripted([]), [shop], budget=Budget(usd=1.0))


def test_width_shrinks_to_what_fits_and_the_rest_is_refused():
    @tool(bound=Cost(0, 1.0), name="look")
    async def dear(query: str, seconds: float) -> ToolOutput:
        """Look something up for money."""
        return ToolOutput(f"{query} has 42 inhabitants", cost=Cost(0, 0.5))

    budget = Budget(turns=None, usd=3.0)
    model = Priced(width=5, prices=Prices(input=0.001, output=0.001))
    answer, events = researched(model, [dear], budget=budget, schedule="constant:5!")
    first = [str(result.outcome) for result in results(events)]
    assert first == ["ok", "ok", "refused", "refused", "refused"]
    assert "kept for the answer" in results(events)[2].text
    assert "make 2 tool calls" in model.requests[0].tail
    assert answer.calls.executed == len(of(events, CallStarted)) >= 4
    assert answer.cost_usd is not None
    assert answer.cost_usd <= 3.0


def test_a_call_that_fails_is_charged_at_its_bound():
    @tool(bound=Cost(10, 0.25), name="look")
    async def broken(query: str, seconds: float) -> str:
        """Fail after it was paid for."""
        raise ConnectionError("no route")

    answer, _ = researched(Scripted([[("look", {"query": "a", "seconds": 0})], "Done."]), [broken])
    assert answer.cost_usd == 0.25


def test_a_provider_that_bills_more_than_the_bound_is_told():
    model = Priced(usage=Usage(input=90_000, output=100))
    answer, events = researched(model, budget=Budget(turns=1, tokens=1_000_000))
    assert of(events, BoundExceeded)
    assert any("set aside" in note for note in answer.notes)


def test_at_the_limit_of_seconds_the_kept_quotes_are_the_answer():
    class Slow(Priced):
        async def reply(self, request, on):
            if request.choice == "none":
                await asyncio.sleep(1_000)
            return await super().reply(request, on)

    answer, _ = researched(Slow(), budget=Budget(turns=2, seconds=40.0))
    assert answer.seconds.wall == pytest.approx(40.0)
    assert "a1 has 42 inhabitants" in answer.text
    assert answer.status == "partial"


def test_a_request_of_the_search_ends_when_the_answers_time_begins():
    answer, events = researched(Priced(seconds=50.0), budget=Budget(seconds=100.0))
    assert answer.stopped_by == "max_seconds"
    assert "a1 has 42 inhabitants" in answer.text
    assert answer.seconds.wall == pytest.approx(100.0)
    assert of(events, Stopping)[0].reason == "max_seconds"


def test_runs_share_an_outer_limit():
    outer = Spend(Budget(turns=None, calls=5), "evaluation")
    agent = Agent(Priced(), [look], schedule="constant:2!", within=outer)

    async def three():
        return [await agent.run("How many?") for _ in range(3)]

    answers = clock.run(three())
    assert outer.calls == 5
    assert answers[0].stopped_by == "max_calls"
    assert sum(answer.calls.executed for answer in answers) == 5


def test_what_was_spent_before_a_crash_counts_after_it():
    prices = Prices(input=2.0, output=8.0)
    budget = Budget(turns=None, usd=0.05)
    journal = MemoryJournal()
    options = {"schedule": "constant:2!", "text_limit": 500, "max_output": 500, "budget": budget}
    whole = clock.run(Agent(Priced(prices=prices), [look], journal=journal, **options).run("How?"))
    records = journal.read(whole.run_id)
    for count in range(4, len(records), 3):
        again = MemoryJournal()
        for record in records[:count]:
            again.append(record.run_id, record.event)
        agent = Agent(Priced(prices=prices), [look], journal=again, **options)

        async def resume(agent=agent):
            return await agent.resume(whole.run_id).answer()

        answer = clock.run(resume())
        asked = [r.event for r in again.read(whole.run_id) if isinstance(r.event, RequestSent)]
        assert all(event.bound is not None for event in asked)
        assert answer.cost_usd <= budget.usd
        assert answer.text == ANSWER.text


class Retried(Priced):
    """A priced model of which some attempts are cut off and made again."""

    def __init__(self, attempts, *, billed=True, **options):
        super().__init__(**options)
        self.attempts, self.billed = attempts, billed

    async def reply(self, request, on):
        for _ in range(self.attempts):
            on(Restarted("the reply was cut off", billed=self.billed))
        return await super().reply(request, on)


def test_an_attempt_that_was_billed_is_charged_at_its_bound():
    budget = Budget(turns=1, tokens=1_000_000)
    spent = {}
    for billed in (True, False):
        model = Retried(1, billed=billed)
        within = Spend(Budget(turns=None, tokens=1_000_000), "evaluation")
        _, events = researched(model, budget=budget, within=within)
        spent[billed] = within.spent.tokens
        bounds = sum(event.bound.tokens for event in of(events, RequestSent))
    assert spent[True] - spent[False] == bounds
    assert spent[False] == 2 * (USAGE.input + USAGE.output)


def test_a_retry_that_the_budget_does_not_hold_is_not_made():
    model = Retried(1_000)
    answer, events = researched(model, budget=Budget(tokens=20_000))
    assert answer.stopped_by == "model_error"
    assert "the budget does not hold another attempt" in " ".join(answer.notes)
    assert len(of(events, RequestRestarted)) < 40


def test_attempts_billed_before_a_crash_count_after_it():
    journal = MemoryJournal()
    budget = Budget(turns=2, tokens=1_000_000)
    model = Retried(2)
    answer, _ = researched(model, budget=budget, journal=journal)
    whole = list(journal.read(answer.run_id))
    spent = []
    for records in (whole, [one for one in whole if one.event.kind != "request_restarted"]):
        kept = MemoryJournal()
        for record in records[:-1]:
            kept.append(answer.run_id, record.event)
        agent = Agent(model, (look,), budget=budget, journal=kept, max_output=500)
        spent.append(agent.resume(answer.run_id)._state.spend.spent.tokens)
    bounds = sum(2 * one.event.bound.tokens for one in whole if one.event.kind == "request_sent")
    assert spent[0] - spent[1] == bounds
