"""Does bench/synth.py ask each question once, compare arms in pairs, and judge its goals right?"""

import subprocess
import sys

from bench.arms import Measured
from bench.synth_table import difference, saved, show
from tests.evals.made import SAMPLE, answer, source
from tests.evals.synth_corpora import planets
from tests.tree import ROOT

from widedeep.evals.graders import result
from widedeep.schedule import parse


def arm(name, turns, calls, found):
    """Return an arm that made `calls` on each question and met the gold documents it `found`."""
    rows = tuple(
        result(SAMPLE, answer("x", calls=number, sources=[source(n, f"d{n}") for n in gold]))
        for number, gold in zip(calls, found, strict=True)
    )
    return Measured([f"{name} x{turns}"], parse(name), turns, None, {"made": rows})


BOTH, ONE = (1, 2), (1,)
CONSTANT = arm("constant:3!", 3, [6, 6, 3, 3], [BOTH, BOTH, BOTH, ONE])


def test_a_pair_is_compared_question_by_question():
    ours = arm("adaptive", 3, [3, 3, 3, 3], [BOTH, BOTH, ONE, ONE])
    lost = difference(ours, CONSTANT, lambda r: r.scores.recall)
    assert (lost.mean, lost.n) == (-0.125, 4)
    assert round(saved(ours, CONSTANT), 3) == 0.333


def test_goals_are_judged_by_calls_and_by_what_is_lost(capsys):
    cheap = arm("adaptive", 3, [3, 3, 3, 3], [BOTH, BOTH, BOTH, ONE])
    show([CONSTANT, cheap], every=False)
    said = capsys.readouterr().out
    assert (
        "adaptive x3: 33.3 % fewer calls than constant:3! x3, recall .000 [.000, .000]: met" in said
    )
    poor = arm("adaptive", 3, [3, 3, 3, 3], [BOTH, ONE, ONE, ONE])
    show([CONSTANT, poor], every=False)
    assert "33.3 % fewer calls than constant:3! x3, recall -.250 [-.500, .000]: NOT met" in (
        capsys.readouterr().out
    )
    rival = arm("descending", 3, [3, 3, 3, 4], [BOTH, BOTH, BOTH, ONE])
    show([CONSTANT, rival, cheap], every=False)
    said = capsys.readouterr().out
    assert "7.7 % fewer calls than descending x3, the cheapest of 2 fixed arms" in said
    assert "recall at most 1 point lower: NOT met (15 % fewer)" in said


def test_every_arm_is_asked_once_and_arms_of_equal_widths_are_one(tmp_path):
    planets(tmp_path / "planets")
    command = [sys.executable, "bench/synth.py", "--data", str(tmp_path), "--sets", "planets"]
    options = ["--n", "8", "--turns", "1", "2", "--out", str(tmp_path / "out"), "--limit", "4"]
    arms = ["--arms", "constant:1!", "constant:3!", "descending", "1:3,2:1", "adaptive"]

    def run():
        return subprocess.run(
            [*command, *options, *arms], capture_output=True, text=True, cwd=ROOT, check=True
        )

    first = run()
    assert "descending x2 = 1:3,2:1 x2" in first.stdout
    assert "constant:3! x1 = descending x1 = 1:3,2:1 x1" in first.stdout
    assert "constant:1! x1 = adaptive x1" in first.stdout
    logs = sorted((tmp_path / "out").rglob("results-*.jsonl"))
    kept = [log.read_bytes() for log in logs]
    assert [text.count(b"\n") for text in kept] == [5] * 7
    again = run()
    assert [log.read_bytes() for log in logs] == kept
    assert again.stdout.rpartition("\n\n")[0] == first.stdout.rpartition("\n\n")[0]
