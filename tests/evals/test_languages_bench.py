"""Does the second-language bench run without a fault, and does it count what it says?"""

import json
import subprocess
import sys

import pytest
from bench.languages import HERE, verdict
from tests.evals.made import SAMPLE, answer, made, source
from tests.tree import ROOT

from widedeep.evals.graders import result


@pytest.mark.parametrize(
    ("found", "counted"),
    [
        (made(SAMPLE, "Ada Byron"), "right"),
        (made(SAMPLE, "Alan Turing"), "wrong"),
        (made(SAMPLE), "wrong"),
        (made(SAMPLE, "Ada Byron", status="no_evidence"), "abstained"),
        (made(SAMPLE, status="failed"), "failed"),
    ],
)
def test_a_guess_of_a_run_that_abstains_is_no_answer(found, counted):
    assert verdict(found) == counted


def test_a_quote_counts_where_there_is_no_short_answer():
    text = "Ada Byron directed it."
    told = answer(sources=[source(1, "d1", text)], quotes=[(1, text)])
    assert verdict(result(SAMPLE, told)) == "quoted"


def test_every_gold_document_is_there():
    for language in ("de", "es"):
        lines = (HERE / f"{language}.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
        there = {path.name for path in (HERE / language).glob("*.md")}
        assert {id for row in rows for id in row["gold"]} == there
        assert len(rows) == 30
        for row in rows:  # an answer that is no yes or no stands in one of its documents
            texts = [(HERE / language / id).read_text(encoding="utf-8") for id in row["gold"]]
            spans = [each for each in row["answers"] if each not in {"ja", "nein", "sí", "no"}]
            if not spans or {"yes", "no"} & set(row["answers"]):
                continue
            assert any(span in text for span in spans for text in texts), row["question"]


def test_no_run_fails_and_what_cannot_be_answered_is_not():
    done = subprocess.run(
        [sys.executable, "bench/languages.py"], capture_output=True, text=True, cwd=ROOT, check=True
    )
    rows = [line.split() for line in done.stdout.splitlines()]
    counts = {(row[0], row[1]): dict(zip(rows[0][2:], row[2:], strict=True)) for row in rows[1:11]}
    for language in ("de", "es"):
        assert counts[language, "unanswerable"]["abstained"] == "6"
        assert counts[language, "all"]["questions"] == "30"
        assert int(counts[language, "all"]["wrong"]) <= 3
    assert done.stdout.rstrip().endswith("failed runs: 0")
