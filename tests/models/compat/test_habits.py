"""Whatever habits a server has, each call arrives once, whole and in order, and goes back right."""

import itertools
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes.providers import Habit, Rules, Said, Used
from tests.models.compat.asking import QUESTION, after, ask, request

from widedeep.models.compat.calls import Calls
from widedeep.seams import CallReady, Reasoning, Text

CALLS = [("search", {"query": "a"}), ("search", {"query": "b"}), ("read", {"id": "7"})]
PLAIN = [(name, dict(arguments)) for name, arguments in CALLS]

WIRES = [
    Habit.NORMAL,
    Habit.INDEX_ZERO,
    Habit.INDEX_MISSING,
    Habit.INTERLEAVED,
    Habit.WHOLE,
    Habit.ONE_DELTA,
    Habit.NAMES_IN_PIECES,
    Habit.NAMES_REPEATED,
    Habit.IDS_ABSENT,
    Habit.IDS_REPEATED,
    Habit.IDS_EQUAL,
    Habit.ARGUMENTS_OBJECT | Habit.WHOLE,
    Habit.SAYS_STOP,
    Habit.DONE_MISSING,
    Habit.USAGE_IN_EVERY_CHUNK,
    Habit.USAGE_WITH_FINISH,
    Habit.COMMENTS | Habit.CRLF,
    Habit.NO_SPACE | Habit.SEVERAL_DATA_LINES,
    Habit.BYTE_BY_BYTE,
    Habit.UNTIL_CLOSE,
    Habit.STREAM_IGNORED,
    Habit.INDEX_ZERO | Habit.WHOLE,
    Habit.INDEX_ZERO | Habit.ONE_DELTA | Habit.IDS_EQUAL,
    Habit.INDEX_MISSING | Habit.IDS_ABSENT,
    Habit.INDEX_MISSING | Habit.WHOLE | Habit.IDS_ABSENT,
    Habit.INDEX_MISSING | Habit.NAMES_REPEATED | Habit.IDS_REPEATED,
]


def called(reply):
    return [(call.tool, call.arguments) for call in reply.calls]


@pytest.mark.parametrize("habit", WIRES, ids=str)
@pytest.mark.parametrize("stream", [True, False])
def test_every_call_arrives_once_and_its_result_goes_back(habit, stream):
    script = [Said("Let me see.", CALLS), Said("done")]
    second = lambda replies: request(after(QUESTION, replies[0]), turn=2)  # noqa: E731
    replies, told, server = ask(script, request(), second, habit=habit, stream=stream)
    assert called(replies[0]) == PLAIN
    assert (replies[0].text, replies[1].text) == ("Let me see.", "done")
    assert server.invalid == []
    early = [delta for delta in told[0] if isinstance(delta, CallReady)]
    assert [(one.position, one.call.tool) for one in early] == [
        (at, name) for at, (name, _) in enumerate(PLAIN[: len(early)])
    ]
    assert all(replies[0].calls[one.position].arguments == one.call.arguments for one in early)


@pytest.mark.parametrize("habit", [Habit.NORMAL, Habit.INDEX_ZERO, Habit.INDEX_MISSING], ids=str)
def test_a_call_is_ready_when_the_next_one_begins(habit):
    _, told, _ = ask([Said(calls=CALLS)], request(), habit=habit)
    assert [d.position for d in told[0] if isinstance(d, CallReady)] == [0, 1]


def test_arguments_of_several_calls_in_one_are_several_calls():
    calls = CALLS[:2]
    replies, told, _ = ask([Said(calls=calls)], request(), habit=Habit.CONCATENATED)
    assert called(replies[0]) == PLAIN[:2]
    assert not [delta for delta in told[0] if isinstance(delta, CallReady)]


def test_calls_in_the_text_are_taken_where_the_server_is_known_to_leave_them_there():
    script = [Said("I look.", CALLS)] * 2
    left, _, _ = ask(script, request(), habit=Habit.CALLS_IN_TEXT)
    taken, _, _ = ask(script, request(), habit=Habit.CALLS_IN_TEXT, calls_in_text=True)
    assert left[0].calls == ()
    assert (called(taken[0]), taken[0].text) == (PLAIN, "I look.")


def test_a_finish_reason_that_lies_makes_no_call():
    replies, _, _ = ask([Said("done")], request(), habit=Habit.SAYS_TOOL_CALLS)
    assert (replies[0].text, replies[0].calls, replies[0].stop) == ("done", (), "end")


def test_what_is_no_json_is_kept_as_written_and_does_not_break_the_next_request():
    bad = '{"query": "a" "n": 1}'
    script = [Said(calls=[("search", bad), ("search", {"query": "b"})]), Said("done")]
    second = lambda replies: request(after(QUESTION, replies[0]), turn=2)  # noqa: E731
    replies, _, server = ask(script, request(), second)
    first = replies[0].calls[0]
    assert (first.arguments, first.raw) == (None, bad)
    assert server.invalid == []
    assert (
        bad
        in json.loads(
            server.requests[1].body["messages"][2]["tool_calls"][0]["function"]["arguments"]
        ).values()
    )


