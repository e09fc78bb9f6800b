"""Does `ask` research, print and save what it says it does?"""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from tests.cli.command import Command, environment, process

QUESTION = "What is the capital of Peru?"
STYLES = ("short", "brief", "report")


def test_human_answer_has_citations_and_a_summary(widedeep: Command, corpus: Path):
    ended = widedeep("ask", QUESTION, "--corpus", str(corpus))
    assert ended.status == 0
    assert "Lima" in ended.out
    assert "[1] " in ended.out
    assert "status    answered\n" in ended.out
    for label in ("turns", "calls", "time", "serial", "run"):
        assert f"\n{label:<10}" in ended.out
    assert "\x1b" not in ended.out + ended.err
    assert "turn 1: asking the model" in ended.err
    assert "search_corpus" in ended.err


def test_json_is_one_object_on_stdout(widedeep: Command, corpus: Path):
    ended = widedeep("ask", QUESTION, "--corpus", str(corpus), "--json", "--quiet")
    assert ended.err == ""
    made = ended.json
    assert (made["schema"], made["status"], made["model"]) == (1, "answered", "builtin")
    assert made["question"] == QUESTION
    assert (
        sum(made["calls"][each] for each in made["calls"] if each not in {"requested", "executed"})
        == (made["calls"]["requested"])
    )
    assert {one["n"] for one in made["citations"]} <= {one["n"] for one in made["sources"]}


def test_events_are_one_json_a_line(widedeep: Command, corpus: Path):
    ended = widedeep("ask", QUESTION, "--corpus", str(corpus), "--events")
    events = [json.loads(line) for line in ended.out.splitlines()]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert events[0]["kind"] == "run_started"
    assert events[-1]["kind"] == "run_ended"
    assert events[-1]["answer"]["status"] == "answered"
    assert [event["at"] for event in events] == sorted(event["at"] for event in events)
    assert list(events[0])[:3] == ["seq", "at", "kind"]


def test_out_has_the_answer_and_the_object(widedeep: Command, corpus: Path, tmp_path: Path):
    out = tmp_path / "new" / "out"
    ended = widedeep("ask", QUESTION, "--corpus", str(corpus), "--out", str(out), "--json")
    assert json.loads((out / "run.json").read_text(encoding="utf-8")) == ended.json
    assert (out / "answer.md").read_text(encoding="utf-8").startswith(f"# {QUESTION}\n")
    assert {each.name for each in out.iterdir()} == {"answer.md", "run.json"}


def test_quiet_says_only_the_answer(widedeep: Command, corpus: Path):
    ended = widedeep("ask", QUESTION, "--corpus", str(corpus), "--quiet")
    assert ended.err == ""
    assert "Lima" in ended.out
    assert "serial" not in ended.out


def test_no_evidence_is_status_4(widedeep: Command, corpus: Path):
    ended = widedeep("ask", "Who painted the Mona Lisa?", "--corpus", str(corpus))
    assert ended.status == 4
    assert "no evidence" in ended.out


def test_limits_and_schedule_reach_the_run(widedeep: Command, corpus: Path):
    ended = widedeep(
        "ask",
        "Compare the capitals of Peru, Chile and Ecuador.",
        *("--corpus", str(corpus), "--schedule", "constant:2!", "--max-turns", "1"),
        *("--max-calls", "2", "--serial", "--no-early-start", "--json", "--quiet"),
    )
    made = ended.json
    assert made["schedule"] == "constant:2!"
    assert made["calls"]["executed"] <= 2
    assert [used["cap"] for used in made["width"]] == [2]


def test_one_shot_searches_once(widedeep: Command, corpus: Path):
    line = ("ask", QUESTION, "--corpus", str(corpus), "--policy", "one-shot", "--json")
    made = widedeep(*line).json
    assert (made["model"], made["turns"], made["calls"]["executed"]) == ("one-shot", 1, 1)


def test_settings_come_from_a_file(widedeep: Command, corpus: Path, tmp_path: Path):
    config = tmp_path / "config.toml"
    config.write_text('schedule = "constant:1"\n', encoding="utf-8")
    arguments = ("ask", QUESTION, "--corpus", str(corpus), "--config", str(config))
    assert widedeep(*arguments, "--json", "--quiet").json["schedule"] == "constant:1"


def test_a_question_from_stdin(widedeep: Command, corpus: Path, monkeypatch: pytest.MonkeyPatch):
    given = io.TextIOWrapper(io.BytesIO(QUESTION.encode() + b"\n"))
    monkeypatch.setattr(sys, "stdin", given)
    assert widedeep("ask", "-", "--corpus", str(corpus), "--json").json["question"] == QUESTION


