"""A record tells the same run again, without asking anybody, and what else it might have taken."""

import asyncio

import pytest
from tests.agent.test_resuming import RECORDS, WRITES, counted, resumed, whole
from tests.fakes import clock
from tests.fakes.runs import of
from tests.fakes.tools import look

from widedeep import Agent, Budget, MemoryJournal, UsageError, tool
from widedeep.agent.replay import replay
from widedeep.events import CallStarted, RunStarted
from widedeep.messages import LedgerEntry, Quote, Reply, ToolCall
from widedeep.models.scripted import Scripted


def recorded(script, tools=None, *, first=0.5, each=0.1, budget=None, **options):
    """Return the answer and the records of a run of a script."""
    journal = MemoryJournal(clock=lambda: asyncio.get_running_loop().time())
    model = Scripted(script, first=first, each=each)
    options = {"schedule": "constant:3!", "turn_deadline": 5, **options}
    agent = Agent(model, tools or counted([]), journal=journal, budget=budget, **options)
    answer = clock.run(agent.run("How many?"))
    return answer, journal.read(answer.run_id)


def calls(*queries, seconds=1):
    return [("look", {"query": query, "seconds": seconds}) for query in queries]


NOTES = [
    [("note", {"id": "q", "text": "How many in a?"}), *calls("a")],
    "a has 42 inhabitants [1].",
]
SCRIPTS = {
    "plain": [calls("a", "b"), calls("c"), "a has 42 inhabitants [1]."],
    "duplicates": [calls("a", "a", "b", "c", "d"), calls("a"), "a has 42 inhabitants [1]."],
    "late": [calls("a", seconds=7), calls("b", seconds=4), calls("c"), "a has 42 [1]."],
    "errors": [[("fail", {}), ("look", {"wrong": 1}), ("nothing", {}), *calls("a")], "a [1]."],
    "timeout": [calls("a", seconds=30), calls("b", seconds=9), calls("c", seconds=9), "b [1]."],
    "no json": [Reply(calls=(ToolCall("look", None, raw="{"),)), "Nothing."],
    "cut": [Reply(calls=tuple(ToolCall("look", {"query": q}) for q in "ab"), stop="length"), "a."],
    "notes": NOTES,
    "empty": ["", calls("a"), "", ""],
    "ledger": [
        Reply(
            calls=(ToolCall("look", {"query": "a"}),),
            ledger=(LedgerEntry("x", "y", "supported", (Quote(1, "a has 42"),)),),
        ),
        "a has 42 inhabitants [1].",
    ],
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_record_tells_the_same_run_again(name):
    answer, records = recorded(SCRIPTS[name])
    again = replay(records)
    assert again.same
    assert (again.answer.text, again.answer.status) == (answer.text, answer.status)
    assert again.answer.calls == answer.calls
    assert again.seconds.wall == pytest.approx(answer.seconds.wall)
    assert again.seconds.serial == pytest.approx(answer.seconds.serial)


def test_limits_and_the_user_end_a_replay_where_they_ended_the_run():
    script = [calls("a"), calls("b"), calls("c"), "a [1]."]
    answer, records = recorded([*script[:2], "a [1]."], budget=Budget(turns=2))
    assert answer.stopped_by == "max_turns"
    assert replay(records).same

    journal = MemoryJournal()
    agent = Agent(Scripted([*script[:1], "a has 42 [1]."]), [look], journal=journal)

    async def stopped():
        run = agent.stream("How many?")
        async for event in run:
            if isinstance(event, CallStarted):
                asyncio.get_running_loop().call_later(0.5, run.answer_now)
        return await run.answer()

    answer = clock.run(stopped())
    assert answer.stopped_by == "user"
    again = replay(journal.read(answer.run_id))
    assert (again.same, again.answer.stopped_by) == (True, "user")


def test_a_run_that_was_cut_off_and_resumed_replays():
    _, records, _, _ = resumed(RECORDS, len(RECORDS) // 2)
    assert replay(records).same
    _, writes, _ = whole(WRITES)
    place = max(i for i, r in enumerate(writes) if isinstance(r.event, CallStarted))
    _, after, _, _ = resumed(writes, place + 1, WRITES)
    assert replay(after).same


def test_what_calls_would_have_taken_one_after_another_and_without_early_start():
    asked = [*calls("a", seconds=4), *calls("b", "c")]
    answer, records = recorded([asked, "a [1]."], first=1.0, each=1.0, turn_deadline=50)
    plain, serial = replay(records), replay(records, serial=True)
    late = replay(records, early_start=False)
    assert plain.seconds.wall == answer.seconds.wall
    assert serial.seconds.wall > late.seconds.wall > plain.seconds.wall
    assert serial.same
    assert late.same


def test_another_deadline_makes_calls_late_and_the_run_another_one():
    _, records = recorded([calls("a", "b", seconds=3), calls("c"), "a has 42 [1]."])
    again = replay(records, turn_deadline=1)
    assert not again.same
    assert again.answer.calls.late == 2


def test_nothing_outside_is_asked():
    _, records = recorded([calls("a"), "a [1]."])
    (start,) = of([record.event for record in records], RunStarted)
    assert start.terms is not None

    @tool
    async def untouched(query: str) -> str:
        """Never called."""
        raise AssertionError

    assert replay(records).same


def test_a_record_without_terms_is_named():
    with pytest.raises(UsageError, match="cannot be replayed"):
        replay([])
