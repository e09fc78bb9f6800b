"""How sure is a figure, and is one arm better than another on the same questions?"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean

LEVEL = 0.95
RESAMPLES = 2_000


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean of `n` values and the interval that holds the true one with probability `LEVEL`."""

    mean: float
    low: float
    high: float
    n: int


def wilson(successes: int, n: int, level: float = LEVEL) -> Interval | None:
    """Return Wilson's score interval of a proportion; None without a trial.

    Source: E. B. Wilson, JASA 22 (1927) 209; method 3 of R. G. Newcombe, Statistics in Medicine
    17 (1998) 857.
    """
    if n == 0:
        return None
    z = NormalDist().inv_cdf(0.5 + level / 2)
    share, square = successes / n, z * z
    middle = share + square / (2 * n)
    spread = z * math.sqrt(share * (1 - share) / n + square / (4 * n * n))
    low, high = ((middle + sign * spread) / (1 + square / n) for sign in (-1, 1))
    return Interval(share, max(0.0, low), min(1.0, high), n)


def bootstrap(
    *groups: Sequence[float], seed: int = 1, resamples: int = RESAMPLES, level: float = LEVEL
) -> Interval | None:
    """Return the mean of the groups' means with its percentile bootstrap interval.

    Each group is resampled by itself, so that every one keeps its weight; None without a value.

    Args:
        groups: one value a question; usually there is one group, a data set.
        seed: the same seed draws the same resamples.
        resamples: how many.
        level: probability that the interval is to hold.

    Source: B. Efron, R. J. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.
    """
    filled = [tuple(group) for group in groups if group]
    if not filled:
        return None
    draws = [_drawn(group, seed + at, resamples) for at, group in enumerate(filled)]
    means = sorted(map(fmean, zip(*draws, strict=True)))
    tail = (1 - level) / 2
    low, high = _percentile(means, tail), _percentile(means, 1 - tail)
    return Interval(fmean(map(fmean, filled)), low, high, sum(map(len, filled)))


def paired(
    ours: Sequence[float], theirs: Sequence[float], *, seed: int = 1, resamples: int = RESAMPLES
) -> Interval | None:
    """Return the mean difference of two arms on the same questions, in the same order.

    Raises:
        ValueError: there are not as many values on both sides.
    """
    return bootstrap(
        [a - b for a, b in zip(ours, theirs, strict=True)], seed=seed, resamples=resamples
    )


def sign_test(wins: int, losses: int) -> float:
    """Return the two-sided p of as uneven a split when both sides are as good; ties left out.

    For right and wrong answers this is McNemar's exact test (Psychometrika 12 (1947) 153).
    """
    n = wins + losses
    fewer = sum(math.comb(n, at) for at in range(min(wins, losses) + 1))
    return min(1.0, 2 * fewer / 2**n)


def _drawn(values: tuple[float, ...], seed: int, resamples: int) -> list[float]:
    """Return the mean of each resample of the values."""
    n = len(values)
    if min(values) == max(values):
        return [values[0]] * resamples
    draw = random.Random(seed).choices
    return [sum(draw(values, k=n)) / n for _ in range(resamples)]


def _percentile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])
