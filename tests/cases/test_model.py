"""Faults reported of what models send; each test is named by its case."""

import pytest
from tests.fakes.runs import Scripted, outcomes, research, results
from tests.fakes.tools import empty, look

from widedeep.messages import Reply, ToolCall, User

GOOD = ("look", {"query": "Quito"})


def test_m1_malformed_arguments_are_an_error_the_model_may_mend():
    broken = ToolCall("look", None, raw='{"q": "a" "n": 1}')
    model = Scripted([Reply(calls=(broken,)), [GOOD], "Quito has 42 inhabitants [1]."])
    answer, events = research(model, [look])
    assert outcomes(events) == ["error"]
    assert "not a JSON object" in results(events)[0].text
    assert answer.status == "answered"


def test_m3_calls_of_a_reply_cut_at_its_limit_are_never_run():
    cut = Reply(calls=(ToolCall("look", {"query": "Quito"}),), stop="length")
    answer, events = research([cut, "Nothing."], [look])
    assert outcomes(events) == ["refused"]
    assert answer.calls.executed == 0


def test_m11_an_unknown_tool_is_an_error_that_names_the_tools():
    calls = [GOOD, ("serach", {"query": "x"}), ("look", {"query": "b"}), ("empty", {"query": "c"})]
    _, events = research([calls, "Done."], [look, empty])
    assert outcomes(events) == ["ok", "error", "ok", "ok"]
    assert "'serach'" in results(events)[1].text
    assert "look, empty" in results(events)[1].text


@pytest.mark.parametrize(
    ("script", "status"),
    [
        ([[GOOD], "", ""], "partial"),
        ([[("empty", {"query": "x"})], "", ""], "no_evidence"),
        (["", ""], "failed"),
    ],
)
def test_m13_an_empty_reply_is_nudged_once_and_is_no_answer(script, status):
    model = Scripted(script)
    answer, _ = research(model, [look, empty])
    assert (answer.status, answer.stopped_by) == (status, "empty_reply")
    nudges = [m for m in model.requests[-1].history if isinstance(m, User) and "empty" in m.text]
    assert len(nudges) == 1
    assert ("42 inhabitants" in answer.text) == (status == "partial")


def test_m13_a_nudged_model_may_go_on():
    answer, _ = research([[GOOD], "", "Quito has 42 inhabitants [1]."], [look])
    assert (answer.status, answer.stopped_by) == ("answered", "answer")


def test_m21_an_answer_cut_at_its_limit_is_marked():
    cut = Reply(text="Quito has 42 inhabitants [1]. And", stop="length")
    answer, _ = research([[GOOD], cut], [look])
    assert (answer.status, answer.stopped_by) == ("partial", "cut_reply")
    assert any("cut off" in note for note in answer.notes)
