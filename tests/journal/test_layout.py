"""Is a journal of an older version read as it is, and brought up to date when written to?"""

import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from tests.fakes.tools import look
from tests.journal.old_layouts import layout_1

from widedeep import Agent, MemoryJournal, SqliteJournal
from widedeep.journal import reading
from widedeep.journal.layout import SCHEMA
from widedeep.models.scripted import Scripted

SCRIPT = [
    [("look", {"query": q}) for q in ("a", "b" * 2000, "c" * 9000)],
    "a has 42 inhabitants [1].",
]


@pytest.fixture
def records():
    memory = MemoryJournal()
    answer = Agent(Scripted(SCRIPT), [look], journal=memory).run_sync("How many?")
    return memory.read(answer.run_id)


@pytest.fixture
def old(tmp_path, records):
    path = tmp_path / "journal.sqlite"
    layout_1(path, records)
    return path


def layout(path):
    with closing(sqlite3.connect(path)) as connection:
        names = "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        found = sorted(name for (name,) in connection.execute(names))
        return connection.execute("PRAGMA user_version").fetchone()[0], found


def test_an_old_file_is_read_as_it_is(old, records):
    assert list(reading.read(old, records[0].run_id)) == records
    (summary,) = reading.runs(old)
    assert (summary.status, summary.calls) == ("answered", 3)
    assert layout(old) == (1, ["events_kind"])


def test_an_old_file_is_brought_up_to_date_when_it_is_opened_to_write(old, records):
    journal = SqliteJournal(old)
    assert layout(old) == (SCHEMA, ["events_ends"])
    script = [*SCRIPT[:-1], "b has 42 inhabitants."]
    answer = Agent(Scripted(script), [look], journal=journal).run_sync("How many?")
    assert list(journal.read(records[0].run_id)) == records
    assert [run.run_id for run in journal.runs()] == [answer.run_id, records[0].run_id]
    journal.close()


def test_a_new_file_has_the_layout_of_one_that_was_brought_up_to_date(old, tmp_path):
    new = tmp_path / "new.sqlite"
    for path in (old, new):
        SqliteJournal(path).close()
    assert layout(new) == layout(old)


def test_two_processes_may_bring_it_up_to_date_at_once(old, records):
    code = (
        "import sys, pathlib, widedeep; widedeep.SqliteJournal(pathlib.Path(sys.argv[1])).close()"
    )
    both = [subprocess.Popen([sys.executable, "-c", code, str(old)]) for _ in range(2)]
    assert [process.wait(timeout=60) for process in both] == [0, 0]
    assert layout(old) == (SCHEMA, ["events_ends"])
    assert list(reading.read(old, records[0].run_id)) == records


def test_what_goes_wrong_on_the_way_leaves_the_old_file(old, records):
    with closing(sqlite3.connect(old)) as connection:
        connection.execute("CREATE TABLE events_ends (in_the_way)")
        connection.commit()
    with pytest.raises(Exception, match="cannot be opened"):
        SqliteJournal(old)
    assert layout(old) == (1, ["events_kind"])
    assert list(reading.read(old, records[0].run_id)) == records
