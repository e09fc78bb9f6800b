"""Is an exported run whole, and is a deleted one gone, while others write to the same file?"""

import asyncio
import json
import sqlite3
import subprocess
import sys
import zlib
from contextlib import closing

import pytest
from tests.fakes.tools import look
from tests.journal.old_layouts import layout_1

from widedeep import Agent, Found, MemoryJournal, SqliteJournal, ToolOutput, tool
from widedeep.errors import JournalError
from widedeep.events import Appended, Record, RunStarted
from widedeep.journal import decode, reading
from widedeep.journal.keeping import delete, exported
from widedeep.messages import Reply, ToolCall, User
from widedeep.models.scripted import Scripted


@pytest.fixture
def journal(tmp_path):
    made = SqliteJournal(tmp_path / "journal.sqlite")
    yield made
    made.close()


def page(name, size=20_000):
    return "".join(f"{name} line {n}. " for n in range(size // 12))[:size]


@tool
async def fetch(names: str) -> ToolOutput:
    """Give back a page for each name."""
    return ToolOutput("", tuple(Found(name, page(name)) for name in names.split()))


def run(journal, names):
    model = Scripted([[("fetch", {"names": names})], "Done."])
    return Agent(model, [fetch], journal=journal, text_limit=100_000).run_sync("What?").run_id


def held(path):
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT packed, body FROM blobs")
        return [(zlib.decompress(body) if packed else body).decode() for packed, body in rows]


def bytes_of(path):
    return b"".join(
        each.read_bytes() for each in path.parent.glob(f"{path.name}*") if each.is_file()
    )


def test_an_exported_run_holds_all_of_it(journal):
    odd = {"query": "ünd " * 900, "$blob": {"$text": "x"}}
    script = [Reply(calls=(ToolCall("look", odd),)), [("fetch", {"names": "a b"})], "Done [1]."]
    answer = Agent(Scripted(script), [look, fetch], journal=journal).run_sync("Why? " * 400)
    records = list(journal.read(answer.run_id))
    head, *rows = (json.loads(json.dumps(row)) for row in exported(records))
    assert (head["format"], head["schema"]) == ("widedeep run", 1)
    assert (head["run_id"], head["records"]) == (answer.run_id, len(rows))
    again = [Record(head["run_id"], row["seq"], row["at"], decode(row["event"])) for row in rows]
    assert again == records


def test_a_deleted_run_is_gone_with_the_texts_that_no_other_run_has(journal):
    first, second = run(journal, "apple birch"), run(journal, "birch cedar")
    before = journal.path.stat().st_size + len(bytes_of(journal.path))
    kept = list(journal.read(second))
    done = delete(journal.path, [first])
    assert (done.runs, done.busy) == ((first,), ())
    assert done.texts > 0
    assert [each.run_id for each in journal.runs()] == [second]
    assert list(journal.read(first)) == []
    assert list(journal.read(second)) == kept
    texts = held(journal.path)
    assert [sum(page(name) in text for text in texts) for name in ("apple", "birch", "cedar")] == [
        0,
        1,
        1,
    ]
    assert first.encode() not in bytes_of(journal.path)
    assert journal.path.stat().st_size < before
    assert delete(journal.path, [second]).texts == len(texts)
    assert held(journal.path) == []


def test_the_file_shrinks(journal):
    for n in range(6):
        last = run(journal, " ".join(f"name{n}-{m}" for m in range(12)))
    journal.close()
    before = journal.path.stat().st_size
    done = delete(journal.path, [each.run_id for each in journal.runs() if each.run_id != last])
    assert len(done.runs) == 5
    assert done.bytes == before - journal.path.stat().st_size
    assert journal.path.stat().st_size < before / 2


def test_the_file_is_not_written_anew_while_a_run_goes_on(journal):
    for n in range(6):
        last = run(journal, " ".join(f"name{n}-{m}" for m in range(12)))
    started = next(iter(journal.read(last))).event
    journal.append("going", started)
    asyncio.run(journal.flush())
    ended = [each.run_id for each in journal.runs() if each.run_id not in (last, "going")]
    assert delete(journal.path, ended).bytes == 0
    journal.close()
    assert delete(journal.path, ["going"]).bytes > 0


@pytest.mark.parametrize("size", [2000, 20_000])
def test_a_writer_does_not_rely_on_texts_that_another_process_deleted(journal, size):
    text = page("apple", size)

    def record(run_id):
        journal.append(run_id, Appended(User(text)))
        asyncio.run(journal.flush())

    record("first")
    delete(journal.path, ["first"])
    record("second")
    assert [each.event.message.text for each in journal.read("second")] == [text]


def test_a_run_that_goes_on_is_not_deleted(journal):
    ended = run(journal, "apple")
    started = next(iter(journal.read(ended))).event
    assert isinstance(started, RunStarted)
    journal.append("going", started)
    asyncio.run(journal.flush())
    done = delete(journal.path, ["going", ended])
    assert (done.runs, done.busy) == ((ended,), ("going",))
    assert len(list(journal.read("going"))) == 1
    journal.close()
    assert delete(journal.path, ["going"]).runs == ("going",)
    assert list(reading.read(journal.path, "going")) == []


def test_runs_are_deleted_while_another_process_writes(tmp_path):
    code = """
import sys, pathlib
from tests.journal.test_keeping import run
from widedeep import SqliteJournal
journal = SqliteJournal(pathlib.Path(sys.argv[1]))
for n in range(30):
    print(run(journal, f"apple birch cedar{n}"), flush=True)
journal.close()
"""
    path = tmp_path / "journal.sqlite"
    command = [sys.executable, "-c", code, str(path)]
    gone: list[str] = []
    kept: list[str] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        for n, line in enumerate(writer.stdout or ()):
            run_id = line.strip()
            if n % 2:
                kept.append(run_id)
            else:
                gone += delete(path, [run_id]).runs
    assert writer.returncode == 0
    assert (len(gone), len(kept)) == (15, 15)
    assert {each.run_id for each in reading.runs(path)} == set(kept)
    assert all(len(list(reading.read(path, run_id))) > 5 for run_id in kept)


def test_of_an_older_layout_runs_are_deleted_too(tmp_path):
    memory = MemoryJournal()
    run_id = run(memory, "apple")
    path = tmp_path / "journal.sqlite"
    layout_1(path, memory.read(run_id))
    assert len(held(path)) > 0
    assert delete(path, [run_id]).texts > 0
    assert held(path) == []


def test_what_cannot_be_written_is_named(tmp_path):
    path = tmp_path / "journal.sqlite"
    path.write_text("not a database " * 100)
    with pytest.raises(JournalError, match="cannot be written: file is not a database"):
        delete(path, ["x"])
