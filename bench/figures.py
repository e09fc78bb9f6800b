"""How are means, intervals and rows of a bench written?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from bench.arms import Measured

from widedeep.evals.statistics import Interval


def figure(value: float) -> str:
    """Return a share as `.123`, any other number with two places."""
    if math.isnan(value):
        return "-"
    return f"{value:.3f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.2f}"


def mean(groups: Sequence[Sequence[float]]) -> float:
    """Return the mean of the groups' means."""
    means = [sum(group) / len(group) for group in groups if group]
    return sum(means) / len(means) if means else float("nan")


def shown(one: Interval | None, sign: str = "") -> str:
    """Return a mean with its interval."""
    if one is None:
        return "-"
    middle, low, high = (_signed(value, sign) for value in (one.mean, one.low, one.high))
    return f"{middle} [{low}, {high}]"


def _signed(value: float, sign: str) -> str:
    return f"{'+' if sign and value > 0 else ''}{figure(value)}"


def by_turn(arm: Measured) -> str:
    """Return the calls executed in each turn, a mean over the runs that had the turn."""
    turns: dict[int, list[int]] = {}
    for row in arm.all:
        for used in row.width:
            turns.setdefault(used.turn, []).append(used.executed)
    return " ".join(f"{sum(had) / len(had):.1f}" for _, had in sorted(turns.items()))


def table(rows: Sequence[Mapping[str, str]]) -> None:
    """Print rows under their heads."""
    heads = list(rows[0])
    widths = [max(len(head), *(len(row[head]) for row in rows)) for head in heads]
    for cells in (heads, *([row[head] for head in heads] for row in rows)):
        print("  ".join(map(str.ljust, cells, widths)).rstrip())
    print()
