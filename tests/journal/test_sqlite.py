"""The journal on disk: what goes in comes out, whoever else writes, whatever fails."""

import asyncio
import json
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fakes.tools import look

from widedeep import Agent, Found, MemoryJournal, SqliteJournal, tool
from widedeep.errors import JournalError
from widedeep.events import Appended, BatchEnded, CallSettled, CallStarted, Event, Replied
from widedeep.journal import decode, encode
from widedeep.messages import Outcome, Reply, ToolCall, ToolOutput, User
from widedeep.models.scripted import Scripted

SCRIPT = [[("look", {"query": q}) for q in ("a", "b", "é" * 2000)], "a has 42 inhabitants [1]."]


@pytest.fixture
def journal(tmp_path):
    made = SqliteJournal(tmp_path / "deep" / "store" / "journal.sqlite")
    yield made
    made.close()


def test_a_run_reads_back_as_it_was(journal):
    memory = MemoryJournal()

    class Both:
        def append(self, run_id, event):
            memory.append(run_id, event)
            journal.append(run_id, event)

        async def flush(self):
            await journal.flush()

        def read(self, run_id):
            return memory.read(run_id)

    answer = Agent(Scripted(SCRIPT), [look], journal=Both()).run_sync("How many?")
    kept = [record.event for record in journal.read(answer.run_id)]
    assert kept == [record.event for record in memory.read(answer.run_id)]
    assert [record.seq for record in journal.read(answer.run_id)] == list(range(1, len(kept) + 1))
    (summary,) = journal.runs()
    assert (summary.run_id, summary.status, summary.turns, summary.calls) == (
        answer.run_id,
        "answered",
        1,
        3,
    )


def test_a_long_text_is_stored_once(journal):
    text = "long " * 5000
    for _ in range(3):
        journal.append("run", Appended(User(text)))
    asyncio.run(journal.flush())
    assert [record.event.message.text for record in journal.read("run")] == [text] * 3
    with closing(sqlite3.connect(journal.path)) as connection:
        sizes = connection.execute("SELECT length(body) FROM blobs").fetchall()
    assert len(sizes) == 1
    assert sizes[0][0] < len(text) / 10


TEXTS = st.text(max_size=40) | st.just("x" * 3000)


@given(
    st.lists(
        st.builds(Appended, st.builds(User, TEXTS))
        | st.builds(CallSettled, TEXTS, st.sampled_from(Outcome), st.floats(0, 9))
        | st.builds(
            CallStarted,
            st.integers(1, 9),
            st.builds(ToolCall, TEXTS, st.dictionaries(TEXTS, TEXTS | st.none() | st.booleans())),
            st.sampled_from(["read", "write"]),
            st.booleans(),
        )
        | st.builds(Replied, st.integers(1, 9), st.builds(Reply, TEXTS), st.floats(0, 9))
    )
)
def test_any_history_reads_back(events: list[Event]):
    for event in events:
        assert decode(json.loads(encode(event))) == event


def test_of_what_json_does_not_know_only_the_type_is_kept():
    deep: list = []
    for _ in range(3000):
        deep = [deep]
    output = ToolOutput("x", None, data={"set": {1}, "nan": float("nan"), "deep": deep})
    body = json.loads(encode(CallSettled("1.1", Outcome.OK, 0.1, output)))
    assert body["output"]["data"]["set"] == "[set]"
    assert body["output"]["data"]["nan"] == "nan"
    assert "too deep to keep" in json.dumps(body)


def test_two_processes_write_to_one_store(tmp_path):
    code = """
import sys, pathlib
from tests.fakes.tools import look
from widedeep import Agent, SqliteJournal
from widedeep.models.scripted import Scripted
journal = SqliteJournal(pathlib.Path(sys.argv[1]))
for n in range(20):
    script = [[("look", {"query": f"{n} {q}" * 300}) for q in "abc"], "Done."]
    Agent(Scripted(script), [look], journal=journal).run_sync("How many?")
journal.close()
"""
    path = tmp_path / "journal.sqlite"
    both = [subprocess.Popen([sys.executable, "-c", code, str(path)]) for _ in range(2)]
    assert [process.wait(timeout=100) for process in both] == [0, 0]
    journal = SqliteJournal(path)
    runs = journal.runs()
    assert len(runs) == 40
    assert all(summary.status for summary in runs)
    assert all(list(journal.read(summary.run_id)) for summary in runs)
    journal.close()


