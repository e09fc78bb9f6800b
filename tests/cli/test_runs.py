"""Are runs listed, exported and deleted as asked, and is nothing deleted by mistake?"""

from __future__ import annotations

import json
import os
import pty
import subprocess
from datetime import date, timedelta
from pathlib import Path

import pytest
from tests.cli.command import WIDEDEEP, Command, environment

from widedeep.journal import decode, reading
from widedeep.journal.claim import Claim

QUESTION = "What is the capital of Peru?"


@pytest.fixture
def asked(widedeep: Command, corpus: Path) -> list[str]:
    """Make three runs; return their ids, the newest first."""
    line = ("ask", QUESTION, "--corpus", str(corpus), "--json", "--quiet")
    return [widedeep(*line).json["run_id"] for _ in range(3)][::-1]


def left(widedeep: Command) -> list[str]:
    return [run["run_id"] for run in widedeep("runs", "list", "--json").json["runs"]]


def test_a_list_has_as_many_as_wanted_and_says_how_many_more(widedeep: Command, asked: list[str]):
    ended = widedeep("runs", "list", "--limit", "2")
    assert len(ended.out.splitlines()) == 3
    assert ended.err == "widedeep: 1 older run not shown: --limit 3 shows all\n"
    listed = widedeep("runs", "list", "--limit", "1", "--json").json
    assert ([run["run_id"] for run in listed["runs"]], listed["more"]) == (asked[:1], 2)
    assert widedeep("runs", "list").err == ""
    assert widedeep("runs", "list", "--limit", "0").status == 2


def test_an_exported_run_can_be_read_back(
    widedeep: Command, asked: list[str], store: Path, tmp_path: Path
):
    lines = widedeep("runs", "export", "last").out
    head, *rows = map(json.loads, lines.splitlines())
    assert head == {**head, "format": "widedeep run", "schema": 1, "run_id": asked[0]}
    records = list(reading.read(store / "journal.sqlite", asked[0]))
    assert [decode(row["event"]) for row in rows] == [record.event for record in records]
    file = tmp_path / "made" / "run.jsonl"
    ended = widedeep("runs", "export", asked[0], "--out", str(file))
    assert (ended.status, ended.out) == (0, "")
    assert file.read_text(encoding="utf-8") == lines
    assert widedeep("runs", "export", "last", "--json").json == {**head, "events": rows}


def test_named_runs_are_deleted(widedeep: Command, asked: list[str]):
    ended = widedeep("runs", "delete", asked[0], asked[2], "--yes", "--json")
    assert ended.json == {**ended.json, "deleted": [asked[0], asked[2]], "busy": []}
    assert left(widedeep) == [asked[1]]
    assert widedeep("runs", "delete", "last", "--yes").out.startswith("deleted 1 run and ")
    assert "no runs yet" in widedeep("runs", "list").out


def test_runs_from_before_a_day_are_deleted(widedeep: Command, asked: list[str]):
    today = date.today()  # noqa: DTZ011
    assert widedeep("runs", "delete", "--before", f"{today}", "--yes").out == "deleted no run\n"
    assert left(widedeep) == asked
    after = f"{today + timedelta(days=2)}"
    assert widedeep("runs", "delete", "--before", after, "--yes").status == 0
    assert left(widedeep) == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ([], "name the runs to delete, or pass --before DATE"),
        (["last", "--before", "2026-01-31", "--yes"], "and not both"),
        (["--before", "yesterday", "--yes"], "--before 'yesterday': is no date"),
        (["last"], "pass --yes"),
        (["last", "zzz", "--yes"], "no run 'zzz'"),
        (["2", "--yes"], "begins 3 runs"),
        (["", "--yes"], "no run ''"),
    ],
)
def test_what_is_not_clear_deletes_nothing(
    widedeep: Command, asked: list[str], line: list[str], said: str
):
    ended = widedeep("runs", "delete", *line)
    assert (ended.status, ended.out) == (2, "")
    assert said in ended.err
    assert left(widedeep) == asked


def test_a_run_that_goes_on_stays(widedeep: Command, asked: list[str], store: Path):
    claim = Claim(store / "journal.sqlite-locks" / asked[1])
    ended = widedeep("runs", "delete", *asked, "--yes", "--json")
    claim.release()
    assert ended.status == 1
    assert ended.json["busy"] == [asked[1]]
    assert f"run '{asked[1]}' goes on in another process" in ended.err
    assert left(widedeep) == [asked[1]]


@pytest.mark.parametrize(("reply", "status", "kept"), [("y", 0, 2), ("n", 1, 3), ("", 1, 3)])
@pytest.mark.usefixtures("asked")
def test_a_terminal_is_asked_first(
    widedeep: Command, store: Path, reply: str, status: int, kept: int
):
    ours, theirs = pty.openpty()
    os.write(ours, f"{reply}\n".encode())
    line = [WIDEDEEP, "runs", "delete", "last"]
    done = subprocess.run(
        line,
        stdin=theirs,
        stderr=theirs,
        stdout=subprocess.DEVNULL,
        env=environment(store),
        timeout=60,
        check=False,
    )
    said = os.read(ours, 10_000).decode()
    os.close(ours)
    os.close(theirs)
    assert "Delete 1 run for good" in said
    assert done.returncode == status
    assert len(left(widedeep)) == kept
