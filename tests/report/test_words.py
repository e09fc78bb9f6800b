"""Are calls, numbers and outcomes put into the right words?"""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.report.recorded import ANSWER, call

from widedeep.messages import Calls, Outcome, Seconds, ToolCall, Width
from widedeep.report import words
from widedeep.report.timeline import CallState, TurnState


@pytest.mark.parametrize(
    ("made", "shown"),
    [
        (call("1.1", k=3, query="two\nlines"), "two lines"),
        (call("1.1", note="free text", n=1), "free text"),
        (call("1.1", n=1), '{"n": 1}'),
        (ToolCall("x", None, raw='{"q": '), '{"q":'),
        (ToolCall("x", None), "(no arguments)"),
    ],
)
def test_main_argument(made: ToolCall, shown: str):
    assert words.argument(made) == shown


def test_calls_that_differ_only_in_numbers_show_them():
    calls = [call("1.1", query="a", k=5), call("1.2", query="a", k=20), call("1.3", query="b", k=5)]
    assert words.arguments(calls) == ["a  k=5", "a  k=20", "b"]


@pytest.mark.parametrize(
    ("numbers", "shown"),
    [((), ""), ((3,), "[3]"), ((1, 2, 3, 7), "[1-3] [7]"), ((5, 4, 5), "[4-5]")],
)
def test_source_numbers(numbers: tuple[int, ...], shown: str):
    assert words.span(numbers) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "-"),
        (0.0, "0 ms"),
        (0.0123, "12 ms"),
        (0.9996, "1.0 s"),
        (59.94, "59.9 s"),
        (59.96, "1 min 00 s"),
        (3725.0, "1 h 02 min"),
    ],
)
def test_times(value: float | None, shown: str):
    assert words.seconds(value) == shown


@pytest.mark.parametrize(
    ("state", "shown"),
    [
        (CallState(call("1.1"), "running", early=True), "early"),
        (CallState(call("1.1"), Outcome.OK, found=0), "nothing found"),
        (CallState(call("1.1"), Outcome.OK, found=2), "2 found"),
        (CallState(call("1.1"), Outcome.OK, found=2, numbers=(1, 2)), "[1-2]"),
        (CallState(call("1.1"), Outcome.ERROR, error="Bad\nthing"), "error: Bad thing"),
        (CallState(call("1.1"), Outcome.REFUSED, text="no room"), "refused: no room"),
        (CallState(call("1.1"), Outcome.CANCELLED, error="Cancelled: why"), "cancelled: why"),
        (CallState(call("1.1"), Outcome.DEFERRED, text="Not run"), "deferred"),
        (CallState(call("1.1"), Outcome.DUPLICATE), "duplicate"),
        (CallState(call("1.1"), Outcome.LATE, settled=Outcome.TIMEOUT), "late, then timeout"),
        (CallState(call("1.1"), "orphaned"), "not in the final reply"),
    ],
)
def test_what_came_of_a_call(state: CallState, shown: str):
    assert words.note(state) == shown


def test_width_in_words():
    turn = TurnState(1, Width(3, 4), answering=False, phase="asking", since=0.0)
    assert words.width(turn) == "target 3, cap 4"
    calls = (CallState(call("1.1")), CallState(call("1.2")))
    assert words.width(replace(turn, phase="calling", calls=calls)) == "target 3, 2 calls"
    ended = replace(turn, phase="ended", calls=calls, executed=1, width=Width(None, None))
    assert words.width(ended) == "target open, 2 calls, 1 executed"
    assert words.width(replace(turn, answering=True)) == "answer"
    assert words.width(replace(turn, phase="failed")) == "no reply"


def test_summary_says_what_it_took():
    lines = dict(words.summary(ANSWER))
    assert lines["status"] == "answered"
    assert lines["turns"] == "1 with 3 calls"
    assert lines["calls"] == "4 requested: 1 ok, 1 error, 1 late, 1 duplicate"
    assert lines["time"] == "2.0 s, critical path 1.9 s"
    assert lines["serial"] == "5.0 s for the same calls one after another, 2.5 times as long"
    assert lines["note"] == "one call was late"


def test_summary_of_a_run_without_calls():
    answer = replace(
        ANSWER,
        status="failed",
        stopped_by="model_error",
        calls=Calls(),
        turns=0,
        seconds=Seconds(0.0, 0.0, 0.0),
        cost_usd=0.5,
    )
    lines = dict(words.summary(answer))
    assert lines["status"] == "failed: the model could not be asked"
    assert lines["calls"] == "0 requested: none"
    assert "times" not in lines["serial"]
    assert lines["cost"] == "0.5000 USD"


@pytest.mark.parametrize(
    ("usd", "source", "cost"),
    [
        (0.25, "genai-prices 0.2.3", "0.2500 USD, by genai-prices 0.2.3"),
        (None, None, "unknown"),
        (0.0, None, None),
    ],
)
def test_a_cost_says_whose_prices_it_rests_on(usd, source, cost):
    lines = dict(words.summary(replace(ANSWER, cost_usd=usd, prices=source)))
    assert lines.get("cost") == cost


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("partial", "no citation could be verified"),
        ("no_evidence", "the sources hold no evidence for an answer"),
        ("answered", ""),
    ],
)
def test_why_an_answer_is_no_better(status: str, reason: str):
    assert words.why(replace(ANSWER, status=status)) == reason  # pyright: ignore[reportArgumentType]
