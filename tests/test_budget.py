import pytest
from hypothesis import given
from hypothesis import strategies as st

from widedeep import Agent
from widedeep.budget import Spend
from widedeep.costs import FREE, Budget, Cost, plus
from widedeep.errors import UsageError
from widedeep.models.scripted import Scripted


def test_turns_and_calls_are_exact():
    spend = Spend(Budget(turns=2, calls=3))
    assert [spend.take_call() for _ in range(5)] == [True, True, True, False, False]
    assert spend.exhausted() == ("max_calls", "run")
    spend.give_call()
    assert spend.exhausted() is None
    spend.turns = 2
    assert spend.exhausted() == ("max_turns", "run")
    assert spend.used() == {"turns": 1.0, "calls": 2 / 3}


def test_no_limit_is_never_reached_and_not_counted():
    spend = Spend(Budget(turns=None, calls=None))
    assert all(spend.take_call() for _ in range(1000))
    assert (spend.exhausted(), spend.used()) == (None, {})


@pytest.mark.parametrize(("calls", "cap", "early"), [(8, 4, True), (7, 4, False), (None, 4, True)])
def test_calls_start_early_only_while_two_turns_fit(calls, cap, early):
    assert Spend(Budget(calls=calls)).early(cap) is early


@pytest.mark.parametrize(
    "budget", [Budget(turns=0), Budget(turns=-1), Budget(calls=0), Budget(tokens=0)]
)
def test_a_limit_below_one_is_named(budget):
    with pytest.raises(UsageError, match="whole number from 1 up"):
        Spend(budget)


@pytest.mark.parametrize("limit", [0, -1.0, float("nan"), float("inf"), "1", True])
@pytest.mark.parametrize("name", ["usd", "seconds"])
def test_a_limit_that_is_no_amount_is_named(name, limit):
    with pytest.raises(UsageError, match=f"limit of {name}"):
        Spend(Budget(**{name: limit}))


shares = st.floats(0.0, 1.0)
amounts = st.builds(Cost, st.integers(0, 100), st.floats(0.0, 1.0))
steps = st.lists(
    st.tuples(
        st.integers(0, 2), st.sampled_from(["open", "ask", "call", "end"]), amounts, amounts, shares
    ),
    max_size=80,
)
limits = st.tuples(st.integers(100, 1_000), st.floats(1.0, 10.0))


def part(cost, share):
    return Cost(int(cost.tokens * share), (cost.usd or 0.0) * share)


@given(steps, limits, limits)
def test_no_limit_is_passed_and_every_answer_still_fits(steps, own, shared):
    outer = Spend(Budget(turns=None, tokens=shared[0], usd=shared[1]), "evaluation")
    runs = [Spend(Budget(turns=None, tokens=own[0], usd=own[1]), outer=outer) for _ in range(3)]
    held = []
    for which, step, cost, answer, share in steps:
        spend = runs[which]
        if step == "open":
            spend.keep(FREE)
            if spend.fitting(plus(cost, answer), FREE)[0] >= 0:
                spend.keep(answer, part(answer, 0.1), cost)
        elif step == "ask":
            sure = spend.coming != FREE
            bound = spend.coming if sure else cost
            taken = spend.take_request(bound)
            assert taken or not sure
            held += [(spend, bound)] if taken else []
        elif step == "call":
            held += [(spend, cost)] if spend.take_call(cost) else []
        elif held:
            payer, bound = held.pop(0)
            payer.settle(bound, part(bound, share))
        for one in (*runs, outer):
            assert one.spent.tokens + one.reserved.tokens <= one.budget.tokens
            assert one.spent.usd + one.reserved.usd <= one.budget.usd + 1e-6
    for spend in runs:
        kept = spend.kept
        spend.keep(FREE)
        assert spend.holds(kept)
        spend.keep(kept)


def test_a_call_is_taken_only_while_its_bound_fits_all_limits():
    outer = Spend(Budget(turns=None, usd=1.0), "evaluation")
    runs = [Spend(Budget(turns=None, usd=0.8), outer=outer) for _ in range(3)]
    taken = [run.take_call(Cost(0, 0.3)) for _ in range(3) for run in runs]
    assert taken == [True] * 3 + [False] * 6
    assert outer.met == "max_usd"
    assert [run.met for run in runs] == [None] * 3


def test_what_is_kept_for_an_answer_is_no_room_for_another_run():
    outer = Spend(Budget(turns=None, usd=1.0), "evaluation")
    first, second = Spend(Budget(), outer=outer), Spend(Budget(), outer=outer)
    first.keep(Cost(0, 0.4), each=Cost(0, 0.1), request=Cost(0, 0.2))
    assert first.take_call(Cost(0, 0.1))
    assert not second.take_request(Cost(0, 0.3))
    assert second.take_request(Cost(0, 0.2))
    assert first.take_request(Cost(0, 0.2))
    first.keep(FREE, request=Cost(0, 0.5))
    assert first.take_request(Cost(0, 0.5))


def test_shared_seconds_take_a_clock():
    outer = Spend(Budget(turns=None, seconds=5.0))
    with pytest.raises(UsageError, match=r"shared limit of 5.0 seconds has no clock"):
        Spend(Budget(), outer=outer)
    with pytest.raises(UsageError, match=r"shared limit of 5.0 seconds has no clock"):
        Agent(Scripted([]), within=outer)
    timed = Spend(Budget(turns=None, seconds=5.0), clock=lambda: 6.0)
    assert Spend(Budget(), outer=timed).exhausted() == ("max_seconds", "run")


def test_an_outer_limit_counts_for_all_and_is_named():
    outer = Spend(Budget(turns=None, calls=3), "evaluation")
    first, second = Spend(Budget(), outer=outer), Spend(Budget(), outer=outer)
    assert [first.take_call(), first.take_call(), second.take_call()] == [True] * 3
    assert second.take_call() is False
    assert second.exhausted() == ("max_calls", "evaluation")
    first.give_call()
    assert second.calls_left() == 1


def test_unknown_prices_fit_in_no_limit():
    spend = Spend(Budget(usd=1.0))
    assert spend.fitting(Cost(0, None), Cost(0, 0.0))[0] < 0
    spend.settle(Cost(0, 0.0), Cost(5, None))
    assert spend.spent == Cost(5, None)
