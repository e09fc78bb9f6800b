"""Runs that go side by side, and runs that go on after a crash, pass no limit of money."""

import asyncio

import pytest
from tests.agent.test_limits import ANSWER, Priced
from tests.fakes import clock
from tests.fakes.runs import of, results

from widedeep import Agent, Budget, Cost, MemoryJournal, Prices, ToolOutput, tool
from widedeep.budget import Spend
from widedeep.events import CallStarted, RunEnded
from widedeep.models.scripted import Scripted

PRICES = Prices(input=2.0, output=8.0)


def buying(price, told=None):
    """Return a tool of which a call is bound at `price`, and tells what it took if it does."""

    @tool(bound=Cost(0, price), name="look")
    async def look(query: str, seconds: float = 0.0) -> ToolOutput:
        """Look something up for money."""
        await asyncio.sleep(seconds)
        return ToolOutput(
            f"{query} has 42 inhabitants", cost=None if told is None else Cost(0, told)
        )

    return look


def together(make, tools, shared, many, **options):
    """Return what many runs at once came to under one limit."""
    options = {"schedule": "constant:3!", "text_limit": 500, "max_output": 500, **options}

    async def every():
        agents = [Agent(make(), tools, within=shared, **options) for _ in range(many)]
        return await asyncio.gather(*(agent.run("How many?") for agent in agents))

    return clock.run(every())


def test_calls_of_runs_side_by_side_do_not_pass_a_limit_they_share():
    calls = [("look", {"query": f"a{n}", "seconds": 1}) for n in range(3)]
    shared = Spend(Budget(turns=None, usd=1.0), "evaluation")
    answers = together(lambda: Scripted([calls, ANSWER]), [buying(0.3)], shared, 4)
    assert sum(answer.calls.executed for answer in answers) == 3
    assert shared.spent.usd == pytest.approx(0.9)
    assert shared.reserved.usd == pytest.approx(0.0)


@pytest.mark.parametrize("limit", [{"usd": 0.3}, {"usd": 0.9}, {"tokens": 60_000}])
@pytest.mark.parametrize("many", [2, 5, 9])
def test_runs_side_by_side_answer_within_a_limit_they_share(limit, many):
    shared = Spend(Budget(turns=None, **limit), "evaluation")
    answers = together(
        lambda: Priced(width=3, prices=PRICES, seconds=1.0), [buying(0.01)], shared, many
    )
    assert shared.spent.tokens <= limit.get("tokens", shared.spent.tokens)
    assert shared.spent.usd <= limit.get("usd", shared.spent.usd)
    assert (shared.reserved.tokens, round(shared.reserved.usd or 0, 9)) == (0, 0.0)
    began = [answer for answer in answers if answer.turns]
    assert began
    assert all(answer.text == ANSWER.text for answer in began)
    assert {answer.stopped_by for answer in answers} <= {"max_usd", "max_tokens"}


def test_a_run_that_goes_on_does_not_pass_its_limit():
    calls = [("look", {"query": f"a{n}", "seconds": 1}) for n in range(3)]
    options = {"budget": Budget(turns=2, usd=0.5), "schedule": "constant:3!"}

    async def whole(journal):
        agent = Agent(Scripted([calls, ANSWER]), [buying(0.3)], journal=journal, **options)
        return await agent.run("How many?")

    journal = MemoryJournal()
    uncut = clock.run(whole(journal))
    assert (uncut.calls.executed, uncut.calls.refused) == (1, 2)
    records = journal.read(uncut.run_id)
    assert isinstance(records[-1].event, RunEnded)
    for count in range(1, len(records)):
        again = MemoryJournal()
        for record in records[:count]:
            again.append(record.run_id, record.event)
        begun = of([record.event for record in records[:count]], CallStarted)
        script = [ANSWER] if begun else [calls, ANSWER]
        agent = Agent(Scripted(script), [buying(0.3)], journal=again, **options)

        async def resume(agent=agent):
            return await agent.resume(uncut.run_id).answer()

        answer = clock.run(resume())
        assert answer.cost_usd <= 0.5
        assert answer.text == ANSWER.text
        assert len(results([r.event for r in again.read(uncut.run_id)])) in {0, 3}
