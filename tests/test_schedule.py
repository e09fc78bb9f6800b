import pytest
from hypothesis import given
from hypothesis import strategies as st

from widedeep import schedule
from widedeep.errors import ScheduleError
from widedeep.messages import Width
from widedeep.seams import State

TEXTS = [
    "constant:1",
    "constant:3",
    "constant:3!",
    "descending",
    "ascending",
    "automatic",
    "adaptive",
    "adaptive:5",
    "25:3,50:2,100:1",
    "descending:paper",
    "ascending:paper",
]


def widths(text, turns, limit):
    made = schedule.parse(text)
    states = (State(turn, {"turns": (turn - 1) / limit}) for turn in range(1, turns + 1))
    return [made.width(state).target for state in states]


@pytest.mark.parametrize("text", TEXTS)
def test_a_schedule_prints_as_it_is_written(text):
    assert str(schedule.parse(text)) == text
    assert schedule.parse(str(schedule.parse(text))) == schedule.parse(text)


@given(
    st.sampled_from(TEXTS),
    st.integers(1, 10_000),
    st.dictionaries(st.sampled_from(["turns", "calls", "usd"]), st.floats(0, 5)),
)
def test_every_turn_has_a_width_within_its_cap(text, turn, used):
    width = schedule.parse(text).width(State(turn, used))
    assert width.cap is not None
    assert width.cap >= 1
    assert width.target is None or 1 <= width.target <= width.cap <= width.target + 1


@given(st.lists(st.tuples(st.integers(1, 500), st.integers(1, 8)), min_size=1), st.integers(0, 999))
def test_past_its_end_a_table_holds_its_last_width(steps, more):
    rising = sorted(dict(steps).items())
    made = schedule.table(*rising)
    assert made.width(State(rising[-1][0] + more)).target == rising[-1][1]
    assert schedule.parse(str(made)) == made


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("descending", 6, [3, 3, 2, 1, 1, 1]),
        ("ascending", 6, [1, 1, 2, 3, 3, 3]),
        ("descending", 8, [3, 3, 2, 2, 1, 1, 1, 1]),
        ("2:5,4:1", 6, [5, 5, 1, 1, 1, 1]),
    ],
)
def test_widths_over_a_run(text, limit, expected):
    assert widths(text, limit, limit) == expected


def test_the_most_used_budget_counts():
    made = schedule.parse("descending")
    assert made.width(State(2, {"turns": 0.1, "calls": 0.3})).target == 2
    assert made.width(State(2, {})).target == 3


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("constant:1", Width(1, 1)),
        ("constant:3", Width(3, 4)),
        ("constant:3!", Width(3, 3)),
        ("automatic", Width(None, 4)),
    ],
)
def test_the_cap_is_one_more_than_a_target_over_one(text, width):
    assert schedule.parse(text).width(State(1)) == width


@pytest.mark.parametrize(
    ("open_entries", "new_evidence", "target"),
    [
        *((None, None, 4), (0, 0.0, 1), (2, 0.0, 2), (9, 0.0, 4)),
        *((None, 0.9, 4), (None, 0.2, 2), (None, 0.0, 1)),
    ],
)
def test_adaptive_is_as_wide_as_there_is_something_to_find(open_entries, new_evidence, target):
    state = State(4, new_evidence=new_evidence, open=open_entries)
    assert schedule.parse("adaptive").width(state).target == target


def test_adaptive_looks_once_before_it_goes_wide():
    assert schedule.parse("adaptive").width(State(1)) == Width(1, 1)


def test_the_papers_tables_over_100_turns():
    paper = schedule.parse("descending:paper")
    assert [paper.width(State(turn)).target for turn in (25, 26, 50, 51, 100, 101)] == [
        3,
        2,
        2,
        1,
        1,
        1,
    ]


@pytest.mark.parametrize(
    "text",
    [
        *("", "wide", "constant", "constant:0", "constant:-1", "constant:x", "constant:3?"),
        *("5:3,5:2", "9:3,5:2", "0:3", "5:0", "5:", ":3", "descending:", "descending:fast"),
        *("constant:1.5", "²:3"),
    ],
)
def test_a_bad_text_is_named(text):
    with pytest.raises(ScheduleError, match="schedule") as caught:
        schedule.parse(text)
    assert "\n" not in str(caught.value)


def test_a_target_over_the_limit_names_the_option():
    with pytest.raises(ScheduleError, match="--max-width 9"):
        schedule.parse("constant:9")
    assert schedule.parse("constant:32", max_width=32)
