"""Are the intervals those of the literature?"""

import math
import random
from itertools import product
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widedeep.evals.statistics import bootstrap, paired, sign_test, wilson

# The mice that got the treatment, in days: Efron and Tibshirani (1993), table 2.1.
MICE = (94, 197, 16, 38, 99, 141, 23)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [  # Newcombe (1998), Statistics in Medicine 17:857, table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_what_newcombe_printed(successes, n, low, high):
    interval = wilson(successes, n)
    assert interval is not None
    assert (interval.low, interval.high) == (
        pytest.approx(low, abs=5e-5),
        pytest.approx(high, abs=5e-5),
    )
    assert (interval.mean, interval.n) == (successes / n, n)


def test_no_trial_has_no_interval():
    assert wilson(0, 0) is None
    assert bootstrap([], []) is None
    assert paired([], []) is None


def test_the_resampled_means_spread_as_published():
    # 23.36: the bootstrap standard error of the mean for B = infinity, table 2.2 of the book.
    wide = bootstrap(MICE, resamples=20_000, level=math.erf(1 / math.sqrt(2)))
    assert wide is not None
    assert wide.mean == pytest.approx(86.86, abs=0.005)
    assert (wide.high - wide.low) / 2 == pytest.approx(23.36, rel=0.03)


def test_the_interval_is_the_one_of_all_resamples():
    values = (0.0, 0.25, 0.5, 1.0, 3.0)
    every = sorted(map(fmean, product(values, repeat=len(values))))
    found = bootstrap(values, resamples=40_000, level=0.8)
    assert found is not None
    assert found.low == pytest.approx(every[len(every) // 10], abs=0.06)
    assert found.high == pytest.approx(every[-len(every) // 10], abs=0.06)


def test_a_small_group_weighs_as_much_as_a_large_one():
    found = bootstrap([1.0] * 2, [0.0] * 98)
    assert found is not None
    assert (found.mean, found.low, found.high, found.n) == (0.5, 0.5, 0.5, 100)


def test_the_seed_decides_the_resamples():
    draw = random.Random(3)
    values = [draw.random() for _ in range(40)]
    assert bootstrap(values, seed=5) == bootstrap(values, seed=5)
    assert bootstrap(values, seed=5) != bootstrap(values, seed=6)


def test_pairing_sees_a_difference_that_two_intervals_do_not():
    theirs = [n / 100 for n in range(100)]
    ours = [value + 0.02 + (n % 3) / 100 for n, value in enumerate(theirs)]
    difference = paired(ours, theirs)
    alone, other = bootstrap(ours), bootstrap(theirs)
    assert difference is not None
    assert alone is not None
    assert other is not None
    assert difference.low > 0.02
    assert alone.low < other.high
    with pytest.raises(ValueError, match="zip"):
        paired(ours, theirs[1:])


@pytest.mark.parametrize(
    ("wins", "losses", "p"),
    [(5, 15, 0.04138946533203125), (0, 5, 0.0625), (4, 4, 1.0), (0, 0, 1.0), (1, 9, 0.021484375)],
)
def test_the_sign_test_is_the_binomial_one(wins, losses, p):
    assert sign_test(wins, losses) == sign_test(losses, wins) == pytest.approx(p)


@given(st.integers(1, 500), st.data())
def test_wilson_holds_its_mean_and_stays_in_bounds(n, data):
    found = wilson(data.draw(st.integers(0, n)), n)
    assert found is not None
    assert 0 <= found.low <= found.mean + 1e-12
    assert found.mean - 1e-12 <= found.high <= 1
