"""Does a report say what was measured, with what, and how sure it is?"""

import json

import pytest
from tests.evals.made import made, source

from widedeep.evals.circumstances import here_and_now
from widedeep.evals.report import document, report, report_object, text
from widedeep.evals.tasks import Sample, Task

SAMPLES = tuple(
    Sample(f"q{n}", "Who?", ("Ada",), gold=("d1",), kind="odd" if n % 2 else "even")
    for n in range(10)
)
GOLD = [source(1, "d1")]


@pytest.fixture
def written():
    wide = tuple(made(s, "Ada", sources=GOLD, calls=4) for s in SAMPLES)
    narrow = tuple(
        made(s, "Ada", sources=GOLD) if n < 4 else made(s, status="no_evidence")
        for n, s in enumerate(SAMPLES)
    )
    arms = {"constant:4": wide, "constant:1": narrow}
    configurations = {name: {"schedule": name, "max_turns": 3} for name in arms}
    task = Task("made", SAMPLES, None, "f00d")
    return report(task, arms, configurations, here_and_now(), seed=7)


def test_as_json(written):
    whole = json.loads(json.dumps(report_object(written)))
    assert (whole["schema"], whole["seed"], whole["resamples"]) == (1, 7, 2000)
    assert whole["task"] == {"name": "made", "samples": 10, "fingerprint": "f00d", "limit": None}
    wide, narrow = whole["arms"]
    assert narrow["configuration"] == {"schedule": "constant:1", "max_turns": 3}
    assert narrow["metrics"]["exact"]["mean"] == 0.4
    assert narrow["metrics"]["exact"]["low"] == pytest.approx(0.1682, abs=1e-4)
    assert narrow["statuses"] == {"no_evidence": 6, "answered": 4}
    assert (wide["widths"], len(wide["results"]), set(wide["kinds"])) == (
        [4.0],
        10,
        {"odd", "even"},
    )
    assert "cost_usd" not in wide["metrics"]  # unknown, not 0
    assert {"widedeep", "code", "python", "machine", "cores"} <= set(whole["circumstances"])


def test_arms_are_compared_question_by_question(written):
    by_metric = {each.metric: each for each in written.differences}
    exact = by_metric["exact"]
    assert (exact.arm, exact.base) == ("constant:1", "constant:4")
    assert (exact.interval.mean, exact.wins, exact.losses) == (pytest.approx(-0.6), 0, 6)
    assert exact.interval.high < 0
    assert exact.p == pytest.approx(0.03125)


def test_as_markdown_and_text(written):
    page = document(written)
    assert page.startswith("# Evaluation of `made`\n")
    assert "| EM | 1.000 [0.722, 1.000] | 0.400 [0.168, 0.687] |" in page
    assert "| `constant:1` | EM | -0.600 [-0.900, -0.300] | 0 | 6 | 0.031 |" in page
    assert "6 no_evidence, 4 answered; calls turn by turn: 2.0" in page
    assert "## `constant:4` by kind of question" in page
    assert "seed 7, 2,000 resamples" in page
    lines = text(written).splitlines()
    assert lines[0].split() == ["constant:4", "constant:1"]
    assert "rightly" not in text(written)  # there is no unanswerable question
