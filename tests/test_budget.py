import pytest
from hypothesis import given
from hypothesis import strategies as st

from widedeep.budget import Spend
from widedeep.costs import Budget, Cost
from widedeep.errors import UsageError


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


amounts = st.floats(0.0, 1.0)
steps = st.lists(st.tuples(st.integers(0, 3), amounts, amounts), max_size=60)


@given(steps, st.floats(1.0, 10.0), st.floats(1.0, 10.0))
def test_what_is_spent_and_set_aside_never_passes_a_limit(steps, limit, shared):
    outer = Spend(Budget(turns=None, usd=shared), "evaluation")
    runs = [Spend(Budget(turns=None, usd=limit), outer=outer) for _ in range(3)]
    held = []
    for which, bound, share in steps:
        if which == 3:
            if held:
                spend, cost, took = held.pop(0)
                spend.settle(cost, Cost(0, (cost.usd or 0.0) * took))
            continue
        spend = runs[which]
        cost = Cost(0, bound)
        if spend.fitting(cost, Cost(0, 0.0))[0] >= 0:
            spend.reserve(cost)
            held.append((spend, cost, share))
        for one in (*runs, outer):
            used = (one.spent.usd or 0.0) + (one.reserved.usd or 0.0)
            assert used <= (one.budget.usd or 0.0) + 1e-9


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
