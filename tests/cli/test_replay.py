"""Does `widedeep runs replay` tell a run again, and say so when it cannot?"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.cli.command import Command

QUESTION = "Compare the capital and the population of Ecuador and Peru"


@pytest.fixture
def finished(widedeep: Command, corpus: Path) -> dict:
    return widedeep("ask", QUESTION, "--corpus", str(corpus), "--json", "--quiet").json


def test_a_run_is_told_again(widedeep: Command, finished: dict):
    told = widedeep("runs", "replay", "last")
    assert told.status == 0
    assert "the same as recorded" in told.out
    made = widedeep("runs", "replay", finished["run_id"], "--json").json
    assert made["same"] is True
    assert made["calls"] == finished["calls"]
    assert made["hash"] == made["recorded_hash"]


def test_other_terms_give_other_times(widedeep: Command, finished: dict):
    plain = widedeep("runs", "replay", "last", "--json").json["seconds"]
    serial = widedeep("runs", "replay", "last", "--json", "--serial").json["seconds"]
    assert serial["wall"] > plain["wall"]
    short = widedeep("runs", "replay", "last", "--json", "--turn-deadline", "1e-6")
    assert short.status == 0
    assert short.json["calls"]["late"] > 0


def test_a_record_that_was_changed_is_not_told_again(
    widedeep: Command, store: Path, finished: dict
):
    with closing(sqlite3.connect(store / "journal.sqlite")) as connection, connection:
        connection.execute(
            "UPDATE events SET body = replace(body, 'Quito', 'Cuenca') WHERE kind = 'batch_ended'"
        )
    changed = widedeep("runs", "replay", "last")
    assert changed.status == 1
    assert "not that of the record" in changed.out


def test_wrong_use_is_one_line(widedeep: Command, finished: dict):
    for arguments in (("last", "--turn-deadline", "0"), ("nothing",)):
        refused = widedeep("runs", "replay", *arguments)
        assert (refused.status, refused.out) == (2, "")
        assert len(refused.err.splitlines()) == 1
