"""Calls that start while the reply is still being streamed."""

import pytest
from tests.fakes.models import Streaming
from tests.fakes.runs import Budget, of, outcomes, research, results
from tests.fakes.tools import look, recorder

from widedeep.errors import ModelError
from widedeep.events import Appended, CallOrphaned, CallStarted, RequestRestarted
from widedeep.messages import Reply, ToolCall
from widedeep.seams import CallReady, Restarted


def works(names):
    return [("work", {"name": name}) for name in names]


def call(name):
    return ToolCall("work", {"name": name})


def starts(events):
    return [(e.call.id, e.call.arguments["name"], e.early) for e in of(events, CallStarted)]


def test_a_call_starts_when_its_end_is_shown():
    work, seen = recorder(seconds=5.0)
    _, events = research([works("abc"), "Done."], [work], first=1.0, each=2.0)
    assert seen == [["a", 3, 8], ["b", 5, 10], ["c", 7, 12]]
    assert starts(events) == [("1.1", "a", True), ("1.2", "b", True), ("1.3", "c", True)]


@pytest.mark.parametrize("why", ["option", "write", "budget"])
def test_it_waits_for_the_whole_reply_when_it_must(why):
    work, seen = recorder(effects="write" if why == "write" else "read")
    options = {"early_start": why != "option"}
    if why == "budget":
        options["budget"] = Budget(calls=15)
    research([works("abc"), "Done."], [work], each=2.0, **options)
    assert [began for _, began, _ in seen] == [6, 6, 6]


def test_slots_go_in_stream_order_up_to_the_cap():
    work, seen = recorder()
    _, events = research([works("abcde"), "Done."], [work], each=1.0, schedule="constant:3!")
    assert [name for name, *_ in seen] == ["a", "b", "c"]
    assert outcomes(events) == ["ok"] * 3 + ["deferred"] * 2


def test_duplicates_are_not_started_twice():
    work, seen = recorder()
    _, events = research([works("aab"), "Done."], [work], each=1.0)
    assert [name for name, *_ in seen] == ["a", "b"]
    assert outcomes(events) == ["ok", "duplicate", "ok"]


def test_after_a_restart_the_same_call_is_adopted_and_another_is_an_orphan():
    work, seen = recorder(seconds=9.0)
    model = Streaming(
        (
            [
                *(CallReady(0, call("a")), CallReady(1, call("b")), 1.0, Restarted("cut"), 1.0),
                *(CallReady(0, call("a")), CallReady(1, call("c"))),
            ],
            Reply(calls=(call("a"), call("c"))),
        ),
        ([], Reply("Done.")),
    )
    answer, events = research(model, [work])
    assert [(name, began) for name, began, _ in seen] == [("a", 0), ("b", 0), ("c", 2)]
    assert outcomes(events) == ["ok", "ok"]
    assert [e.call_id for e in of(events, CallOrphaned)] == ["1.2"]
    assert len(of(events, RequestRestarted)) == 1
    assert answer.calls.executed == 3


def test_an_orphans_result_is_used_when_a_later_reply_asks_for_it():
    work, seen = recorder()
    model = Streaming(
        ([CallReady(0, call("a"))], Reply(calls=(call("b"),))),
        ([], Reply(calls=(call("a"),))),
        ([], Reply("a is done [2].")),
    )
    answer, events = research(model, [work])
    assert [name for name, *_ in seen] == ["a", "b"]
    assert outcomes(events, 2) == ["duplicate"]
    assert "a is done" in results(events, 2)[0].text
    assert answer.status == "answered"


def test_what_started_before_the_model_failed_is_an_orphan():
    work, seen = recorder()
    model = Streaming(([CallReady(0, call("a")), 0.5], ModelError("cut stream")))
    answer, events = research(model, [work])
    assert len(seen) == 1
    assert len(of(events, CallOrphaned)) == 1
    assert (answer.status, answer.stopped_by) == ("failed", "model_error")
    assert any("started early" in note for note in answer.notes)


def test_a_reply_cut_at_its_limit_keeps_what_had_started():
    model = Streaming(
        (
            [CallReady(0, ToolCall("look", {"query": "a"}))],
            Reply(calls=tuple(ToolCall("look", {"query": q}) for q in "ab"), stop="length"),
        ),
        ([], Reply("a has 42 inhabitants [1].")),
    )
    answer, events = research(model, [look])
    assert outcomes(events) == ["ok", "refused"]
    assert answer.status == "answered"


def test_in_the_answering_turn_nothing_starts():
    work, seen = recorder()
    model = Streaming(
        ([], Reply(calls=(call("a"),))),
        ([CallReady(0, call("b"))], Reply("a is done [1].", calls=(call("b"),))),
    )
    research(model, [work], budget=Budget(turns=1))
    assert [name for name, *_ in seen] == ["a"]


def test_after_restarts_the_cap_still_holds():
    work, seen = recorder()
    model = Streaming(
        (
            [
                *(CallReady(0, call("a")), CallReady(1, call("b")), Restarted("cut")),
                *(CallReady(0, call("c")), CallReady(1, call("d")), Restarted("cut")),
            ],
            Reply(calls=tuple(call(name) for name in "cdab")),
        ),
        ([], Reply("Done.")),
    )
    answer, events = research(model, [work], schedule="constant:2!")
    assert outcomes(events) == ["deferred", "deferred", "duplicate", "duplicate"]
    assert [name for name, *_ in seen] == ["a", "b"]
    assert answer.width[0].executed == 2


def test_the_calls_of_the_reply_have_their_place_as_id_and_orphans_another():
    work, _ = recorder(seconds=12.0, deadline=100.0)
    model = Streaming(
        ([CallReady(0, call("a"))], Reply(calls=(call("b"),))),
        ([], Reply(calls=(call("a"),))),
        ([], Reply(calls=(call("c"),))),
        ([], Reply("a is done [2].")),
    )
    _, events = research(model, [work], turn_deadline=5)
    assert [result.call.id for result in results(events, 1)] == ["1.1"]
    (orphan,) = of(events, CallOrphaned)
    assert (orphan.call_id, orphan.renamed) == ("1.1", "1.1~1")
    texts = [e.message.text for e in of(events, Appended) if e.message.role == "user"]
    late = [text for text in texts if text.startswith("Late result")]
    assert late[0].startswith("Late result of call 1 of turn 1:")
    assert late[1].startswith("Late result of call 1 of turn 2:")
    assert "a is done" in late[1]


@pytest.mark.parametrize("how", ["tool", "run"])
def test_serial_calls_keep_their_order_and_never_start_early(how):
    work, seen = recorder(order="serial" if how == "tool" else "any")
    research([works("abc"), "Done."], [work], each=1.0, serial=how == "run")
    assert seen == [["a", 3, 4], ["b", 4, 5], ["c", 5, 6]]


def test_invalid_and_unknown_calls_start_nothing_early():
    work, seen = recorder()
    calls = [("work", {"nom": "a"}), ("none", {}), ("work", {"name": "b"})]
    _, events = research([calls, "Done."], [work], each=1.0, schedule="constant:3!")
    assert outcomes(events) == ["error", "error", "ok"]
    assert seen == [["b", 3, 4]]


def test_the_seconds_of_an_orphan_that_had_settled_count():
    work, _ = recorder(seconds=1.0)
    model = Streaming(
        ([CallReady(0, call("a")), 5.0], Reply(calls=(call("b"),))),
        ([], Reply("Done.")),
    )
    answer, _ = research(model, [work])
    assert answer.seconds.serial == 5.0 + 1.0 + 1.0
