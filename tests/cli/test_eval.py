"""Does `widedeep eval` grade, compare, go on after a stop, and refuse what cannot be?"""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.cli.command import WIDEDEEP, Command, environment
from tests.cli.test_terminal import CONTROL, in_terminal

from widedeep.evals.log import alone

FACTS = {"ec": ("Ecuador", "Quito"), "pe": ("Peru", "Lima"), "cl": ("Chile", "Santiago")}
ARMS = ("--schedule", "constant:1", "--schedule", "constant:3")


def rows(path: Path, found: list[Mapping[str, object]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in found), encoding="utf-8")


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """A BEIR folder: a question a country, and one that cannot be answered."""
    folder = tmp_path / "capitals"
    folder.mkdir()
    texts = {id: f"The capital of {name} is {city}." for id, (name, city) in FACTS.items()}
    rows(
        folder / "corpus.jsonl",
        [{"_id": id, "title": FACTS[id][0], "text": text} for id, text in texts.items()],
    )
    asked: list[Mapping[str, object]] = [
        {"_id": id, "text": f"What is the capital of {name}?", "metadata": {"answers": [city]}}
        for id, (name, city) in FACTS.items()
    ]
    nowhere = {"_id": "no", "text": "What is the capital of Zubrowka?"}
    rows(folder / "queries.jsonl", [*asked, nowhere | {"metadata": {"answerable": False}}])
    (folder / "qrels.tsv").write_text(
        "query-id\tcorpus-id\tscore\n" + "".join(f"{id}\t{id}\t1\n" for id in FACTS),
        encoding="utf-8",
    )
    return folder


def test_a_task_is_graded_and_its_arms_compared(widedeep: Command, task: Path, tmp_path: Path):
    out = tmp_path / "out"
    done = widedeep("eval", str(task), *ARMS, "--max-turns", "3", "--out", str(out), "--json")
    assert done.status == 0
    first, second = done.json["arms"]
    assert (first["name"], second["name"]) == ("constant:1", "constant:3")
    for metric in ("exact", "f1", "recall", "abstained_rightly"):
        assert first["metrics"][metric]["mean"] == 1.0
    assert {each["arm"] for each in done.json["differences"]} == {"constant:3"}
    assert json.loads((out / "report.json").read_text(encoding="utf-8")) == done.json
    assert "# Evaluation of `capitals`" in (out / "report.md").read_text(encoding="utf-8")
    assert "8 of 8 runs done" in done.err
    shown = widedeep("runs", "show", first["results"][0]["run_id"], "--store", str(out))
    assert "What is the capital of Ecuador?" in shown.out


def test_what_is_done_is_not_done_again(widedeep: Command, task: Path, store: Path):
    few = widedeep("eval", str(task), "--limit", "2", "--json").json
    [log] = (store / "evals").glob("capitals-*/results-descending.jsonl")
    before = log.read_text(encoding="utf-8")
    every = widedeep("eval", str(task), "--json").json
    after = log.read_text(encoding="utf-8")
    assert after.startswith(before)
    assert (before.count("\n"), after.count("\n")) == (3, 5)
    ids = {each["run_id"] for each in few["arms"][0]["results"]}
    assert ids < {each["run_id"] for each in every["arms"][0]["results"]}
    other = widedeep("eval", str(task), "--max-turns", "1", "--json").json
    assert other["arms"][0]["configuration"]["max_turns"] == 1
    assert len(list((store / "evals").iterdir())) == 2


def test_documents_that_a_question_removes_are_left_out_for_it_alone(widedeep: Command, task: Path):
    asked = {"text": "What is the capital of Ecuador?", "metadata": {"answers": ["Quito"]}}
    without = {"answerable": False, "removed": ["ec"]}
    rows(
        task / "queries.jsonl",
        [{"_id": "with", **asked}, {"_id": "without", **asked, "metadata": without}],
    )
    done = widedeep("eval", str(task), "--json", "--quiet").json
    there, gone = done["arms"][0]["results"]
    assert (there["short_answer"], there["scores"]["abstained"]) == ("Quito", False)
    assert (gone["short_answer"], gone["scores"]["abstained"]) == (None, True)


def test_one_report_is_over_all_arms_in_a_directory(widedeep: Command, task: Path, tmp_path: Path):
    out = ("--out", str(tmp_path / "out"), "--quiet", "--json", "--max-turns", "3")
    first = widedeep("eval", str(task), "--schedule", "constant:1", *out).json
    both = widedeep("eval", str(task), "--schedule", "constant:3", *out).json
    assert [arm["name"] for arm in both["arms"]] == ["constant:3", "constant:1"]
    assert both["arms"][1] == first["arms"][0]
    assert {each["arm"] for each in both["differences"]} == {"constant:1"}
    text = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "constant:1" in text
    assert "constant:3" in text
    other = ("--schedule", "constant:2", *out[:3], "--max-turns", "4")
    refused = widedeep("eval", str(task), *other)
    assert refused.status == 2
    assert "holds results with max_turns 3, not 4" in refused.err


def test_two_evaluations_never_write_to_one_directory(
    widedeep: Command, task: Path, tmp_path: Path
):
    out = tmp_path / "out"
    out.mkdir()
    with alone(out):
        refused = widedeep("eval", str(task), "--quiet", "--out", str(out))
    assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert f"{str(out)!r}: another evaluation is writing to it" in refused.err
    assert list(out.iterdir()) == []
    assert widedeep("eval", str(task), "--quiet", "--out", str(out)).status == 0