def test_ids_that_come_again_in_a_later_turn_are_told_apart():
    script = [Said(calls=CALLS)] * 3
    turns = [
        request(),
        lambda replies: request(after(QUESTION, replies[0]), turn=2),
        lambda r: request(after(after(QUESTION, r[0]), r[1], 2), turn=3),
    ]
    _, _, server = ask(script, *turns, habit=Habit.IDS_EQUAL)
    sent = [
        call["id"]
        for message in server.requests[2].body["messages"]
        for call in message.get("tool_calls", ())
    ]
    assert len(sent) == len(set(sent)) == 6
    assert server.invalid == []


REASONED = [
    (Habit.NORMAL, ()),
    (Habit.REASONING, ()),
    (Habit.REASONING_DETAILS, ("reasoning", "reasoning_details")),
    (Habit.NORMAL, ("reasoning_content",)),
]


@pytest.mark.parametrize(("habit", "returns"), REASONED, ids=str)
@pytest.mark.parametrize("stream", [True, False])
def test_reasoning_is_kept_and_goes_back_where_the_server_wants_it(habit, returns, stream):
    script = [Said("So.", CALLS, reasoning="First the one, then the other."), Said("done")]
    second = lambda replies: request(after(QUESTION, replies[0]), turn=2)  # noqa: E731
    rules = Rules(reasoning="required" if returns else "refused")
    made = {"habit": habit, "rules": rules, "returns": returns, "stream": stream}
    replies, told, server = ask(script, request(), second, **made)
    if not returns or returns == ("reasoning_content",):
        assert replies[0].reasoning == "First the one, then the other."
        assert any(isinstance(delta, Reasoning) for delta in told[0])
    assert replies[0].text == "So."
    assert server.invalid == []


@pytest.mark.parametrize("stream", [True, False])
def test_thinking_that_leaked_into_the_text_is_no_part_of_it(stream):
    script = [Said("The answer.", reasoning="Hm, 6 times 7.")]
    replies, told, _ = ask(script, request(), habit=Habit.THINK_TAGS, stream=stream)
    assert replies[0].text.strip() == "The answer."
    assert "6 times 7" in replies[0].reasoning
    assert "6 times 7" not in "".join(d.text for d in told[0] if isinstance(d, Text))


def test_usage_counts_what_was_cached_as_part_of_the_input():
    used = Used(2000, 100, cached=1500, cache_write=20, reasoning=7)
    replies, _, _ = ask([Said("done", used=used)], request())
    usage = replies[0].usage
    found = (usage.input, usage.cached, usage.cache_write, usage.output, usage.reasoning)
    assert found == (2000, 1500, 20, 100, 7)


def test_usage_that_is_not_told_is_unknown():
    replies, _, _ = ask([Said("done")], request(), habit=Habit.USAGE_ABSENT)
    assert replies[0].usage.input is None


def test_the_text_streams():
    _, told, _ = ask([Said("one two three four five")], request())
    assert "".join(d.text for d in told[0] if isinstance(d, Text)) == "one two three four five"


NAMES = st.sampled_from(["search", "read"])
ARGUMENTS = st.dictionaries(
    st.text(max_size=4),
    st.one_of(st.text(), st.integers(), st.lists(st.text(max_size=3), max_size=2)),
    max_size=3,
)


@given(
    st.lists(st.tuples(NAMES, ARGUMENTS.filter(bool)), min_size=1, max_size=6),
    st.lists(st.integers(0, 400), max_size=12),
    st.sampled_from(["index", "zero", "missing"]),
)
@settings(max_examples=200)
def test_pieces_of_calls_are_joined_wherever_they_are_cut(calls, cuts, index):
    made = Calls(["search", "read"])
    seen = []
    for at, (name, arguments) in enumerate(calls):
        text = json.dumps(arguments, ensure_ascii=False)
        places = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
        pieces = [text[a:b] for a, b in itertools.pairwise(places)]
        where = {"index": {"index": at}, "zero": {"index": 0}, "missing": {}}[index]
        made.feed({**where, "id": f"call_{at}", "function": {"name": name, "arguments": ""}})
        seen += made.ready()
        for piece in pieces:
            made.feed({**where, "function": {"arguments": piece}})
            seen += made.ready()
    found, _ = made.finish()
    assert [(call.tool, call.arguments) for call in found] == calls
    assert [(at, call.arguments) for at, call in seen] == [
        (at, arguments) for at, (_, arguments) in enumerate(calls[:-1])
    ]
