"""What do the results of an arm add up to, and how do two arms differ?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from widedeep.evals.statistics import Interval, bootstrap, paired, sign_test, wilson
from widedeep.evals.tasks import Result


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure of a result; None = does not apply to it. `share`: it is 0 or 1."""

    name: str
    label: str
    value: Callable[[Result], float | None]
    share: bool = False


METRICS = (
    Metric("answered", "answered", lambda r: float(r.status == "answered"), share=True),
    Metric("exact", "EM", lambda r: r.scores.exact, share=True),
    Metric("f1", "F1", lambda r: r.scores.f1),
    Metric("f1_open", "F1 open", lambda r: r.scores.f1 if r.scores.open else None),
    Metric("recall", "gold found", lambda r: r.scores.recall),
    Metric("all_found", "all gold", lambda r: r.scores.all_found, share=True),
    Metric("ev3", "ev3", lambda r: r.scores.ev3, share=True),
    Metric("ev10", "ev10", lambda r: r.scores.ev10, share=True),
    Metric("abstained", "abstained", lambda r: _abstained(r, answerable=True), share=True),
    Metric("abstained_rightly", "rightly", lambda r: _abstained(r, answerable=False), share=True),
    Metric("turns", "turns", lambda r: float(r.turns)),
    Metric("calls", "calls", lambda r: float(r.calls)),
    Metric("documents", "documents", lambda r: float(r.documents)),
    Metric("seconds", "seconds", lambda r: r.seconds),
    Metric("cost_usd", "USD", lambda r: r.cost_usd),
)


@dataclass(frozen=True, slots=True)
class Summary:
    """An arm's figures over some results; a metric that applies to none of them is left out."""

    n: int
    metrics: Mapping[str, Interval]
    statuses: Mapping[str, int]
    widths: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """How much higher a metric of `arm` is than of `base`, on the questions both have.

    `wins` and `losses` count questions, `p` is the sign test's.
    """

    arm: str
    base: str
    metric: str
    interval: Interval
    wins: int
    losses: int
    p: float


def summarise(results: Sequence[Result], seed: int = 1) -> Summary:
    """Return figures with 95 % intervals: Wilson's for shares, bootstrapped for other means."""
    metrics: dict[str, Interval] = {}
    for metric in METRICS:
        values = [value for each in results if (value := metric.value(each)) is not None]
        found = (
            wilson(round(sum(values)), len(values))
            if metric.share
            else bootstrap(values, seed=seed)
        )
        if found:
            metrics[metric.name] = found
    statuses = Counter(each.status for each in results)
    return Summary(len(results), metrics, dict(statuses.most_common()), widths(results))


def by_kind(results: Sequence[Result], seed: int = 1) -> dict[str, Summary]:
    """Return a summary for each kind of question; empty when there is only one."""
    kinds = sorted({each.kind for each in results if each.kind is not None})
    if len(kinds) < 2:
        return {}
    return {kind: summarise([r for r in results if r.kind == kind], seed) for kind in kinds}


def widths(results: Sequence[Result]) -> tuple[float, ...]:
    """Return the calls executed in each turn, a mean over the runs that had the turn."""
    turns: dict[int, list[int]] = {}
    for each in results:
        for used in each.width:
            turns.setdefault(used.turn, []).append(used.executed)
    return tuple(sum(had) / len(had) for _, had in sorted(turns.items()))


def compare(
    arms: Mapping[str, Sequence[Result]], base: str, seed: int = 1
) -> tuple[Difference, ...]:
    """Return how every other arm differs from `base`, question by question."""
    theirs = {each.id: each for each in arms[base]}
    found: list[Difference] = []
    for name, results in arms.items():
        pairs = [(each, theirs[each.id]) for each in results if each.id in theirs]
        for metric in METRICS if name != base else ():
            difference = _difference(name, base, metric, pairs, seed)
            if difference:
                found.append(difference)
    return tuple(found)


def _difference(
    arm: str, base: str, metric: Metric, pairs: Sequence[tuple[Result, Result]], seed: int
) -> Difference | None:
    both = [(metric.value(a), metric.value(b)) for a, b in pairs]
    known = [(a, b) for a, b in both if a is not None and b is not None]
    interval = paired([a for a, _ in known], [b for _, b in known], seed=seed)
    if interval is None:
        return None
    wins, losses = sum(a > b for a, b in known), sum(a < b for a, b in known)
    return Difference(arm, base, metric.name, interval, wins, losses, sign_test(wins, losses))


def _abstained(result: Result, *, answerable: bool) -> float | None:
    return float(result.scores.abstained) if result.answerable == answerable else None
