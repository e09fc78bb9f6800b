"""Is what a request costs never under 0, never over its bound, and never less for more?"""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widedeep.costs import Prices, Tier, charge, dearest, most

USD = st.floats(0, 100)
MAYBE = st.none() | USD
TIERS = st.builds(Tier, st.integers(0, 300_000), USD, USD, MAYBE, MAYBE)
PRICES = st.builds(
    Prices,
    USD,
    USD,
    MAYBE,
    MAYBE,
    st.lists(TIERS, max_size=3, unique_by=lambda tier: tier.over).map(
        lambda tiers: tuple(sorted(tiers, key=lambda tier: tier.over))
    ),
)
TOKENS = st.integers(0, 1_000_000)


@st.composite
def usages(draw):
    read = draw(TOKENS)
    cached = draw(st.integers(0, read))
    return read, draw(TOKENS), cached, draw(st.integers(0, read - cached))


def test_each_class_of_tokens_has_its_price():
    prices = Prices(2.0, 8.0, cached=0.2, cache_write=2.5)
    usd = (600 * 2.0 + 300 * 0.2 + 100 * 2.5 + 50 * 8.0) / 1e6
    assert charge(prices, 1_000, 50, cached=300, stored=100) == pytest.approx(usd)


def test_a_long_request_is_dearer_as_a_whole_from_one_token_on():
    prices = Prices(1.0, 2.0, tiers=(Tier(1_000, 3.0, 4.0), Tier(2_000, 5.0, 6.0)))
    assert charge(prices, 1_000, 10) == pytest.approx(1_020 / 1e6)
    assert charge(prices, 1_001, 10) == pytest.approx((3 * 1_001 + 40) / 1e6)
    assert charge(prices, 2_001, 10) == pytest.approx((5 * 2_001 + 60) / 1e6)
    assert most(prices, 100, 0, reach=1_500) == pytest.approx(300 / 1e6)


@given(PRICES, usages(), TOKENS, TOKENS)
def test_a_bill_is_never_over_the_bound(prices, usage, more_read, more_written):
    read, written, cached, stored = usage
    usd = charge(prices, read, written, cached, stored)
    bound = most(prices, read + more_read, written + more_written)
    assert 0 <= usd <= bound * (1 + 1e-9) + 1e-12


@given(PRICES, usages(), TOKENS)
def test_more_tokens_never_cost_less_at_one_price(prices, usage, more):
    flat = replace(prices, tiers=())
    read, written, cached, stored = usage
    usd = charge(flat, read, written, cached, stored)
    assert charge(flat, read + more, written, cached, stored) >= usd
    assert charge(flat, read, written + more, cached, stored) >= usd
    assert charge(flat, read + more, written, cached + more, stored) >= usd


@given(st.lists(PRICES, min_size=1, max_size=4), usages())
def test_the_dearest_of_several_are_as_dear_as_each(several, usage):
    highest = dearest(several)
    for prices in several:
        assert charge(prices, *usage) <= charge(highest, *usage) * (1 + 1e-9) + 1e-12


def test_the_dearest_name_who_says_so():
    several = [Prices(1, 1, source="a"), Prices(2, 2, source="b"), Prices(3, 3, source="a")]
    assert dearest(several) == Prices(3, 3, 3, 3, source="a, b")