def test_another_corpus_and_a_plain_table(widedeep: Command, task: Path, corpus: Path):
    done = widedeep("eval", str(task / "queries.jsonl"), "--corpus", str(corpus), "--quiet")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].split() == ["descending"]
    assert lines[1].split() == ["questions", "4"]
    assert "gold found" not in done.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--schedule", "wide"], "unknown schedule 'wide'"),
        (["--schedule", "constant:2", "--schedule", " constant:2"], "is given twice"),
        (["--limit", "0"], "--limit '0': must be a whole number from 1"),
        (["--seed", "x"], "--seed 'x': must be a whole number from 0"),
        (["--parallel", "1000"], "--parallel '1000': must be a whole number from 1 to 256"),
        (["--max-turns", "none"], "--max-turns 'none'"),
        (["--model", "oracle"], "unknown model 'oracle'"),
        (["--corpus", "nowhere"], "--corpus 'nowhere': no such file or folder"),
        (["--out", "/dev/null/x"], "--out '/dev/null/x': cannot be written to"),
    ],
)
def test_wrong_use_is_one_line(widedeep: Command, task: Path, options: list[str], said: str):
    ended = widedeep("eval", str(task), "--quiet", *options)
    assert (ended.status, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert said in ended.err


def test_bad_questions_and_other_results_are_refused(widedeep: Command, task: Path, tmp_path: Path):
    (tmp_path / "bad.jsonl").write_text("{}\n", encoding="utf-8")
    bad = widedeep("eval", str(tmp_path / "bad.jsonl"))
    assert (bad.status, bad.err.count("\n")) == (2, 1)
    assert "bad.jsonl, line 1: no question" in bad.err
    alone = widedeep("eval", str(task / "queries.jsonl"))
    assert "has no corpus.jsonl to research in: pass --corpus PATH" in alone.err
    out = ("--quiet", "--out", str(tmp_path / "out"))
    assert widedeep("eval", str(task), *out).status == 0
    changed = widedeep("eval", str(task), *out, "--max-turns", "2")
    assert changed.status == 2
    assert "holds results with max_turns 30, not 2" in changed.err


def test_a_stopped_evaluation_says_how_to_go_on(task: Path, store: Path):
    many: list[Mapping[str, object]] = [
        {"_id": str(n), "text": f"What is the capital of Peru in {n}?"} for n in range(1500)
    ]
    rows(task / "queries.jsonl", many)
    command = [WIDEDEEP, "eval", str(task), "--out", str(task / "out"), "--max-turns", "1"]
    running = subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(store), text=True
    )
    assert running.stderr is not None
    with running:
        while "runs done" not in (line := running.stderr.readline()):
            assert line, "it ended before it was stopped"
        running.send_signal(signal.SIGINT)
        err = running.stderr.read()
    assert running.returncode == 130
    assert "interrupted; the same command with --out" in err
    assert "Traceback" not in err
    log = (task / "out" / "results-descending.jsonl").read_text(encoding="utf-8")
    assert 150 <= log.count("\n") < 1500


def test_a_terminal_shows_how_far_every_arm_is(task: Path, store: Path):
    env = environment(store, TERM="xterm-256color", COLUMNS="100", LINES="40")
    env.pop("NO_COLOR", None)
    status, written = in_terminal([WIDEDEEP, "eval", str(task), *ARMS, "--max-turns", "2"], env)
    assert status == 0
    plain = CONTROL.sub("", written)
    assert "constant:3 4 of 4 " in " ".join(plain.split())
    assert "EM 1.000 [0.439, 1.000] 1.000 [0.439, 1.000]" in " ".join(plain.split())
    assert "runs done" not in plain


def test_the_help_names_every_option(widedeep: Command):
    text = widedeep("eval", "--help").out
    for option in ("--schedule", "--max-turns", "--limit", "--seed", "--parallel", "--out"):
        assert f" {option} " in text


LIMITED = "--schedule", "constant:1", "--parallel", "1", "--json"


@pytest.mark.parametrize("option", ["--budget-calls", "--budget-turns"])
def test_a_limit_of_the_whole_evaluation_leaves_questions_that_a_larger_one_runs(
    widedeep: Command, task: Path, tmp_path: Path, option: str
):
    ask = "eval", str(task), *LIMITED, "--out", str(tmp_path / "out")
    whole = widedeep("eval", str(task), *LIMITED, "--out", str(tmp_path / "whole")).json["arms"][0]
    cut = widedeep(*ask, option, "4")
    (arm,) = cut.json["arms"]
    assert cut.status == 3
    assert f"limit of {option.removeprefix('--budget-')} is reached" in cut.err
    assert 0 < arm["not_run"] < 4
    assert arm["not_run"] + len(arm["results"]) == 4
    assert all(one["stopped_by"] == "answer" for one in arm["results"])
    assert "were not run" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    again = widedeep(*ask, option, "4")
    assert (again.status, again.json["arms"][0]["not_run"]) == (3, arm["not_run"])
    rest = widedeep(*ask, option, "100")
    assert (rest.status, rest.json["arms"][0]["not_run"]) == (0, 0)
    assert rest.json["arms"][0]["metrics"]["exact"] == whole["metrics"]["exact"]


@pytest.mark.parametrize(
    ("option", "value"),
    [("--budget-turns", "0"), ("--budget-usd", "-1"), ("--budget-seconds", "soon")],
)
def test_a_limit_of_the_evaluation_that_cannot_be_is_named(
    widedeep: Command, task: Path, option: str, value: str
):
    refused = widedeep("eval", str(task), option, value)
    assert refused.status == 2
    assert f"{option} {value!r}" in refused.err
