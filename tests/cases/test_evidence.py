"""Faults reported of what runs make of their evidence; each test is named by its case."""

import pytest
from tests.fakes.runs import Budget, research
from tests.fakes.tools import empty, fail, look

from widedeep.errors import ModelError


@pytest.mark.parametrize("error", [ModelError("503 overloaded"), RuntimeError("a bug")])
def test_t7_a_late_failure_keeps_what_was_found(error):
    script = [[("look", {"query": "Quito"})], [("look", {"query": "Lima"})], error]
    answer, _ = research(script, [look], budget=Budget(turns=2))
    assert answer.status == "partial"
    assert "Quito has 42 inhabitants." in answer.text
    assert {citation.n for citation in answer.citations} == {1, 2}
    assert all(citation.verified for citation in answer.citations)
    assert any(str(error) in note for note in answer.notes)


@pytest.mark.parametrize("tool", ["empty", "fail"])
def test_t9_no_evidence_is_never_an_answer(tool):
    calls = [(tool, {"query": q} if tool == "empty" else {"message": q}) for q in "abc"]
    invented = "It has 9,000 inhabitants [1]. See also [2]."
    answer, _ = research([calls, invented], [empty, fail])
    assert answer.status == "no_evidence"
    assert answer.citations == ()
    assert any("[1]" in note for note in answer.notes)


def test_t10_empty_searches_end_after_three_turns():
    script = [[("empty", {"query": f"try {n}"})] for n in range(3)] + ["Nothing was found."]
    answer, _ = research(script, [empty])
    assert (answer.turns, answer.stopped_by, answer.status) == (3, "nothing_new", "no_evidence")
