"""Does `widedeep runs resume` go on where a run was cut off, and say what keeps it from that?"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.cli.command import Command

QUESTION = "Compare the capital and the population of Ecuador and Peru"


@pytest.fixture
def finished(widedeep: Command, corpus: Path) -> dict:
    return widedeep("ask", QUESTION, "--corpus", str(corpus), "--json", "--quiet").json


def cut(store: Path, keep: float) -> int:
    """Take the end of the only run off its record, as if the process had been killed then."""
    with closing(sqlite3.connect(store / "journal.sqlite")) as connection, connection:
        (count,) = connection.execute("SELECT count(*) FROM events").fetchone()
        connection.execute("DELETE FROM events WHERE seq > ?", (int(count * keep),))
    return int(count * keep)


def told(answer: dict) -> dict:
    """Return what of an answer does not depend on time or on having been cut off."""
    return {name: answer[name] for name in ("answer", "status", "short_answer", "citations")}


@pytest.mark.parametrize("keep", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_a_run_that_was_cut_off_comes_to_the_same_answer(
    widedeep: Command, store: Path, finished: dict, keep: float
):
    cut(store, keep)
    assert "no end recorded" in widedeep("runs", "show", "last").out
    resumed = widedeep("runs", "resume", "last", "--json", "--quiet")
    assert resumed.status == 0, resumed.err
    assert told(resumed.json) == told(finished)
    assert any("was cut off" in note for note in resumed.json["notes"])
    again = widedeep("runs", "resume", "last", "--json", "--quiet").json
    assert again == resumed.json


def test_a_finished_run_prints_its_answer(widedeep: Command, finished: dict, tmp_path: Path):
    again = widedeep("runs", "resume", finished["run_id"][:12], "--json", "--out", str(tmp_path))
    assert again.json == finished
    assert json.loads((tmp_path / "run.json").read_text(encoding="utf-8")) == finished


def test_a_changed_corpus_is_refused_unless_accepted(
    widedeep: Command, corpus: Path, store: Path, finished: dict
):
    cut(store, 0.5)
    (corpus / "more.txt").write_text("Bolivia\n\nThe capital of Bolivia is Sucre.\n")
    refused = widedeep("runs", "resume", "last", "--quiet")
    assert (refused.status, refused.out) == (2, "")
    assert "--accept-changes" in refused.err
    assert widedeep("runs", "resume", "last", "--quiet", "--accept-changes").status == 0


def test_limits_given_now_come_first(widedeep: Command, store: Path, finished: dict):
    cut(store, 0.3)
    resumed = widedeep("runs", "resume", "last", "--max-turns", "1", "--json", "--quiet")
    assert (resumed.status, resumed.json["stopped_by"]) == (3, "max_turns")


def test_what_cannot_be_resumed_is_named(widedeep: Command, store: Path, finished: dict):
    cut(store, 0.5)
    for arguments, told in (
        (("resume", "nothing"), "'nothing'"),
        (("resume", "last", "--model", "gpt"), "'gpt'"),
        (("resume", "last", "--max-turns", "0"), "0"),
    ):
        refused = widedeep("runs", *arguments)
        assert refused.status == 2
        assert told in refused.err
        assert len(refused.err.splitlines()) == 1


def test_a_corpus_that_is_gone_matters_only_to_an_unfinished_run(
    widedeep: Command, corpus: Path, store: Path, finished: dict
):
    corpus.rename(corpus.with_name("elsewhere"))
    assert widedeep("runs", "resume", "last", "--quiet").status == 0
    cut(store, 0.5)
    refused = widedeep("runs", "resume", "last", "--quiet")
    assert (refused.status, refused.out) == (2, "")
    assert "no such file or folder" in refused.err


def test_events_of_a_resumed_run_begin_with_its_resumption(
    widedeep: Command, store: Path, finished: dict
):
    cut(store, 0.5)
    lines = widedeep("runs", "resume", "last", "--events", "--quiet").out.splitlines()
    kinds = [json.loads(line)["kind"] for line in lines]
    assert kinds[0] == "run_resumed"
    assert kinds[-1] == "run_ended"
