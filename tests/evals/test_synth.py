"""Are made questions right, balanced, new each time and the same for the same seed?"""

import json
import re
from collections import Counter

import pytest
from tests.evals.synth_corpora import PLANETS, planets, prose

from widedeep.errors import TaskError
from widedeep.evals import load
from widedeep.evals.synth import make, write, writing
from widedeep.evals.synth.filters import FILTERS
from widedeep.retrieval import open_index


def made(path, tmp_path, n=200, seed=1, **more):
    index = open_index((path,), tmp_path / "store")
    return index, make(index, n, seed=seed, **more)


@pytest.fixture
def told(tmp_path):
    return made(prose(tmp_path / "prose"), tmp_path)[1].questions


@pytest.fixture
def lined(tmp_path):
    return made(planets(tmp_path / "planets"), tmp_path)[1].questions


def by_text(questions, text):
    return next((q for q in questions if q.text == text), None)


def test_every_kind_is_made_from_prose(told):
    kinds = Counter(question.kind for question in told)
    assert set(kinds) == {"one", "two", "comparison", "unanswerable"}


def test_two_hops_lead_over_a_named_document(told):
    hops = [q for q in told if q.kind == "two"]
    assert hops
    for question in hops:
        first, second = question.facts
        assert first.target == second.entry
        assert question.gold == (first.entry, second.entry)
        assert second.value.text not in question.text
        assert first.value.text not in question.text


def test_no_question_names_an_ambiguous_title(told):
    assert not [q.text for q in told if "Salt Road" in q.text or "Harrow" in q.text]


def test_comparisons_are_right(told, lined):
    seen = Counter()
    for question in (*told, *lined):
        if question.form == "choice" and question.hops == 1:
            amounts = {f.subject: f.value.amount for f in question.facts}
            wanted = max if _asks_for_more(question.text) else min
            assert wanted(amounts, key=amounts.__getitem__) in question.answers, question.text
        elif question.form == "yes_no":
            values = {fact.value.text for fact in question.facts}
            assert question.answers == ("yes" if len(values) == 1 else "no",)
        elif question.form == "table":
            assert all(value in question.answers[0] for _, value in question.cells)
        seen[question.form] += question.kind == "comparison"
    assert all(seen[form] for form in ("choice", "yes_no", "table"))


def _asks_for_more(text):
    return bool(re.search(r"\b(?:later|higher|larger|younger|longer|more)\b", text))


def test_a_line_describes_a_subject_and_links_to_another(lined):
    shapes = {q.shape for q in lined if q.kind == "two"}
    assert "capital > total area" in shapes
    assert any(shape.startswith("largest export partner > ") for shape in shapes)
    described = [q for q in lined if q.shape == "capital > total area"]
    assert all("planet whose capital is " in q.text for q in described)


def test_what_is_removed_holds_the_answer(told):
    removed = [q for q in told if q.removed]
    assert removed
    for question in removed:
        assert question.facts[-1].entry in question.removed
        assert question.answers == ()
        assert not set(question.removed) & set(question.gold)


def test_what_is_not_stated_is_asked_of_who_lacks_it(told, lined):
    missing = [q for q in (*told, *lined) if q.kind == "unanswerable" and not q.removed]
    assert "What is the mean temperature of Brom?" in {
        q.text.replace("Brom's mean temperature", "the mean temperature of Brom") for q in missing
    }
    asked = {(q.facts[0].subject, q.facts[0].relation.noun) for q in missing}
    assert ("Jonas Ekvall", "spouse") in asked
    assert ("Jonas Ekvall", "father") not in asked  # his brother is spoken of


def test_no_question_twice_and_none_with_its_answer(told, lined):
    for questions in (told, lined):
        assert max(Counter(q.text for q in questions).values()) == 1
        for question in questions:
            if question.kind in {"one", "two"}:
                assert f" {question.answers[0]} " not in f" {question.text[:-1]} "


def test_the_seed_decides(tmp_path):
    path = planets(tmp_path / "planets")
    first = made(path, tmp_path, 40)[1].questions
    assert made(path, tmp_path, 40)[1].questions == first
    assert made(path, tmp_path, 40, seed=2)[1].questions != first


def test_kinds_are_equal_shares_and_n_is_kept(tmp_path):
    path = planets(tmp_path / "planets")
    questions = made(path, tmp_path, 20)[1].questions
    assert len(questions) == 20
    assert set(Counter(q.kind for q in questions).values()) == {5}
    few = made(path, tmp_path, 9, kinds=("one", "two"))[1].questions
    assert {q.kind for q in few} == {"one", "two"}


def test_documents_are_used_more_often_rather_than_too_few_questions_made(tmp_path):
    path = planets(tmp_path / "planets")
    few = made(path, tmp_path, 10, kinds=("one",))[1]
    assert few.tallies["one"].kept == 10
    many = made(path, tmp_path, 1000, kinds=("one",))[1]
    assert max(Counter(q.facts[0].entry for q in many.questions).values()) >= 4
    assert len(many.questions) == many.tallies["one"].kept < 1000
    assert "document used often enough" not in many.tallies["one"].dropped


def test_documents_are_used_evenly(lined):
    uses = Counter(fact.entry for q in lined if q.kind == "one" for fact in q.facts)
    assert set(uses) == {name.lower() for name in PLANETS}


def test_what_is_written_can_be_evaluated(tmp_path):
    path = prose(tmp_path / "prose")
    index, questions = made(path, tmp_path, 30)
    out = tmp_path / "out"
    write(questions, writing.report(questions, index, str(path), 30, 1), out)
    task = load(out)
    assert [s.question for s in task.samples] == [q.text for q in questions.questions]
    assert [s.kind for s in task.samples] == [q.kind for q in questions.questions]
    for sample, question in zip(task.samples, questions.questions, strict=True):
        assert sample.answers == question.answers
        assert sample.answerable == (question.kind != "unanswerable")
        if sample.answerable:
            assert sample.gold == question.gold
    told = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert told["kept"] == 30
    for tally in told["kinds"].values():
        assert tally["tried"] == tally["kept"] + sum(tally["dropped"].values())
        assert set(tally["dropped"]) <= {*FILTERS, "too many documents hold the answer"}
    assert json.loads((out / "corpus.json").read_text(encoding="utf-8"))["corpus"] == str(path)
    assert "| two |" in (out / "report.md").read_text(encoding="utf-8")


def test_evidence_stands_in_its_passage(tmp_path):
    index, questions = made(planets(tmp_path / "planets"), tmp_path)
    [part] = index.parts
    for question in questions.questions:
        for fact in question.facts:
            if fact.quote:
                assert fact.quote in part.lexical.document(fact.entry)[fact.passage].text


def test_another_folder_is_not_written_over(tmp_path):
    index, questions = made(planets(tmp_path / "planets"), tmp_path, 4)
    told = writing.report(questions, index, "x", 4, 1)
    with pytest.raises(TaskError, match="holds something else"):
        write(questions, told, tmp_path / "planets")
