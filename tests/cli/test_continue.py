"""Does `widedeep ask --continue RUN` go on with what an earlier run met?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.command import Command

QUESTION = "What is the capital of Ecuador?"


@pytest.fixture
def first(widedeep: Command, corpus: Path) -> dict:
    answer = widedeep("ask", QUESTION, "--corpus", str(corpus), "--max-turns", "5", "--json")
    return answer.json


def test_a_further_question_goes_on_with_sources_and_corpus(
    widedeep: Command, store: Path, first: dict, tmp_path: Path
):
    second = widedeep("ask", "And of Peru?", "--continue", "last", "--json", "--out", str(tmp_path))
    assert (second.status, second.json["continues"]) == (0, first["run_id"])
    assert "Lima" in second.json["answer"]
    before = {source["id"]: source["n"] for source in first["sources"]}
    after = {source["id"]: source["n"] for source in second.json["sources"]}
    assert before.items() <= after.items()
    assert json.loads((tmp_path / "run.json").read_text(encoding="utf-8")) == second.json
    assert widedeep("runs", "delete", first["run_id"], "--yes").status == 0
    third = widedeep("ask", "And Chile?", "--continue", "last", "--json", "--max-turns", "1")
    assert "Santiago" in third.json["answer"]
    assert third.json["continues"] == second.json["run_id"]


def test_a_run_that_goes_on_is_shown_exported_replayed_and_resumed(
    widedeep: Command, store: Path, first: dict
):
    second = widedeep("ask", "And of Peru?", "--continue", "last", "--json").json
    shown = widedeep("runs", "show", "last")
    assert f"goes on from run {first['run_id']}" in shown.out
    assert "Understood as: What is the capital of Peru?" in shown.out
    assert widedeep("runs", "show", "last", "--json").json["continues"] == first["run_id"]
    assert widedeep("runs", "replay", "last", "--json").json["same"]
    lines = widedeep("runs", "export", "last").out.splitlines()
    kinds = [json.loads(line)["event"]["kind"] for line in lines[1:]]
    assert kinds[:2] == ["run_started", "continued"]
    assert widedeep("runs", "resume", "last", "--json").json == second
    again = widedeep("ask", "What is the capital of Peru?", "--corpus", "run:last", "--json")
    assert "Lima" in again.json["answer"]


def test_what_is_not_told_is_as_it_was_and_what_is_told_comes_first(
    widedeep: Command, store: Path, first: dict
):
    second = widedeep("ask", "And of Peru?", "--continue", "last", "--schedule", "constant:1")
    assert second.status == 0
    recipe = next(
        json.loads(line)["event"]["recipe"]
        for line in widedeep("runs", "export", "last").out.splitlines()
        if '"run_started"' in line
    )
    assert recipe["settings"]["limits.max_turns"] == 5
    assert recipe["settings"]["schedule"] == "constant:1"


def test_a_changed_corpus_is_refused_unless_accepted_or_named(
    widedeep: Command, store: Path, corpus: Path, first: dict
):
    (corpus / "more.txt").write_text("Bolivia\n\nThe capital of Bolivia is Sucre.\n")
    follow = "ask", "And of Bolivia?", "--continue", first["run_id"], "--quiet"
    refused = widedeep(*follow)
    assert (refused.status, refused.out) == (2, "")
    assert "--accept-changes" in refused.err
    assert "Sucre" in widedeep(*follow, "--accept-changes").out
    assert "Sucre" in widedeep(*follow, "--corpus", str(corpus)).out


def test_what_cannot_be_gone_on_from_is_named(widedeep: Command, store: Path, first: dict):
    for options, told in (
        (("--continue", "nothing"), "'nothing'"),
        (("--continue", "last", "--policy", "gpt"), "'gpt'"),
        (("--continue", "last", "--json", "--events"), "--events"),
        (("--continue", "last", "--corpus", "/nowhere"), "'/nowhere'"),
    ):
        refused = widedeep("ask", "And of Peru?", *options)
        assert refused.status == 2
        assert told in refused.err
        assert len(refused.err.splitlines()) == 1
