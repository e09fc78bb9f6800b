"""A run that was cut off goes on where its record ends, wherever that is."""

import asyncio

import pytest
from tests.fakes import clock
from tests.fakes.runs import of
from tests.fakes.tools import empty, fail, look

from widedeep import Agent, Found, MemoryJournal, ToolOutput, UsageError, tool
from widedeep.events import (
    Appended,
    BatchEnded,
    CallSettled,
    CallStarted,
    Replied,
    RunResumed,
    RunStarted,
)
from widedeep.journal import message_of, transcript_hash
from widedeep.messages import LedgerEntry, Outcome, Quote, Reply, ToolCall
from widedeep.models.scripted import Scripted


class ByTurn:
    """A model whose reply depends on the turn alone, so that it may be asked again."""

    def __init__(self, script):
        self.script = script
        self.info = Scripted([]).info
        self.asked = []

    async def reply(self, request, on):
        self.asked.append(request.turn)
        step = self.script[request.turn - 1]
        return await Scripted([step], first=0.5, each=0.1).reply(request, on)


def counted(seen):
    @tool(name="look", deadline=10)
    async def look(query: str, seconds: float = 0.0) -> ToolOutput:
        """Look something up; it takes `seconds`."""
        seen.append(query)
        await asyncio.sleep(seconds)
        found = Found(f"doc {query}", f"{query} has 42 inhabitants.", title=query)
        return ToolOutput(sources=(found,))

    @tool(name="write", effects="write", deadline=10)
    async def write(query: str, seconds: float = 0.0) -> str:
        """Write something down; it takes `seconds`."""
        seen.append(query)
        await asyncio.sleep(seconds)
        return f"{query} is written"

    return [look, write, fail, empty]


LEDGER = (LedgerEntry("a", "How many in a?", "supported", (Quote(1, "a has 42"),)),)
SCRIPT = [
    [("look", {"query": "a", "seconds": 1}), ("look", {"query": "b", "seconds": 3}), ("fail", {})],
    [("look", {"query": "a", "seconds": 1}), ("look", {"query": "c"}), ("empty", {"query": "q"})],
    Reply(calls=(ToolCall("look", {"query": "d", "seconds": 2}),), ledger=LEDGER),
    "",
    [("look", {"query": "e", "seconds": 4}), ("look", {"query": "a", "seconds": 1})],
    [("look", {"query": "h", "seconds": 1})],
    "a has 42 inhabitants [1], and so has b [2].",
]


def agent(journal, model, seen, **options):
    options = {"schedule": "constant:2!", "turn_deadline": 5, **options}
    return Agent(model, counted(seen), journal=journal, **options)


def whole(script=SCRIPT, **options):
    """Return the records and the queries of a run that nothing disturbs."""
    journal, seen = MemoryJournal(), []
    answer = clock.run(agent(journal, ByTurn(script), seen, **options).run("How many?"))
    return answer, journal.read(answer.run_id), seen


def cut(records, count):
    """Return a journal that holds the first `count` records."""
    journal = MemoryJournal()
    for record in records[:count]:
        journal.append(record.run_id, record.event)
    return journal


def resumed(records, count, script=SCRIPT, **options):
    journal, model, seen = cut(records, count), ByTurn(script), []
    run_id = records[0].run_id

    async def go():
        return await agent(journal, model, seen, **options).resume(run_id).answer()

    return clock.run(go()), journal.read(run_id), model, seen


ANSWER, RECORDS, SEEN = whole()


@pytest.mark.parametrize("count", range(1, len(RECORDS) + 1))
def test_every_prefix_of_a_record_goes_on_to_the_same_transcript(count):
    answer, records, model, seen = resumed(RECORDS, count)
    assert transcript_hash(records) == transcript_hash(RECORDS)
    assert (answer.text, answer.status) == (ANSWER.text, ANSWER.status)
    assert [source.id for source in answer.sources] == [source.id for source in ANSWER.sources]
    past = [record.event for record in RECORDS[:count]]
    assert not {event.turn for event in of(past, Replied)} & set(model.asked)
    settled = {event.call_id for event in of(past, CallSettled)}
    asked = {event.call.id: event.call for event in of(past, CallStarted)}
    bought = [asked[name].arguments["query"] for name in settled if asked[name].tool == "look"]
    again = [query for query in bought if query in seen]
    assert not again, "a recorded result was bought again"


