"""Does `synth` make questions, say what it kept, and name what is wrong with its options?"""

import pytest
from tests.cli.command import Command
from tests.evals.synth_corpora import planets


def test_questions_are_made_and_reported(widedeep: Command, tmp_path):
    path, out = planets(tmp_path / "planets"), tmp_path / "out"
    ended = widedeep("synth", str(path), "--out", str(out), "--n", "12", "--quiet")
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.startswith(f"{out}: 12 questions (one 3, two 3, comparison 3, unanswerable 3)")
    first = (out / "queries.jsonl").read_bytes()
    again = widedeep("synth", str(path), "--out", str(out), "--n", "12", "--json", "--quiet").json
    assert (again["schema"], again["kept"], again["seed"]) == (1, 12, 0)
    assert (out / "queries.jsonl").read_bytes() == first
    other = widedeep("synth", str(path), "--out", str(out), "--n", "12", "--seed", "7", "--quiet")
    assert other.status == 0
    assert (out / "queries.jsonl").read_bytes() != first


def test_a_corpus_with_too_few_facts_says_so(widedeep: Command, corpus, tmp_path):
    ended = widedeep("synth", str(corpus), "--out", str(tmp_path / "out"))
    assert ended.status == 0
    assert "of the 1,000 wanted" in ended.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "--out is missing"),
        (("--out", "x", "--n", "0"), "--n '0'"),
        (("--out", "x", "--n", "many"), "--n 'many'"),
        (("--out", "x", "--seed", "-1"), "--seed '-1'"),
        (("--out", "x", "--kinds", "one,three"), "--kinds 'three'"),
    ],
)
def test_wrong_use_is_named(widedeep: Command, corpus, options, said):
    ended = widedeep("synth", str(corpus), *options)
    assert ended.status == 2
    assert said in ended.err
    assert ended.err.count("\n") == 1


def test_what_is_there_is_not_written_over(widedeep: Command, corpus):
    ended = widedeep("synth", str(corpus), "--out", str(corpus), "--n", "2")
    assert ended.status == 2
    assert "give a new folder" in ended.err
