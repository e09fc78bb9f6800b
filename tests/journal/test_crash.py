"""A run that was killed, wherever: the record is sound, and goes on once or says why not."""

import asyncio
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from widedeep import Agent, Budget, Found, MemoryJournal, SqliteJournal, ToolOutput, tool
from widedeep.errors import JournalError
from widedeep.events import CallStarted, Record, RequestSent, RunResumed, RunStarted
from widedeep.journal import encode, reading, transcript_hash
from widedeep.messages import ToolCall
from widedeep.models.scripted import Scripted
from widedeep.seams import ModelInfo

SCRIPT = [
    [("look", {"query": "a"}), ("look", {"query": "b" * 2000})],
    [("look", {"query": "c" * 9000}), ("look", {"query": "a"})],
    "a has 42 inhabitants [1].",
]


class ByTurn:
    """A model whose reply depends on the turn alone; it keeps the turns it was asked for."""

    def __init__(self, name="by turn"):
        self.info = ModelInfo(name)
        self.asked = []

    async def reply(self, request, on):
        self.asked.append(request.turn)
        return await Scripted([SCRIPT[request.turn - 1]]).reply(request, on)


def looking(held=None):
    """Return a tool that finds what it is asked for, once `held` is set."""

    @tool(name="look")
    async def look(query: str) -> ToolOutput:
        """Look something up."""
        if held is not None:
            await held.wait()
        return ToolOutput(sources=(Found(f"doc {query}", f"{query} has 42 inhabitants."),))

    return look


def cut(path, turn=2):
    """Write a run to a journal up to the request of a turn; return its id and the whole record."""
    whole = MemoryJournal()
    run_id = Agent(ByTurn(), [looking()], journal=whole).run_sync("How many?").run_id
    records = whole.read(run_id)
    journal = SqliteJournal(path)
    for record in records:
        journal.append(run_id, record.event)
        if isinstance(record.event, RequestSent) and record.event.turn == turn:
            break
    journal.close()
    return run_id, records


def resume(journal, run_id, model):
    """Resume a run and return its answer."""

    async def go():
        return await Agent(model, [looking()], journal=journal).resume(run_id).answer()

    return asyncio.run(go())


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.sqlite"


