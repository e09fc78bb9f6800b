"""Does a timeline tell of each call what the events say of it?"""

from __future__ import annotations

from tests.report import recorded

from widedeep.events import (
    CallOrphaned,
    CallSettled,
    CallStarted,
    Replied,
    RequestFailed,
    RequestSent,
    RunInterrupted,
    TurnStarted,
)
from widedeep.messages import Outcome, Reply, ToolCall, Width
from widedeep.report.timeline import Timeline, follow


def test_calls_have_their_outcomes_times_and_sources():
    timeline = follow(recorded.records())
    turn = timeline.turns[1]
    assert [one.state for one in turn.calls] == ["ok", "error", "duplicate", "late"]
    assert [one.seconds for one in turn.calls] == [0.25, 0.5, None, 3.5]
    assert turn.calls[0].numbers == (1, 2)
    assert turn.calls[0].early
    assert turn.calls[3].settled is Outcome.OK
    assert (turn.hint, turn.words) == ("Make 3 calls now.", "I look at both.")
    assert (turn.model_seconds, turn.batch_seconds, turn.executed) == (0.1, 2.0, 3)
    assert timeline.turns[2].answering
    assert set(timeline.sources) == {1, 2}
    assert timeline.answer == recorded.ANSWER


def test_calls_run_between_start_and_end():
    timeline = Timeline()
    for at, event in enumerate(recorded.events()[:9]):
        timeline.take(event, float(at))
    states = [(one.call.id, one.state) for one in timeline.turns[1].calls]
    assert states == [("1.1", "ok"), ("1.2", "running"), ("1.3", "queued"), ("1.4", "running")]
    assert timeline.turns[1].calls[1].started == 6.0


def test_reply_orders_the_calls_and_orphans_stand_last():
    timeline = Timeline()
    early, other = ToolCall("read", {"id": "a"}, id="1.1"), ToolCall("read", {"id": "b"})
    timeline.take(TurnStarted(1, Width(2, 3), 0.0, answering=False), 0.0)
    timeline.take(CallStarted(1, early, "read", early=True), 0.1)
    timeline.take(CallOrphaned("1.1", "1.1~1"), 0.2)
    timeline.take(Replied(1, Reply("", (ToolCall("read", {"id": "c"}, id="1.2"), other)), 0.3), 0.3)
    timeline.take(CallSettled("1.1~1", Outcome.OK, 0.4), 0.4)
    calls = timeline.turns[1].calls
    assert [(one.call.id, one.state) for one in calls] == [
        ("1.2", "queued"),
        ("1.2", "queued"),
        ("1.1~1", "orphaned"),
    ]


def test_failed_request_and_interruption_are_kept():
    timeline = Timeline()
    timeline.take(TurnStarted(1, Width(2, 3), 0.0, answering=False), 0.0)
    timeline.take(RequestFailed(1, "no connection", 0.5), 0.5)
    timeline.take(RunInterrupted("user"), 0.6)
    assert timeline.turns[1].error == "no connection"
    assert timeline.interrupted == "user"


def test_events_of_unknown_turns_and_calls_are_passed_over():
    timeline = Timeline()
    timeline.take(RequestSent(7, 1, None, "auto"), 0.0)
    timeline.take(CallSettled("9.9", Outcome.OK, 0.1), 0.1)
    timeline.take(CallOrphaned("9.9", "9.9~1"), 0.2)
    assert timeline.turns == {}
