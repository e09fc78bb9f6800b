"""A further question goes on with an earlier run's history, sources and ledger."""

import pytest
from tests.agent.test_resuming import ByTurn, agent
from tests.fakes import clock
from tests.fakes.runs import of

from widedeep import Agent, Budget, MemoryJournal, UsageError
from widedeep.agent.replay import replay
from widedeep.events import CallStarted, Continued, RunEnded, RunStarted, TurnStarted
from widedeep.journal import transcript_hash
from widedeep.messages import Assistant, LedgerEntry, Quote, Reply, Results, ToolCall, User
from widedeep.models.scripted import Scripted
from widedeep.seams import ModelInfo

OPEN = (LedgerEntry("z", "How many in z?"),)
NEW = (LedgerEntry("b", "How many in b?", "supported", (Quote(2, "b has 42"),)),)
FIRST = [
    Reply(calls=(ToolCall("look", {"query": "a", "seconds": 1}),), ledger=OPEN),
    "a has 42 inhabitants [1].",
]
SECOND = [
    [("look", {"query": "a", "seconds": 1}), ("look", {"query": "b", "seconds": 1})],
    Reply(calls=(ToolCall("look", {"query": "c", "seconds": 1}),), ledger=NEW),
    "b has 42 inhabitants [2], and so has a [1].",
]
THIRD = ["a has 42 inhabitants [1]."]
SCRIPT = [*FIRST, *SECOND, *THIRD]


class Sent(ByTurn):
    """A model that also keeps the requests it was sent."""

    def __init__(self, script=SCRIPT):
        super().__init__(script)
        self.info = ModelInfo("by turn", keeps_ledger=True)
        self.requests = []

    async def reply(self, request, on):
        self.requests.append(request)
        return await super().reply(request, on)


def asked(*questions, journal=None, model=None, **options):
    """Return the answers to questions, each of which follows up the one before it."""
    journal, model = journal or MemoryJournal(), model or Sent()
    answers = []
    for question in questions:
        before = answers[-1].run_id if answers else None
        researcher = agent(journal, model, [], **options)
        answers.append(clock.run(researcher.run(question, continues=before)))
    return answers, journal, model


def test_a_follow_up_has_what_the_run_before_it_had():
    (first, second), journal, model = asked("How many in a?", "And in b?")
    assert (first.continues, second.continues) == (None, first.run_id)
    assert [source.n for source in second.sources] == [1, 2, 3]
    assert [one.n for one in second.citations if one.verified] == [1, 2]
    assert (second.status, second.turns, second.calls.executed) == ("answered", 2, 3)
    events = [record.event for record in journal.read(second.run_id)]
    assert [event.call.id for event in of(events, CallStarted)] == ["3.1", "3.2", "4.1"]
    sent = model.requests[2]
    assert sent.tail.startswith("Turn 1 of 30.")
    assert sent.history[: len(model.requests[1].history)] == model.requests[1].history
    said = [message for message in sent.history if isinstance(message, User)]
    assert [message.asks for message in said] == [True, False, True]
    assert said[-1].text == "And in b?"
    ids = [
        result.call.id
        for message in model.requests[-1].history
        if isinstance(message, Results)
        for result in message.results
    ]
    assert len(ids) == len(set(ids)) == 4


def test_what_the_earlier_run_left_open_is_not_told_of_this_one():
    (first, second), _, _ = asked("How many in a?", "And in b?")
    assert second.quotes == (Quote(2, "b has 42"),)
    assert not any("Still open" in note for note in (*first.notes, *second.notes))
    script = [FIRST[0], "a has.", "Nothing."]
    (first, second), _, _ = asked("How many in a?", "And in b?", model=Sent(script))
    assert any("How many in z?" in note for note in first.notes)
    assert not any("How many in z?" in note for note in second.notes)


