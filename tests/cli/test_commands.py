"""Do `index`, `search`, `runs`, `config`, `doctor` and the help do their work?"""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.cli.command import Command

from widedeep import __version__

QUESTION = "What is the capital of Peru?"


def test_version_and_help(widedeep: Command):
    assert widedeep("--version").out == f"widedeep {__version__}\n"
    root = widedeep("--help")
    assert root.status == 0
    for command in ("ask", "index", "search", "runs", "config", "doctor"):
        assert f" {command} " in root.out
    assert widedeep().out == root.out
    text = widedeep("ask", "--help").out
    for option in (
        *("--model", "--schedule", "--corpus", "--max-turns", "--max-calls", "--max-width"),
        *("--turn-deadline", "--serial", "--no-early-start", "--store", "--config", "--json"),
        *("--events", "--out", "--quiet"),
    ):
        assert f" {option} " in text


def test_an_index_is_built_searched_and_asked(widedeep: Command, corpus: Path, tmp_path: Path):
    made = tmp_path / "index"
    built = widedeep("index", str(corpus), "--out", str(made))
    assert built.status == 0
    assert built.out.startswith(f"{made}: 3 documents, ")
    found = widedeep("search", str(made), "capital of Peru", "-k", "1", "--json").json
    assert [hit["id"] for hit in found["hits"]] == ["peru.txt"]
    assert found["hits"][0]["passage"] == 0
    assert widedeep("ask", QUESTION, "--corpus", str(made), "--quiet").status == 0


def test_index_as_json_names_what_was_skipped(widedeep: Command, corpus: Path, tmp_path: Path):
    (corpus / "bad.pdf").write_bytes(b"%PDF-1.4 broken")
    out = tmp_path / "index"
    made = widedeep("index", str(corpus), "--out", str(out), "--json", "--quiet").json
    assert (made["schema"], made["documents"]) == (1, 3)
    assert [one["path"] for one in made["skipped"]] == ["bad.pdf"]


def test_index_tells_of_documents_whose_ids_were_taken(widedeep: Command, tmp_path: Path):
    corpus = tmp_path / "rows.jsonl"
    corpus.write_text('{"id": "x", "text": "a"}\n{"id": "x", "text": "b"}\n')
    line = ("index", str(corpus), "--out", str(tmp_path / "index"))
    assert widedeep(*line).out.endswith(
        ": 2 documents, 2 passages, 1 renamed (their ids were taken)\n"
    )
    assert widedeep(*line, "--json").json["renamed"] == 1


def test_search_for_humans(widedeep: Command, corpus: Path):
    text = widedeep("search", str(corpus), "capital of Peru").out
    assert text.startswith("1. ")
    assert "Lima" in text
    assert widedeep("search", str(corpus), "zzzz").out == "nothing found\n"


def test_runs_are_listed_and_shown(widedeep: Command, corpus: Path, tmp_path: Path):
    assert "no runs yet" in widedeep("runs", "list").out
    assert widedeep("runs", "list", "--json").json == {"schema": 1, "runs": [], "more": 0}
    first = widedeep("ask", QUESTION, "--corpus", str(corpus), "--json").json
    second = widedeep("ask", "Capital of Chile?", "--corpus", str(corpus), "--json").json
    listed = widedeep("runs", "list", "--json").json["runs"]
    assert [run["run_id"] for run in listed] == [second["run_id"], first["run_id"]]
    lines = widedeep("runs", "list").out.splitlines()
    assert lines[0].startswith("RUN")
    assert lines[2].endswith(QUESTION)
    shown = widedeep("runs", "show", first["run_id"], "--json").json
    assert shown["answer"] == first
    assert shown["turns"][0]["hint"]
    assert widedeep("runs", "show", "last", "--json").json["answer"] == second
    text = widedeep("runs", "show", first["run_id"]).out
    assert f"run {first['run_id']}: {QUESTION}\n" in text
    assert "  hint: " in text
    assert "source [1] " in text
    assert "status    answered" in text
    picture = tmp_path / "made" / "run.svg"
    drawn = widedeep("runs", "show", "last", "--svg", str(picture))
    assert (drawn.status, drawn.out) == (0, "")
    assert ET.fromstring(picture.read_text(encoding="utf-8")).tag.endswith("svg")
    both = widedeep("runs", "show", "last", "--svg", str(picture), "--json")
    assert both.json["status"] == "answered"


def test_a_run_is_named_by_how_it_begins(widedeep: Command, corpus: Path):
    widedeep("ask", QUESTION, "--corpus", str(corpus))
    made = widedeep("ask", QUESTION, "--corpus", str(corpus), "--json").json
    ended = widedeep("runs", "show", made["run_id"][:4])
    assert ended.status == 2
    assert "begins 2 runs" in ended.err
    assert widedeep("runs", "show", "zzz").status == 2
    assert widedeep("runs", "show", "").status == 2
    assert widedeep("runs", "show", made["run_id"]).status == 0


def test_a_picture_that_cannot_be_written_is_named(widedeep: Command, corpus: Path):
    widedeep("ask", QUESTION, "--corpus", str(corpus))
    ended = widedeep("runs", "show", "last", "--svg", "/dev/null/run.svg")
    assert ended.status == 2
    assert "--svg '/dev/null/run.svg'" in ended.err


def test_settings_are_shown_with_their_origins(
    widedeep: Command, tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
):
    config = tmp_path / "config.toml"
    config.write_text("[limits]\nmax_turns = 7\n", encoding="utf-8")
    monkeypatch.setenv("WIDEDEEP_CONFIG", str(config))
    made = widedeep("config", "show", "--json").json
    assert made["settings"]["limits"]["max_turns"] == 7
    assert made["origins"]["limits.max_turns"] == str(config)
    assert made["origins"]["store"] == "WIDEDEEP_STORE"
    text = widedeep("config", "show").out
    assert f"file: {config}\n" in text
    assert f"limits.max_turns      7                             {config}\n" in text
    assert "limits.max_calls      no limit" in text
    monkeypatch.setenv("WIDEDEEP_CONFIG", "")
    assert "file: none (looked for " in widedeep("config", "show").out


def test_doctor_finds_what_is_there(widedeep: Command, store: Path):
    ended = widedeep("doctor", "--json")
    made = ended.json
    checks = {check["name"]: check for check in made["checks"]}
    assert ended.status == (0 if made["ok"] else 1)
    for name in ("python", "tantivy", "sqlite", "store", "model", "sample", "terminal", "encoding"):
        assert checks[name]["ok"], checks[name]
    assert checks["store"]["found"] == str(store)
    assert "ok    python" in widedeep("doctor").out


def test_doctor_says_what_is_wrong(
    widedeep: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("WIDEDEEP_STORE", "/dev/null/x")
    monkeypatch.setenv("WIDEDEEP_MODEL", "foo")
    ended = widedeep("doctor")
    assert ended.status == 1
    assert "FAIL  store" in ended.out
    assert "FAIL  model        unknown model 'foo'" in ended.out
    config = tmp_path / "config.toml"
    config.write_text("nope = 1", encoding="utf-8")
    ended = widedeep("doctor", "--config", str(config))
    assert ended.status == 1
    assert "FAIL  settings" in ended.out
