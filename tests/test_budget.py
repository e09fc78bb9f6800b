import pytest

from widedeep.budget import Spend
from widedeep.errors import UsageError
from widedeep.messages import Budget


def test_turns_and_calls_are_exact():
    spend = Spend(Budget(turns=2, calls=3))
    assert [spend.take_call() for _ in range(5)] == [True, True, True, False, False]
    assert spend.exhausted() == "max_calls"
    spend.give_call()
    assert spend.exhausted() is None
    spend.turns = 2
    assert spend.exhausted() == "max_turns"
    assert spend.used() == {"turns": 1.0, "calls": 2 / 3}


def test_no_limit_is_never_reached_and_not_counted():
    spend = Spend(Budget(turns=None, calls=None))
    assert all(spend.take_call() for _ in range(1000))
    assert (spend.exhausted(), spend.used()) == (None, {})


@pytest.mark.parametrize(("calls", "cap", "early"), [(8, 4, True), (7, 4, False), (None, 4, True)])
def test_calls_start_early_only_while_two_turns_fit(calls, cap, early):
    assert Spend(Budget(calls=calls)).early(cap) is early


@pytest.mark.parametrize("budget", [Budget(turns=0), Budget(turns=-1), Budget(calls=0)])
def test_a_limit_below_one_is_named(budget):
    with pytest.raises(UsageError, match="whole number from 1 up"):
        Spend(budget)
