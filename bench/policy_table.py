"""How are the figures of bench/policy.py shown: which columns, means, intervals and pairs?"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from bench.policy_runs import World

from widedeep.evals.statistics import Interval, bootstrap
from widedeep.evals.tasks import Result
from widedeep.seams import Schedule

Value = Callable[[Result], float | None]
PAIRS = (("constant:3! x2", "constant:1! x6"), ("constant:3! x6", "constant:3! x3"))
"""What is always compared; `adaptive` is compared with every other arm of as many turns."""

COMPARED: Mapping[str, Value] = {
    "found": lambda r: r.scores.all_found,
    "F1": lambda r: r.scores.f1,
    "ev3": lambda r: r.scores.ev3,
    "ev10": lambda r: r.scores.ev10,
    "calls": lambda r: r.calls,
    "turns": lambda r: r.turns,
}
FOUND = COMPARED["found"]


@dataclass
class Planned:
    """One arm: the names it goes by, and what came of it by set."""

    names: list[str]
    schedule: Schedule
    turns: int
    widths: tuple[int, ...] | None
    results: dict[str, tuple[Result, ...]] = field(default_factory=dict)
    cpu: dict[str, dict[str, float]] = field(default_factory=dict)
    base: dict[str, list[float]] = field(default_factory=dict)

    def values(self, value: Value) -> list[list[float]]:
        """Return the values that apply, set by set."""
        return [[v for r in rows if (v := value(r)) is not None] for rows in self.results.values()]

    @property
    def all(self) -> list[Result]:
        return [result for rows in self.results.values() for result in rows]

    def mean(self, value: Value) -> str:
        """Return the mean of the sets' means."""
        return figure(_mean(self.values(value)))

    def interval(self, value: Value) -> str:
        """Return the mean of the sets' means with its interval."""
        return _shown(bootstrap(*self.values(value)))

    def sets(self, value: Value) -> str:
        """Return the mean of each set."""
        return " ".join(figure(_mean([group])) for group in self.values(value))


def show(opened: Sequence[World], arms: Sequence[Planned], *, every: bool) -> None:
    """Print what the arms found, what they answered, and pairs of them; on demand each question."""
    sizes = ", ".join(f"{world.name} {len(world.task.samples)}" for world in opened)
    print(f"questions: {sizes}\n")
    _table([_found(arm) for arm in arms])
    _table([_answered(arm) for arm in arms])
    _pairs(arms)
    for arm in arms if every else ():
        _questions(opened, arm)


def figure(value: float) -> str:
    """Return a share as `.123`, any other number with two places."""
    if math.isnan(value):
        return "-"
    return f"{value:.3f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.2f}"


def _found(arm: Planned) -> dict[str, str]:
    gain = [
        [ours - theirs for ours, theirs in zip(mine, arm.base[name], strict=True)]
        for name, mine in zip(arm.results, arm.values(FOUND), strict=True)
    ]
    cpu = [1000 * seconds for by in arm.cpu.values() for seconds in by.values()]
    return {
        "arm": " = ".join(arm.names),
        "calls by turn": _widths(arm),
        "turns": f"{_mean(arm.values(lambda r: r.turns)):.1f}",
        "calls": f"{_mean(arm.values(lambda r: r.calls)):.1f}",
        "docs": f"{_mean(arm.values(lambda r: r.documents)):.1f}",
        "found by set": arm.sets(FOUND),
        "found": arm.interval(FOUND),
        "base": figure(_mean(list(arm.base.values()))),
        "over base": _shown(bootstrap(*gain)),
        "CPU ms": f"{sum(cpu) / len(cpu):.1f}",
    }


def _answered(arm: Planned) -> dict[str, str]:
    return {
        "arm": " = ".join(arm.names),
        "F1 by set": arm.sets(lambda r: r.scores.f1),
        "F1": arm.interval(lambda r: r.scores.f1),
        "F1 open": arm.interval(lambda r: r.scores.f1 if r.scores.open else None),
        "EM": arm.mean(lambda r: r.scores.exact),
        "ev3": arm.interval(lambda r: r.scores.ev3),
        "ev10": arm.interval(lambda r: r.scores.ev10),
        "strict": arm.mean(lambda r: r.scores.ev3 or 0.0)
        + " "
        + arm.mean(lambda r: r.scores.ev10 or 0.0),
        "answered": arm.mean(lambda r: float(r.status == "answered")),
        "short": arm.mean(lambda r: float(r.short_answer is not None)),
        "abstained": arm.mean(lambda r: float(r.scores.abstained) if r.answerable else None),
        "rightly": arm.mean(lambda r: None if r.answerable else float(r.scores.abstained)),
    }


def _table(rows: Sequence[Mapping[str, str]]) -> None:
    heads = list(rows[0])
    widths = [max(len(head), *(len(row[head]) for row in rows)) for head in heads]
    for cells in (heads, *([row[head] for head in heads] for row in rows)):
        print("  ".join(map(str.ljust, cells, widths)).rstrip())
    print()


def _pairs(arms: Sequence[Planned]) -> None:
    """Print the difference of two arms, question by question."""
    by_name = {name: arm for arm in arms for name in arm.names}
    wanted = [pair for pair in PAIRS if pair[0] in by_name and pair[1] in by_name]
    for name, arm in by_name.items():
        if name.startswith("adaptive"):
            others = [one for one in arms if one is not arm and one.turns == arm.turns]
            wanted += [(name, one.names[0]) for one in others]
    if wanted:
        _table([{"paired": f"{a} minus {b}", **_pair(by_name[a], by_name[b])} for a, b in wanted])


def _pair(ours: Planned, theirs: Planned) -> dict[str, str]:
    row: dict[str, str] = {}
    for label, value in COMPARED.items():
        both = zip(ours.values(value), theirs.values(value), strict=True)
        row[label] = _shown(
            bootstrap(*([a - b for a, b in zip(*two, strict=True)] for two in both))
        )
    calls = COMPARED["calls"]
    share = _mean(ours.values(calls)) / _mean(theirs.values(calls)) - 1
    return row | {"calls in %": f"{100 * share:+.0f}"}


def _questions(opened: Sequence[World], arm: Planned) -> None:
    for world in opened:
        print(f"\n{' = '.join(arm.names)} on {world.name}: found ev3 ev10 F1, short answer / right")
        for sample, row in zip(world.task.samples, arm.results[world.name], strict=True):
            scores = row.scores
            marks = " ".join(
                "-" if mark is None else f"{mark:.2g}"
                for mark in (scores.all_found, scores.ev3, scores.ev10, scores.f1)
            )
            print(f"{marks:<12} {row.status:<11} {sample.question}")
            print(f"             {row.short_answer} / {' | '.join(sample.answers)}")


def _widths(arm: Planned) -> str:
    """Return the calls executed in each turn, a mean over the runs that had the turn."""
    turns: dict[int, list[int]] = {}
    for row in arm.all:
        for used in row.width:
            turns.setdefault(used.turn, []).append(used.executed)
    return " ".join(f"{sum(had) / len(had):.1f}" for _, had in sorted(turns.items()))


def _mean(groups: Sequence[Sequence[float]]) -> float:
    means = [sum(group) / len(group) for group in groups if group]
    return sum(means) / len(means) if means else float("nan")


def _shown(one: Interval | None) -> str:
    return "-" if one is None else f"{figure(one.mean)} [{figure(one.low)}, {figure(one.high)}]"
