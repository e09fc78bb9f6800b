"""A whole evaluation has limits over those of its runs, and says which was met."""

import asyncio

import pytest
from tests.fakes import clock
from tests.fakes.tools import look

from widedeep import Agent, Budget, Cost, MemoryJournal, SqliteJournal, UsageError, tool
from widedeep.budget import Spend
from widedeep.costs import Prices
from widedeep.evals.purse import Purse
from widedeep.events import Replied, RunEnded, RunInterrupted
from widedeep.journal.totals import total
from widedeep.messages import Reply, ToolCall, Usage
from widedeep.models.scripted import Scripted
from widedeep.seams import ModelInfo

CALL = Reply(calls=(ToolCall("look", {"query": "a"}),), usage=Usage(input=500, output=100))
DONE = Reply("a has 42 inhabitants [1].", usage=Usage(input=800, output=100))


def model():
    made = Scripted([CALL, DONE] * 50, first=1.0)
    made.info = ModelInfo("priced", prices=Prices(1.0, 2.0))
    return made


def researched(purse, many, journal=None, at_once=1, **options):
    """Return the answers to many questions under the limits of a purse."""
    options = {"schedule": "constant:1", "text_limit": 500, "max_output": 500, **options}
    agent = Agent(model(), [look], journal=journal, within=purse.spend, **options)

    async def each():
        gate = asyncio.Semaphore(at_once)

        async def one():
            async with gate:
                return await purse.ask(agent, "How many?")

        return await asyncio.gather(*(one() for _ in range(many)))

    return clock.run(each())


def purse(tmp_path, **limits):
    return Purse(
        Budget(**{"turns": None, **limits}),
        tmp_path / "journal.sqlite",
        lambda: asyncio.get_running_loop().time() if _loop() else 0.0,
    )


def _loop():
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def test_each_limit_is_kept_and_named(tmp_path):
    for name, most in (("calls", 3), ("turns", 3), ("tokens", 20_000), ("usd", 0.03)):
        limits = purse(tmp_path, **{name: most})
        answers = researched(limits, 30)
        assert limits.met == name
        assert answers[0] is not None
        assert answers[-1] is None
        assert all(one is None or one.stopped_by == "answer" for one in answers)
        spent = limits.spend
        used = {"calls": spent.calls, "turns": spent.turns, "tokens": spent.spent.tokens}
        assert {**used, "usd": spent.spent.usd}[name] <= most


def test_runs_side_by_side_do_not_pass_it_together(tmp_path):
    limits = purse(tmp_path, calls=5)
    answers = researched(limits, 30, at_once=8)
    assert limits.spend.calls <= 5
    assert limits.met == "calls"
    assert sum(one.calls.executed for one in answers if one is not None) <= 5


def test_what_is_under_way_when_the_time_is_over_is_ended(tmp_path):
    limits, journal = purse(tmp_path, seconds=5.0), MemoryJournal()
    answers = researched(limits, 9, journal)
    assert [one is not None for one in answers] == [True, True] + [False] * 7
    assert limits.met == "seconds"
    events = [record.event for run in journal._events for record in journal.read(run)]
    assert sum(isinstance(event, RunEnded) for event in events) == 2
    assert sum(isinstance(event, RunInterrupted) for event in events) == 1


def test_a_limit_of_a_run_is_no_limit_of_the_evaluation(tmp_path):
    limits = purse(tmp_path, calls=100)
    answers = researched(limits, 2, budget=Budget(turns=1))
    assert limits.met is None
    assert all(one is not None for one in answers)


def test_what_was_taken_before_counts(tmp_path):
    path = tmp_path / "journal.sqlite"
    journal = SqliteJournal(path)
    first = purse(tmp_path, calls=3)
    researched(first, 30, journal)
    journal.close()
    before = total(path)
    assert (before.turns, before.calls) == (first.spend.turns, first.spend.calls)
    assert before.cost.tokens == first.spend.spent.tokens
    again = purse(tmp_path, calls=3)
    assert again.spend.calls == 3
    assert researched(again, 1) == [None]
    assert purse(tmp_path, calls=4).spend.exhausted() is None


def test_the_note_of_an_answer_says_whose_limit_was_met():
    outer = Spend(Budget(turns=None, calls=1), "evaluation")
    answer = clock.run(Agent(model(), [look], within=outer).run("How many?"))
    assert answer.status in {"answered", "partial"}
    outer = Spend(Budget(turns=1), "evaluation")
    script = Scripted([CALL, CALL, DONE])
    answer = clock.run(Agent(script, [look], within=outer).run("How many?"))
    assert "The evaluation's limit of turns is reached." in answer.notes


def test_an_answer_that_lacks_calls_for_want_of_the_evaluations_money_is_not_taken(tmp_path):
    @tool(bound=Cost(0, 0.3))
    async def look(query: str) -> str:
        """Look something up for money."""
        return f"{query} has 42 inhabitants"

    limits = purse(tmp_path, usd=0.5)
    script = Scripted([[("look", {"query": "a"}), ("look", {"query": "b"})], DONE])
    agent = Agent(script, [look], within=limits.spend, schedule="constant:2")
    assert clock.run(limits.ask(agent, "How many?")) is None
    assert limits.met == "usd"


def test_a_journal_that_tells_no_price_takes_no_limit_in_usd(tmp_path):
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    journal.append("run", Replied(1, DONE, 1.0, Cost(900, None)))
    journal.close()
    with pytest.raises(UsageError, match="took in USD is not known"):
        purse(tmp_path, usd=1.0)
    assert purse(tmp_path, tokens=1_000).spend.spent.tokens == 900