def test_a_newer_layout_is_refused(tmp_path):
    path = tmp_path / "journal.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(JournalError, match=r"layout 99.*update widedeep"):
        SqliteJournal(path)


def test_a_file_that_is_no_journal_is_named(tmp_path):
    path = tmp_path / "journal.sqlite"
    path.write_text("not a database " * 100)
    with pytest.raises(JournalError, match="cannot be opened"):
        SqliteJournal(path)


def test_a_full_disk_ends_the_run_with_its_reason(tmp_path):
    journal = SqliteJournal(tmp_path / "journal.sqlite", pages=12)
    model = Scripted([[("look", {"query": str(n) * 5000})] for n in range(30)] + ["Done."])
    with pytest.raises(JournalError, match=r"cannot be written.*--store"):
        Agent(model, [look], journal=journal).run_sync("How many?")
    journal.close()


def test_a_closed_journal_says_so(journal):
    journal.close()
    with pytest.raises(JournalError, match="closed"):
        asyncio.run(journal.flush())


def test_odd_text_and_odd_data_harm_no_run(journal):
    @tool
    async def odd(query: str) -> ToolOutput:
        """Give back what no JSON holds."""
        cyclic: list = []
        cyclic.append(cyclic)
        return ToolOutput(f"got {query}", data={"cyclic": cyclic, "type": ToolOutput})

    call = ToolCall("odd", {"query": "lone \ud800 surrogate", "$blob": "x"})
    calls = Reply(calls=(call, ToolCall("odd", {"query": "y" * 3000, "more": {"$blob": "z"}})))
    model = Scripted([calls, Reply(calls=(ToolCall("odd", {"query": "fine"}),)), "Done."])
    question = "Why? " * 500
    answer = Agent(model, [odd], journal=journal).run_sync(question)
    events = [record.event for record in journal.read(answer.run_id)]
    assert len(events) > 8
    asked = next(event for event in events if isinstance(event, Replied)).reply.calls[1]
    assert asked.arguments["more"] == {"$blob": "z"}
    assert journal.runs()[0].question == question.strip()


def test_a_result_keeps_the_text_of_its_sources_once(journal):
    texts = [letter * 3000 for letter in "ab"]

    @tool
    async def fetch(query: str) -> ToolOutput:
        """Give back two long pages."""
        return ToolOutput("", tuple(Found(text[0], text) for text in texts))

    script = [[("fetch", {"query": "x"})], "Done [1]."]
    answer = Agent(Scripted(script), [fetch], journal=journal).run_sync("What?")
    kept = [record.event for record in journal.read(answer.run_id)]
    (ended,) = [event for event in kept if isinstance(event, BatchEnded)]
    assert all(text in ended.results[0].text for text in texts)
    with closing(sqlite3.connect(journal.path)) as connection:
        blobs = [body.decode() for (body,) in connection.execute("SELECT body FROM blobs")]
    assert [sum(blob.count(text) for blob in blobs) for text in texts] == [1, 1]


@pytest.mark.parametrize(
    "data", [10**5000, {"n": 10**5000}, {1: {2, 3}}], ids=["int", "deep", "set"]
)
def test_data_that_no_json_holds_is_dropped_and_the_run_goes_on(journal, data):
    @tool
    async def odd(query: str) -> ToolOutput:
        """Give back odd data."""
        return ToolOutput("x has 42 inhabitants", data=data)

    script = [[("odd", {"query": "x"})], "x has 42 inhabitants [1]."]
    answer = Agent(Scripted(script), [odd], journal=journal).run_sync("How many?")
    assert answer.status == "answered"
    (settled,) = [r.event for r in journal.read(answer.run_id) if isinstance(r.event, CallSettled)]
    assert settled.output.data is None


def test_numbers_that_python_does_not_print_are_kept_as_their_type():
    call = ToolCall("odd", {"n": 10**5000})
    body = json.loads(encode(CallStarted(1, call, "read", early=False)))
    assert body["call"]["arguments"] == {"n": "[int]"}