def test_limits_and_schedules_count_anew():
    options = {"budget": Budget(turns=1), "schedule": "1:2,2:3"}
    answers, journal, _ = asked("How many in a?", "And in b?", "And in a?", **options)
    widths = [
        event.width.target
        for answer in answers[:2]
        for event in of([r.event for r in journal.read(answer.run_id)], TurnStarted)
        if not event.answering
    ]
    assert widths == [2, 2]
    assert answers[1].stopped_by == "max_turns"


def test_a_follow_up_stands_when_what_it_follows_up_is_gone():
    (_, _, third), journal, model = asked("How many in a?", "And in b?", "And in a?")
    alone = MemoryJournal()
    for record in journal.read(third.run_id):
        alone.append(third.run_id, record.event)
    assert clock.run(agent(alone, model, []).resume(third.run_id).answer()) == third
    assert replay(alone.read(third.run_id)).same
    last = Sent([*SCRIPT, "b has 42 inhabitants [2]."])
    fourth = clock.run(agent(alone, last, []).run("And in b?", continues=third.run_id))
    assert (fourth.status, fourth.turns, len(fourth.sources)) == ("answered", 0, 3)
    (continued,) = of([record.event for record in alone.read(fourth.run_id)], Continued)
    assert len(continued.runs) == 3
    assert continued.runs[-1] == fourth.continues == third.run_id


def test_a_follow_up_that_was_cut_off_anywhere_comes_to_the_same():
    (first, second), journal, _ = asked("How many in a?", "And in b?")
    records = journal.read(second.run_id)
    assert replay(records).same
    for place in range(1, len(records)):
        cut = MemoryJournal()
        for record in (*journal.read(first.run_id), *records[:place]):
            cut.append(record.run_id, record.event)

        async def resume(cut=cut):
            return await agent(cut, Sent(), []).resume(second.run_id).answer()

        answer = clock.run(resume())
        after = cut.read(second.run_id)
        assert transcript_hash(after) == transcript_hash(records), place
        assert (answer.text, answer.continues) == (second.text, first.run_id)
        assert replay(after).same
        assert len(of([record.event for record in after], Continued)) == 1


def test_the_same_follow_up_has_the_same_hash_whatever_its_runs_are_called():
    hashes = set()
    for _ in range(2):
        answers, journal, _ = asked("How many in a?", "And in b?", "And in a?")
        hashes.add(transcript_hash(journal.read(answers[-1].run_id)))
    assert len(hashes) == 1


def test_calls_without_results_are_not_taken_over():
    (first,), journal, _ = asked("How many in a?")
    broken = MemoryJournal()
    for record in journal.read(first.run_id):
        kept = record.event.kind not in {"batch_ended", "sources_met"}
        if kept and not (record.event.kind == "replied" and record.event.turn == 2):
            broken.append(first.run_id, record.event)
    model = Scripted(["Nothing."])
    clock.run(agent(broken, model, []).run("And in b?", continues=first.run_id))
    assert not any(isinstance(m, Assistant) and m.calls for m in model.requests[0].history)


def test_what_cannot_be_followed_up_is_named():
    (first,), journal, model = asked("How many in a?")
    with pytest.raises(UsageError, match="no run 'nothing'"):
        agent(journal, model, []).stream("And in b?", continues="nothing")
    with pytest.raises(UsageError, match="pass the journal"):
        Agent(Scripted([])).stream("And in b?", continues=first.run_id)
    unfinished = MemoryJournal()
    for record in journal.read(first.run_id):
        if not isinstance(record.event, RunEnded):
            unfinished.append(first.run_id, record.event)
    with pytest.raises(UsageError, match="no answer yet"):
        agent(unfinished, model, []).stream("And in b?", continues=first.run_id)
    gone = MemoryJournal()
    (start, *_) = journal.read(first.run_id)
    assert isinstance(start.event, RunStarted)
    gone.append("x", RunStarted(**{**_fields(start.event), "run_id": "x", "continues": "gone"}))
    with pytest.raises(UsageError, match="no run 'gone'"):
        agent(gone, model, []).resume("x")


def _fields(event):
    return {name: getattr(event, name) for name in event.__dataclass_fields__ if name != "kind"}
