"""How are the figures of bench/synth.py shown: columns, pairs, and whether a goal is met?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bench.arms import Measured, Value
from bench.figures import by_turn, figure, mean, shown, table

from widedeep.evals.statistics import Interval, bootstrap
from widedeep.evals.tasks import Result

FEWER = 0.20
"""Calls that adaptive is to save against constant:3 with as many turns."""
LOSS = 0.03
"""What the lower bound of its recall may lie below."""
FEWER_THAN_FIXED = 0.15
"""Calls that it is to save against every fixed arm with about its recall or more."""
ABOUT = 0.01
"""How much lower the recall of such a fixed arm may be."""


def _right(result: Result) -> float | None:
    if result.scores.exact is None:
        return None
    return float(result.status == "answered" and result.scores.exact == 1)


def _wrong(result: Result) -> float | None:
    """Return 1 when something was answered that is not right, or where there is no answer."""
    return float(result.status == "answered" and result.scores.exact != 1)


def _abstained(result: Result) -> float | None:
    return float(result.scores.abstained) if result.answerable else None


def _rightly(result: Result) -> float | None:
    return None if result.answerable else float(result.scores.abstained)


VALUES: Mapping[str, Value] = {
    "recall": lambda r: r.scores.recall,
    "all gold": lambda r: r.scores.all_found,
    "right": _right,
    "wrong": _wrong,
    "abstained": _abstained,
    "rightly": _rightly,
    "calls": lambda r: r.calls,
    "documents": lambda r: r.documents,
    "turns": lambda r: r.turns,
}
_SURE = ("recall", "right", "calls")
"""What has its interval in a row; the others have theirs where arms are compared."""
_PAIRED = ("recall", "all gold", "right", "wrong", "rightly", "calls", "documents")
RECALL, CALLS = VALUES["recall"], VALUES["calls"]


def show(arms: Sequence[Measured], *, every: bool) -> None:
    """Print each set, the sets together, the pairs with adaptive, and what that comes to."""
    for name in arms[0].results if len(arms[0].results) > 1 else ():
        print(f"{name}\n")
        table([_row(_only(arm, name)) for arm in arms])
    print(f"\n{' and '.join(arms[0].results)}\n")
    table([_row(arm) for arm in arms])
    for kind in sorted({r.kind for r in arms[0].all if r.kind}) if every else ():
        print(f"\n{kind}\n")
        table([_row(arm, kind) for arm in arms])
    pairs = [(a, b) for a in arms if a.own for b in _others(a, arms) if b.turns == a.turns]
    if pairs:
        print("\npaired differences\n")
        table([_pair(ours, theirs) for ours, theirs in pairs])
    for arm in arms:
        if arm.own:
            _goals(arm, arms)
        elif arm.adaptive:
            print(f"{arm.name}: equal widths on every question, nothing to save")


def _only(arm: Measured, name: str) -> Measured:
    return Measured(arm.names, arm.schedule, arm.turns, arm.widths, {name: arm.results[name]})


def _others(arm: Measured, arms: Sequence[Measured]) -> list[Measured]:
    return [one for one in arms if one is not arm]


def _row(arm: Measured, kind: str | None = None) -> dict[str, str]:
    cells = {name: arm.values(value, kind) for name, value in VALUES.items()}
    written = {
        name: shown(bootstrap(*values)) if name in _SURE else figure(mean(values))
        for name, values in cells.items()
    }
    return {"arm": arm.name, **written, "calls by turn": by_turn(arm)}


def _pair(ours: Measured, theirs: Measured) -> dict[str, str]:
    written = {name: shown(difference(ours, theirs, VALUES[name]), "+") for name in _PAIRED}
    return {
        "arm": f"{ours.names[0]} minus {theirs.names[0]}",
        **written,
        "calls in %": f"{-100 * saved(ours, theirs):+.0f}",
    }


def difference(ours: Measured, theirs: Measured, value: Value) -> Interval | None:
    """Return the paired difference of two arms over the questions that the value applies to."""
    groups: list[list[float]] = []
    for name, rows in ours.results.items():
        both = zip(map(value, rows), map(value, theirs.results[name]), strict=True)
        groups.append([a - b for a, b in both if a is not None and b is not None])
    return bootstrap(*groups)


def saved(ours: Measured, theirs: Measured) -> float:
    """Return the share of another arm's calls that ours does without."""
    return 1 - mean(ours.values(CALLS)) / mean(theirs.values(CALLS))


def _goals(arm: Measured, arms: Sequence[Measured]) -> None:
    """Print whether an adaptive arm saves what it is to save, and for how much recall."""
    name = next(name for name in arm.names if name.startswith("adaptive"))
    for other in _others(arm, arms):
        if f"constant:3! x{arm.turns}" in other.names and (lost := difference(arm, other, RECALL)):
            fewer = saved(arm, other)
            met = fewer >= FEWER and lost.low > -LOSS
            print(
                f"{name}: {_fewer(fewer)} calls than {other.names[0]}, recall "
                f"{shown(lost, '+')}: {_met(met)} (20 % fewer, lower bound above -3 points)"
            )
    for label, turns in (("as many turns", {arm.turns}), ("any turns", None)):
        rivals = [o for o in _others(arm, arms) if not o.adaptive and _near(arm, o, turns)]
        if rivals:
            worst = min(rivals, key=lambda other: saved(arm, other))
            fewer = saved(arm, worst)
            print(
                f"{name}: {_fewer(fewer)} calls than {worst.names[0]}, the cheapest of "
                f"{len(rivals)} fixed arms of {label} with a recall at most 1 point lower: "
                f"{_met(fewer >= FEWER_THAN_FIXED)} (15 % fewer)"
            )


def _fewer(share: float) -> str:
    return f"{100 * abs(share):.1f} % {'fewer' if share >= 0 else 'more'}"


def _near(arm: Measured, other: Measured, turns: set[int] | None) -> bool:
    """Say whether another arm finds about as much, or more."""
    about = mean(other.values(RECALL)) >= mean(arm.values(RECALL)) - ABOUT
    return about and (turns is None or other.turns in turns)


def _met(met: bool) -> str:  # noqa: FBT001 - it is the whole of what is said
    return "met" if met else "NOT met"
