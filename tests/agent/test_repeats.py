"""A call that is asked for over and over is made once, and from the third time on that is said."""

import pytest
from tests.agent.test_resuming import agent
from tests.fakes import clock
from tests.fakes.runs import research, results
from tests.fakes.tools import empty, fail, look

from widedeep import MemoryJournal
from widedeep.agent.replay import replay
from widedeep.models.scripted import Scripted

SAID = "asked for {} times in this run"


def told(result):
    return [n for n in range(2, 9) if SAID.format(n) in result.text]


def test_the_third_equal_call_is_told_of_and_noted():
    one = [("look", {"query": "a"})]
    script = [one, [*one, ("look", {"query": "b"})], one, one, "a has 42 inhabitants [1]."]
    answer, events = research(script, [look])
    assert [told(results(events, turn)[0]) for turn in range(1, 5)] == [[], [], [3], [4]]
    assert told(results(events, 2)[1]) == []
    assert "Call 1.1 was asked for 4 times; it was made once." in answer.notes
    assert (answer.calls.executed, answer.calls.duplicate) == (2, 3)


def test_it_is_said_within_a_batch_and_of_searches_that_find_nothing():
    answer, events = research([[("empty", {"query": "q"})] * 3, "Nothing."], [empty])
    assert [told(result) for result in results(events)] == [[], [], [3]]
    assert any("asked for 3 times" in note for note in answer.notes)


def test_calls_that_are_made_again_are_not_flagged():
    calls = [("fail", {"message": "no such host"}), ("look", {"query": "a"})]
    answer, events = research([calls[:1]] * 3 + ["Nothing."], [fail, look])
    assert all(not told(results(events, turn)[0]) for turn in (1, 2, 3))
    assert not any("asked for" in note for note in answer.notes)


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7, 0.9])
def test_the_count_outlives_a_crash_and_a_replay(share):
    one = [("look", {"query": "a"})]
    script = [one, one, [*one, ("look", {"query": "b"})], one, "a has 42 inhabitants [1]."]
    journal, cut = MemoryJournal(), MemoryJournal()
    whole = clock.run(agent(journal, Scripted(script), []).run("How many?"))
    records = journal.read(whole.run_id)
    assert replay(records).same
    kept = records[: int(len(records) * share)]
    for record in kept:
        cut.append(whole.run_id, record.event)
    left = script[sum(record.event.kind == "replied" for record in kept) :]

    async def resume():
        return await agent(cut, Scripted(left), []).resume(whole.run_id).answer()

    again = clock.run(resume())
    assert [note for note in again.notes if "asked for" in note] == [
        "Call 1.1 was asked for 4 times; it was made once."
    ]
    assert replay(cut.read(whole.run_id)).same