LATE = [
    [("look", {"query": "e", "seconds": 7}), ("look", {"query": "f", "seconds": 1})],
    [("look", {"query": "g", "seconds": 4}), ("look", {"query": "e", "seconds": 7})],
    [("look", {"query": "h", "seconds": 1})],
    [("look", {"query": "i", "seconds": 4})],
    [("look", {"query": "j", "seconds": 4})],
    "e has 42 inhabitants.",
]
_, LATE_RECORDS, _ = whole(LATE)


@pytest.mark.parametrize("count", range(1, len(LATE_RECORDS) + 1))
def test_a_late_result_is_told_once_wherever_the_run_was_cut_off(count):
    answer, records, _, _ = resumed(LATE_RECORDS, count, LATE)
    late = [r.event for r in records if isinstance(r.event, Appended) and r.event.late]
    assert [event.late for event in late] == ["1.1"]
    for batch in of([r.event for r in records], BatchEnded):
        (reply,) = [e for e in of([r.event for r in records], Replied) if e.turn == batch.turn]
        assert [result.call for result in batch.results] == list(reply.reply.calls)
    assert "doc e" in [source.id for source in answer.sources]


def test_what_was_under_way_is_listed_charged_and_made_again():
    started = [i for i, r in enumerate(RECORDS) if isinstance(r.event, CallStarted)]
    answer, records, _, seen = resumed(RECORDS, started[1] + 1, budget=None)
    (event,) = [r.event for r in records if isinstance(r.event, RunResumed)]
    assert event.calls == ("1.1", "1.2")
    assert event.request
    assert seen[:2] == ["a", "b"]
    assert any("1.1, 1.2" in note for note in answer.notes)
    assert answer.calls.requested == ANSWER.calls.requested


WRITES = [
    [("write", {"query": "x", "seconds": 3}), ("look", {"query": "y", "seconds": 1})],
    "y has 42 inhabitants [1].",
]


def test_a_write_under_way_is_interrupted_and_never_repeated():
    _, records, _ = whole(WRITES)
    place = max(i for i, r in enumerate(records) if isinstance(r.event, CallStarted))
    answer, after, _, seen = resumed(records, place + 1, WRITES)
    assert "x" not in seen
    (batch,) = [r.event for r in after if isinstance(r.event, BatchEnded)]
    assert [result.outcome for result in batch.results] == [Outcome.INTERRUPTED, Outcome.OK]
    assert "not repeated" in batch.results[0].text
    assert answer.calls.interrupted == 1


def test_a_resumed_run_resumes_again():
    count = len(RECORDS) // 3
    _, once, _, _ = resumed(RECORDS, count)
    for further in range(count + 1, len(once)):
        _, twice, _, _ = resumed(once, further)
        assert transcript_hash(twice) == transcript_hash(RECORDS)


def test_a_finished_run_gives_its_answer():
    answer, records, model, seen = resumed(RECORDS, len(RECORDS))
    assert answer == ANSWER
    assert (len(records), model.asked, seen) == (len(RECORDS), [], [])


def test_an_unknown_run_and_a_lacking_tool_are_named():
    with pytest.raises(UsageError, match="no run 'x'"):
        Agent(Scripted([]), [look], journal=MemoryJournal()).resume("x")
    with pytest.raises(UsageError, match="keeps no record"):
        Agent(Scripted([]), [look]).resume("x")
    with pytest.raises(UsageError, match="'write'"):
        Agent(Scripted([]), [look], journal=cut(RECORDS, 4)).resume(RECORDS[0].run_id)


def test_time_between_sessions_is_not_spent():
    answer, _, _, _ = resumed(RECORDS, len(RECORDS) // 2)
    assert answer.seconds.wall < ANSWER.seconds.wall * 2


def test_the_record_tells_the_history():
    told = [message for record in RECORDS if (message := message_of(record.event))]
    assert isinstance(RECORDS[0].event, RunStarted)
    roles = [message.role for message in told]
    assert roles[:4] == ["system", "user", "assistant", "results"]