def test_a_question_may_begin_with_a_dash(widedeep: Command, corpus: Path):
    ended = widedeep("ask", "--corpus", str(corpus), "--json", "--", "--capital of Peru?")
    assert ended.json["question"] == "--capital of Peru?"


def test_bad_files_are_named_and_counted(widedeep: Command, corpus: Path):
    for name in ("a.pdf", "b.pdf"):
        (corpus / name).write_bytes(b"%PDF-1.4 broken")
    ended = widedeep("ask", QUESTION, "--corpus", str(corpus))
    assert ended.status == 0
    assert "widedeep: skipped " in ended.err
    assert "2 files" in ended.err


def test_documents_that_were_renamed_are_counted(widedeep: Command, corpus: Path):
    row = '{"id": "a", "text": "The capital of Peru is Lima."}\n'
    (corpus / "rows.jsonl").write_text(row + row, encoding="utf-8")
    line = ("ask", QUESTION, "--corpus", str(corpus))
    assert "widedeep: renamed 1 of 5 documents: " in widedeep(*line).err
    assert widedeep(*line, "--quiet").err == ""


def test_a_terminal_that_is_not_utf8_gets_its_own_letters(corpus: Path, store: Path):
    (corpus / "odd.txt").write_text("The capital of Odd is Zürich\u202e “東京”.", encoding="utf-8")
    env = environment(store, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    human = process("ask", "capital of Odd", "--corpus", str(corpus), store=store, env=env)
    assert human.returncode in {0, 3, 4}
    human.stdout.decode("ascii")
    machine = process(
        "ask", "capital of Odd", "--corpus", str(corpus), "--json", store=store, env=env
    )
    made = json.loads(machine.stdout.decode("ascii"))
    assert made["question"] == "capital of Odd"


def test_styles_tell_more_or_less_of_the_same_answer(
    widedeep: Command, corpus: Path, tmp_path: Path
):
    line = ("ask", QUESTION, "--corpus", str(corpus))
    short = widedeep(*line, "--style", "short", "--quiet")
    assert (short.status, short.out) == (0, "Lima [1]\n")
    out = tmp_path / "out"
    report = widedeep(*line, "--style", "report", "--out", str(out))
    heads = [row for row in report.out.splitlines() if row.startswith("## ")]
    assert heads[:2] == ["## Answer", "## Evidence"]
    assert "> The capital of Peru is Lima." in report.out
    written = (out / "answer.md").read_text(encoding="utf-8")
    assert written.partition("## Summary")[0] == report.out.partition("## Summary")[0]
    texts = {widedeep(*line, "--style", style, "--json").json["answer"] for style in STYLES}
    assert len(texts) == 1


def test_a_dry_run_asks_nothing_and_says_what_its_figures_rest_on(widedeep: Command, corpus: Path):
    asked = ("ask", QUESTION, "--corpus", str(corpus), "--schedule", "constant:2!")
    made = widedeep(*asked, "--dry-run", "--max-turns", "4", "--json").json
    assert (made["turns"], made["calls"], made["usd"], made["seconds"]) == (4, 8, 0.0, None)
    assert widedeep("runs", "list", "--json").json["runs"] == []
    assert widedeep(*asked, "--dry-run", "--max-calls", "3", "--json").json["calls"] == 3
    widedeep(*asked, "--quiet")
    told = widedeep(*asked, "--dry-run")
    assert told.status == 0
    assert "newest 1 finished runs" in told.out


def test_what_an_earlier_run_read_is_a_corpus(widedeep: Command, corpus: Path, store: Path):
    first = widedeep("ask", QUESTION, "--corpus", str(corpus), "--json", "--quiet").json
    for path in corpus.iterdir():
        path.unlink()
    again = widedeep("ask", QUESTION, "--corpus", f"run:{first['run_id']}", "--json", "--quiet")
    assert again.status == 0, again.err
    assert again.json["short_answer"] == first["short_answer"]
    assert {source["id"] for source in again.json["sources"]} <= {
        source["id"] for source in first["sources"]
    }
    resumed = widedeep("runs", "resume", "last", "--json", "--quiet")
    assert resumed.json["answer"] == again.json["answer"]
    unknown = widedeep("ask", QUESTION, "--corpus", "run:nothing")
    assert (unknown.status, len(unknown.err.splitlines())) == (2, 1)
