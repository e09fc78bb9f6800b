"""Is a damaged journal told in one line, and does one damaged run hide no other?"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.cli.command import Command, Ended, process

QUESTION = "What is the capital of Peru?"
LONG = f"{QUESTION} " * 200

not_root = pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everything")


@pytest.fixture
def asked(widedeep: Command, corpus: Path) -> tuple[str, str]:
    """Make two runs; return their ids, the older first."""
    line = ("--corpus", str(corpus), "--json", "--quiet")
    first, second = (widedeep("ask", each, *line).json for each in (LONG, QUESTION))
    return first["run_id"], second["run_id"]


def change(store: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(store / "journal.sqlite")) as connection, connection:
        assert connection.execute(statement, values).rowcount > 0


def is_one_line(ended: Ended) -> None:
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("widedeep: error: ")
    assert ended.err.count("\n") == 1


def test_a_list_has_the_whole_question(widedeep: Command, asked: tuple[str, str]):
    listed = widedeep("runs", "list", "--json").json["runs"]
    assert [run["question"] for run in listed] == [QUESTION, LONG.strip()]


@pytest.mark.parametrize(
    "body", ["", "{", "[]", "null", b"\xff\x00", "[" * 5000, '{"answer": null}', '{"answer": {}}']
)
@pytest.mark.parametrize("kind", ["run_started", "run_ended"])
def test_only_the_damaged_run_is_unreadable(
    widedeep: Command, asked: tuple[str, str], store: Path, kind: str, body: str | bytes
):
    damaged, sound = asked
    change(store, "UPDATE events SET body = ? WHERE run_id = ? AND kind = ?", body, damaged, kind)
    listed = widedeep("runs", "list", "--json").json["runs"]
    assert [(run["run_id"], run["status"]) for run in listed] == [
        (sound, "answered"),
        (damaged, "unreadable"),
    ]
    assert "unreadable" in widedeep("runs", "list").out
    assert widedeep("runs", "show", sound).status == 0
    ended = widedeep("runs", "show", damaged)
    is_one_line(ended)
    assert damaged in ended.err


@pytest.mark.parametrize(
    ("statement", "value"),
    [
        ("UPDATE events SET at = ? WHERE run_id = ?", 1e300),
        ("UPDATE events SET at = ? WHERE run_id = ?", float("inf")),
        ("UPDATE events SET at = ? WHERE run_id = ?", "yesterday"),
        ("UPDATE events SET kind = ? WHERE run_id = ? AND kind = 'run_ended'", "odd"),
        ("UPDATE events SET kind = ? WHERE run_id = ? AND kind = 'replied'", "run_ended"),
        ("DELETE FROM events WHERE kind <> ? AND run_id = ?", "run_started"),
        ("DELETE FROM events WHERE kind = ? AND run_id = ?", "turn_started"),
        ("DELETE FROM events WHERE kind = ? AND run_id = ?", "call_started"),
        ("DELETE FROM events WHERE kind = ? AND run_id = ?", "replied"),
        ("DELETE FROM events WHERE kind = ? AND run_id = ?", "batch_ended"),
    ],
)
def test_odd_rows_hide_no_run(
    widedeep: Command, asked: tuple[str, str], store: Path, statement: str, value: object
):
    damaged, sound = asked
    change(store, statement, value, damaged)
    assert sound in widedeep("runs", "list").out
    assert damaged in widedeep("runs", "list", "--json").out
    for form in ([], ["--json"], ["--svg", str(store / "x.svg")]):
        shown = widedeep("runs", "show", damaged, *form)
        assert shown.status in {0, 2}
        if shown.status:
            is_one_line(shown)


def test_a_number_that_json_lacks_is_unknown(
    widedeep: Command, asked: tuple[str, str], store: Path
):
    change(
        store,
        """UPDATE events SET body = replace(body, '"cost_usd":', '"cost_usd":NaN,"_":')
        WHERE kind = 'run_ended'""",
    )
    listed = widedeep("runs", "list", "--json").json["runs"]
    assert [run["status"] for run in listed] == ["answered", "answered"]


def tables(file: Path, statement: str, version: int) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {version}")
        connection.commit()


def no_database(file: Path) -> None:
    file.write_bytes(b"not a database, but long enough to look at " * 99)


FOREIGN: dict[str, tuple[Callable[[Path], None], str]] = {
    "a directory": (Path.mkdir, "directory"),
    "no database": (no_database, "not a database"),
    "another table": (lambda file: tables(file, "CREATE TABLE events (x)", 1), "no such column"),
    "no table": (lambda file: tables(file, "CREATE TABLE other (x)", 1), "no such table"),
    "a newer layout": (lambda file: tables(file, "CREATE TABLE other (x)", 99), "layout 99"),
}


@pytest.mark.parametrize("what", FOREIGN)
def test_what_is_no_journal_is_one_line(widedeep: Command, corpus: Path, store: Path, what: str):
    make, reason = FOREIGN[what]
    store.mkdir()
    file = store / "journal.sqlite"
    make(file)
    asked = ["ask", QUESTION, "--corpus", str(corpus), "--quiet"]
    for line in (["runs", "list"], ["runs", "show", "last"], asked):
        ended = widedeep(*line)
        is_one_line(ended)
        assert reason in ended.err
        assert str(file) in ended.err


@pytest.mark.usefixtures("asked")
def test_overwritten_pages_are_one_line(widedeep: Command, corpus: Path, store: Path):
    file = store / "journal.sqlite"
    content = bytearray(file.read_bytes())
    content[4096:] = b"\xee" * (len(content) - 4096)  # all but the first page, which has the tables
    file.write_bytes(content)
    asked = ["ask", QUESTION, "--corpus", str(corpus), "--quiet"]
    for line in (["runs", "list"], ["runs", "show", "last"], asked):
        ended = widedeep(*line)
        is_one_line(ended)
        assert "malformed" in ended.err
        assert str(file) in ended.err


def test_a_store_that_was_never_written_to_has_no_runs(widedeep: Command, store: Path):
    store.mkdir()
    (store / "journal.sqlite").touch()
    assert "no runs yet" in widedeep("runs", "list").out


@not_root
def test_a_store_that_may_only_be_read(widedeep: Command, asked: tuple[str, str], store: Path):
    store.chmod(0o500)
    try:
        assert asked[0] in widedeep("runs", "list").out
        assert widedeep("runs", "show", asked[0]).status == 0
    finally:
        store.chmod(0o700)


@not_root
def test_a_store_that_may_not_be_looked_at(corpus: Path, store: Path):
    shut = store / "shut"
    shut.mkdir(parents=True)
    shut.chmod(0)
    try:
        for line in (["runs", "list"], ["ask", "q", "--corpus", str(corpus)], ["config", "show"]):
            ended = process(*line, store=shut / "inner")
            assert (ended.returncode, ended.stdout) == (2, b"")
            assert ended.stderr.count(b"\n") == 1
    finally:
        shut.chmod(0o700)


def test_doctor_sees_a_journal_that_is_none_and_settings_that_do_not_fit(
    widedeep: Command, store: Path, tmp_path: Path
):
    assert widedeep("doctor").status == 0
    store.mkdir(exist_ok=True)
    (store / "journal.sqlite").write_bytes(b"no journal " * 300)
    found = widedeep("doctor")
    assert found.status == 1
    assert "FAIL  store" in found.out
    assert "not a database" in found.out
    file = tmp_path / "odd.toml"
    file.write_text('schedule = "constant:20"\n')
    found = widedeep("doctor", "--config", str(file), "--store", str(tmp_path / "other"))
    assert found.status == 1
    assert "FAIL  settings" in found.out
