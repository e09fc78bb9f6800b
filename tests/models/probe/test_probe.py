"""Does a probe find the truth about a server, whatever habits it has?"""

import pytest
from tests.fakes.providers import Failed, Habit, Rules
from tests.models.probe.serving import Able, probed

from widedeep.errors import ModelError
from widedeep.models.probe import most_requests

WORKS = ("hint", "schema")

HABITS = [
    (Habit.NORMAL, None),
    (Habit.INDEX_ZERO, "gives all calls of a stream the same index"),
    (Habit.INDEX_MISSING, "gives the calls of a stream no index"),
    (Habit.INTERLEAVED, "mixes the pieces of several calls"),
    (Habit.ONE_DELTA, "sends all calls in one piece"),
    (Habit.NAMES_IN_PIECES, "sends the name of a tool in pieces"),
    (Habit.IDS_ABSENT, "gives calls no ids"),
    (Habit.IDS_EQUAL, "gives several calls the same id"),
    (Habit.CONCATENATED, "writes all calls into the arguments of one"),
    (Habit.CALLS_IN_TEXT, "leaves calls in the text"),
    (Habit.ARGUMENTS_OBJECT | Habit.WHOLE, "sends arguments as an object"),
    (Habit.SAYS_STOP, 'says that it has ended ("stop") where it calls'),
    (Habit.DONE_MISSING, "ends a stream without [DONE]"),
    (Habit.STREAM_IGNORED, "answers a request for a stream in one piece"),
]


@pytest.mark.parametrize(("habit", "says"), HABITS, ids=str)
def test_habits_of_the_wire(habit, says):
    found, server = probed(Able(), habit=habit)
    assert [quirk for quirk in found.quirks if says and quirk.startswith(says)] == (
        list(found.quirks)
    )
    assert bool(found.quirks) == bool(says)
    assert found.modes == WORKS
    assert all(case.valid == case.distinct == case.asked for case in found.cases)
    assert len(found.cases) == 12
    in_text = {"calls_in_text": True} if habit == Habit.CALLS_IN_TEXT else {}
    assert found.changes == in_text
    assert (found.flags["tool_calls"], found.flags["stream"]) == (True, True)
    assert found.requests == len(server.requests) <= most_requests((1, 3, 8))
    assert server.invalid == []


def test_calls_are_early_where_the_stream_shows_their_end():
    found, _ = probed(Able())
    early = {(c.mode, c.stream, c.asked) for c in found.cases if c.early is not None}
    assert early == {
        ("hint", True, 3),
        ("hint", True, 8),
        *(("schema", True, w) for w in (1, 3, 8)),
    }
    joined, _ = probed(Able(), habit=Habit.CONCATENATED)
    assert not [c for c in joined.cases if c.mode == "hint" and c.early is not None]


def test_usage_and_the_cache_of_the_third_turn():
    found, _ = probed(Able())
    assert all(case.usage for case in found.cases)
    [talk] = found.talks
    assert 0.8 * talk.input < talk.cached <= talk.input
    assert (talk.none, talk.switch) == (True, True)
    silent, _ = probed(Able(), habit=Habit.USAGE_ABSENT)
    assert not any(case.usage for case in silent.cases)
    assert (silent.talks[0].input, silent.talks[0].cached) == (None, None)


REFUSALS = [
    ("stream_options", {"usage": False}, "refuses stream_options"),
    ("parallel_tool_calls", {"parallel_switch": False}, "refuses parallel_tool_calls"),
]


@pytest.mark.parametrize(("field", "flags", "says"), REFUSALS)
def test_fields_that_are_refused(field, flags, says):
    found, _ = probed(Able(), rules=Rules(unsupported=(field,)))
    assert found.changes == flags
    assert [quirk for quirk in found.quirks if quirk.startswith(says)]
    assert found.modes == WORKS


def test_another_name_for_the_limit():
    def picky(asked):
        if "max_tokens" in asked.body:
            return Failed(400, "Use 'max_completion_tokens' instead of 'max_tokens'.")
        return Able()(asked)

    found, _ = probed(picky)
    assert found.changes == {"limit_field": "max_completion_tokens"}


def test_messages_that_must_alternate():
    found, _ = probed(Able(), rules=Rules(alternate=True))
    assert found.changes == {"alternates": True}
    assert found.modes == WORKS


def test_results_that_cannot_go_back_leave_the_schema():
    def forgetful(asked):
        if any(message["role"] == "tool" for message in asked.body["messages"]):
            return Failed(400, "Unexpected role 'tool'")
        return Able()(asked)

    found, _ = probed(forgetful)
    assert [talk.mode for talk in found.talks] == ["hint", "schema"]
    assert "Unexpected role 'tool'" in found.talks[0].failed
    assert found.changes == {"tool_calls": False}
    assert found.modes == ("schema",)


def test_a_model_that_calls_nothing_is_left_to_the_schema():
    found, _ = probed(Able(calls=0))
    assert found.changes == {"tool_calls": False}
    assert found.modes == ("schema",)
    assert "--width-mode auto takes schema" in found.advice


def test_a_server_that_knows_no_tools():
    def toolless(asked):
        if "tools" in asked.body:
            return Failed(400, "gemma does not support tools")
        return Able()(asked)

    found, server = probed(toolless)
    assert found.changes == {"tool_calls": False}
    assert [case.error for case in found.cases if case.mode == "hint"] == (
        ["the server answered 400: gemma does not support tools"] * 2
    )
    assert len(server.requests) == found.requests == 2 + 6 + 2


def test_a_server_that_does_not_stream_calls():
    def whole(asked):
        if "tools" in asked.body and asked.body["stream"]:
            return Failed(400, "Cannot use tools with stream")
        return Able()(asked)

    found, _ = probed(whole)
    assert found.changes == {"stream": False}
    assert found.modes == WORKS


def test_what_is_not_honoured():
    found, _ = probed(Able(obeys=False, switched=False))
    assert (found.talks[0].none, found.talks[0].switch) == (False, False)
    assert found.changes == {"choice_none": False}


def test_a_model_that_calls_one_at_a_time_is_wider_by_a_schema():
    found, _ = probed(Able(calls=1))
    assert found.modes == WORKS
    assert found.changes == {}
    assert "of 8 tool calls at most 1 come" in found.advice


def test_a_model_that_keeps_no_width():
    found, _ = probed(Able(calls=0, schema=False))
    assert (found.modes, found.changes) == ((), {})
    assert "no way to keep a width works" in found.advice


def test_what_an_earlier_probe_found_is_taken_back():
    found, _ = probed(Able(), known={"tool_calls": False, "stream": False, "usage": False})
    assert found.changes == {"tool_calls": True, "stream": True, "usage": True}


def test_a_server_that_takes_nothing():
    with pytest.raises(ModelError, match="'test:m' took no request: the server answered 401"):
        probed(lambda _: Failed(401, "no"))