def test_runs_killed_at_points_and_times_go_on_and_buy_nothing_twice():
    command = [sys.executable, "bench/crash.py", "--points", "20", "--random", "20"]
    done = subprocess.run(
        [*command, "--writes", "5", "--late", "3"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 things wrong in 48 runs" in done.stdout


def started(run_id):
    return RunStarted(run_id, "How many?", "m", "constant:3", Budget(), (), "2026-11-30", "0")


def test_what_had_begun_is_known_though_it_was_never_committed(path):
    journal, call = SqliteJournal(path), ToolCall("look", {"query": "a"}, "1.1")
    journal.append("run", started("run"))
    asyncio.run(journal.flush())
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")  # now nothing can be committed
        for turn in (1, 2):
            journal.append("run", CallStarted(turn, call, "read", early=True))
        journal.append("run", CallStarted(3, call, "write", early=False))
        found = [record.event for record in SqliteJournal(path).read("run")]
        other.rollback()
    assert [event.kind for event in found] == ["run_started", "call_started", "call_started"]
    assert [event.turn for event in found[1:]] == [1, 2]
    journal.close()


def test_s13_what_has_begun_is_noted_without_its_secrets(path):
    secret = "8f3a61c07b2d"
    journal = SqliteJournal(path, secrets={"search": secret})
    journal.append("run", started("run"))
    call = ToolCall("look", {"query": f"https://example.org/?key={secret}"}, "1.1")
    journal.append("run", CallStarted(1, call, "read", early=True))
    noted = (path.with_name("journal.sqlite-locks") / "run").read_text()
    journal.close()
    assert secret not in noted
    assert "[redacted:search]" in noted


def test_what_had_begun_is_on_record_before_the_run_goes_on(path):
    run_id, whole = cut(path)
    journal = SqliteJournal(path)
    last = list(journal.read(run_id))[-1].seq
    lock = path.with_name("journal.sqlite-locks") / run_id
    event = CallStarted(2, ToolCall("look", {"query": "c" * 9000}, "2.1"), "read", early=True)
    line = (
        f'{{"seq": {last + 3}, "at": 1.5, "event": {encode(event)}}}\n{{"seq": 99, "at": 1.0, "eve'
    )
    lock.write_text(line)
    assert list(journal.read(run_id))[last:] == [Record(run_id, last + 3, 1.5, event)]
    resume(journal, run_id, ByTurn())
    records = list(journal.read(run_id))
    assert records[last] == Record(run_id, last + 3, 1.5, event)
    assert isinstance(records[last + 1].event, RunResumed)
    assert records[last + 1].event.calls == ("2.1",)
    assert transcript_hash(records) == transcript_hash(whole)
    assert not lock.exists()
    journal.close()


@pytest.mark.parametrize("seed", range(12))
def test_of_a_torn_record_what_is_whole_goes_on(path, tmp_path, seed):
    drawn = random.Random(seed)
    journal = SqliteJournal(path)
    answer = Agent(ByTurn(), [looking()], journal=journal).run_sync("How many?")
    whole = list(journal.read(answer.run_id))
    torn = tmp_path / "torn" / path.name
    torn.parent.mkdir()
    log = Path(f"{path}-wal").read_bytes()
    journal.close()
    cut(torn)
    Path(f"{torn}").write_bytes(b"")
    at = drawn.randrange(len(log) // 2, len(log))
    Path(f"{torn}-wal").write_bytes(log[:at] + drawn.choice([b"", log[at + 1 :], bytes(5000)]))
    found = SqliteJournal(torn)
    kept = list(found.read(answer.run_id))
    assert [one.event for one in kept] == [one.event for one in whole[: len(kept)]]
    if kept:
        resume(found, answer.run_id, ByTurn())
        assert transcript_hash(found.read(answer.run_id)) == transcript_hash(whole)
    found.close()


def test_a_run_goes_on_in_one_process_only(path):
    run_id, _ = cut(path)
    first, second, model = SqliteJournal(path), SqliteJournal(path), ByTurn()

    async def both():
        held = asyncio.Event()
        one = Agent(ByTurn(), [looking(held)], journal=first).resume(run_id)
        other = Agent(model, [looking()], journal=second).resume(run_id)
        async with one:
            async for event in one:
                if isinstance(event, RunResumed):
                    break
            await first.flush()
            again = Agent(model, [looking()], journal=second).resume(run_id)
            with pytest.raises(JournalError, match="goes on in another process"):
                await again.answer()
            held.set()
            answer = await one.answer()
        with pytest.raises(JournalError, match="went on in another process"):
            await other.answer()
        assert await Agent(model, [looking()], journal=second).resume(run_id).answer() == answer

    asyncio.run(both())
    assert model.asked == []
    first.close()
    second.close()


def test_a_full_disk_is_told_before_the_model_is_asked(path):
    model = ByTurn(random.Random(1).randbytes(60_000).hex())
    journal = SqliteJournal(path, pages=8)
    with pytest.raises(JournalError, match="full"):
        Agent(model, [looking()], journal=journal).run_sync("How many?")
    journal.close()
    run_id, _ = cut(path)
    journal = SqliteJournal(path, pages=8)
    with pytest.raises(JournalError, match=r"full.*--store"):
        resume(journal, run_id, model)
    journal.close()
    assert model.asked == []


def test_a_journal_of_a_newer_version_is_told_before_the_model_is_asked(path):
    run_id, _ = cut(path)
    model = ByTurn()
    with closing(sqlite3.connect(path)) as connection, connection:
        row = (run_id, 99, 1.0, "dreamt", '{"kind": "dreamt"}')
        connection.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?)", row)
    journal = SqliteJournal(path)
    with pytest.raises(JournalError, match="dreamt"):
        resume(journal, run_id, model)
    journal.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(JournalError, match="update widedeep"):
        SqliteJournal(path)
    assert model.asked == []


@contextmanager
def unprivileged():
    """Be somebody who may not write where root wrote."""
    if os.geteuid() == 0:
        os.seteuid(65534)
        try:
            yield
        finally:
            os.seteuid(0)
    else:
        yield


def test_a_journal_that_cannot_be_written_is_told_before_the_model_is_asked():
    with tempfile.TemporaryDirectory() as folder:
        path, model = Path(folder) / "journal.sqlite", ByTurn()
        run_id, _ = cut(path)
        Path(folder).chmod(0o555)
        path.chmod(0o444)
        with unprivileged(), pytest.raises(JournalError, match=r"cannot be (written|opened)"):
            resume(SqliteJournal(path), run_id, model)
        Path(folder).chmod(0o755)
    assert model.asked == []


def test_what_a_killed_process_was_changing_in_the_file_is_undone_to_read_it(path):
    SqliteJournal(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")  # as a file is while it is being made
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("INSERT INTO blobs VALUES ('x', 0, zeroblob(900000))")
        copied = path.with_name("copied.sqlite")
        shutil.copy(path, copied)
        shutil.copy(f"{path}-journal", f"{copied}-journal")
        connection.rollback()
    assert reading.runs(copied) == []
