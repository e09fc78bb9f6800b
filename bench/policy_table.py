"""How are the figures of bench/policy.py shown: which columns, means, intervals and pairs?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bench.arms import Measured, Value
from bench.figures import by_turn, figure, mean, shown, table
from bench.policy_runs import World

from widedeep.evals.statistics import bootstrap

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


def show(opened: Sequence[World], arms: Sequence[Measured], *, every: bool) -> None:
    """Print what the arms found, what they answered, and pairs of them; on demand each question."""
    sizes = ", ".join(f"{world.name} {len(world.task.samples)}" for world in opened)
    print(f"questions: {sizes}\n")
    table([_found(arm) for arm in arms])
    table([_answered(arm) for arm in arms])
    _pairs(arms)
    for arm in arms if every else ():
        _questions(opened, arm)


def _found(arm: Measured) -> dict[str, str]:
    gain = [
        [ours - theirs for ours, theirs in zip(mine, arm.base[name], strict=True)]
        for name, mine in zip(arm.results, arm.values(FOUND), strict=True)
    ]
    cpu = [1000 * seconds for by in arm.cpu.values() for seconds in by.values()]
    return {
        "arm": arm.name,
        "calls by turn": by_turn(arm),
        "turns": f"{mean(arm.values(lambda r: r.turns)):.1f}",
        "calls": f"{mean(arm.values(lambda r: r.calls)):.1f}",
        "docs": f"{mean(arm.values(lambda r: r.documents)):.1f}",
        "found by set": _by_set(arm, FOUND),
        "found": _sure(arm, FOUND),
        "base": figure(mean(list(arm.base.values()))),
        "over base": shown(bootstrap(*gain)),
        "CPU ms": f"{sum(cpu) / len(cpu):.1f}",
    }


def _means(arm: Measured, value: Value) -> str:
    return figure(mean(arm.values(value)))


def _sure(arm: Measured, value: Value) -> str:
    return shown(bootstrap(*arm.values(value)))


def _by_set(arm: Measured, value: Value) -> str:
    return " ".join(figure(mean([group])) for group in arm.values(value))


def _answered(arm: Measured) -> dict[str, str]:
    return {
        "arm": arm.name,
        "F1 by set": _by_set(arm, lambda r: r.scores.f1),
        "F1": _sure(arm, lambda r: r.scores.f1),
        "F1 open": _sure(arm, lambda r: r.scores.f1 if r.scores.open else None),
        "EM": _means(arm, lambda r: r.scores.exact),
        "ev3": _sure(arm, lambda r: r.scores.ev3),
        "ev10": _sure(arm, lambda r: r.scores.ev10),
        "strict": _means(arm, lambda r: r.scores.ev3 or 0.0)
        + " "
        + _means(arm, lambda r: r.scores.ev10 or 0.0),
        "answered": _means(arm, lambda r: float(r.status == "answered")),
        "short": _means(arm, lambda r: float(r.short_answer is not None)),
        "abstained": _means(arm, lambda r: float(r.scores.abstained) if r.answerable else None),
        "rightly": _means(arm, lambda r: None if r.answerable else float(r.scores.abstained)),
    }


def _pairs(arms: Sequence[Measured]) -> None:
    """Print the difference of two arms, question by question."""
    by_name = {name: arm for arm in arms for name in arm.names}
    wanted = [pair for pair in PAIRS if pair[0] in by_name and pair[1] in by_name]
    for name, arm in by_name.items():
        if name.startswith("adaptive"):
            others = [one for one in arms if one is not arm and one.turns == arm.turns]
            wanted += [(name, one.names[0]) for one in others]
    if wanted:
        table([{"paired": f"{a} minus {b}", **_pair(by_name[a], by_name[b])} for a, b in wanted])


def _pair(ours: Measured, theirs: Measured) -> dict[str, str]:
    row: dict[str, str] = {}
    for label, value in COMPARED.items():
        both = zip(ours.values(value), theirs.values(value), strict=True)
        row[label] = shown(bootstrap(*([a - b for a, b in zip(*two, strict=True)] for two in both)))
    calls = COMPARED["calls"]
    share = mean(ours.values(calls)) / mean(theirs.values(calls)) - 1
    return row | {"calls in %": f"{100 * share:+.0f}"}


def _questions(opened: Sequence[World], arm: Measured) -> None:
    for world in opened:
        print(f"\n{arm.name} on {world.name}: found ev3 ev10 F1, short answer / right")
        for sample, row in zip(world.task.samples, arm.results[world.name], strict=True):
            scores = row.scores
            marks = " ".join(
                "-" if mark is None else f"{mark:.2g}"
                for mark in (scores.all_found, scores.ev3, scores.ev10, scores.f1)
            )
            print(f"{marks:<12} {row.status:<11} {sample.question}")
            print(f"             {row.short_answer} / {' | '.join(sample.answers)}")
