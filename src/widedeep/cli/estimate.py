"""What may a run take and cost? Told before anything is asked, with what the figures rest on."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from statistics import median
from typing import TYPE_CHECKING, Any

from widedeep.cli.wiring import JOURNAL
from widedeep.costs import Prices, most
from widedeep.errors import JournalError
from widedeep.messages import Width
from widedeep.models.named import priced
from widedeep.seams import Schedule, State

if TYPE_CHECKING:
    from widedeep.cli.wiring import Plan

FREE = "builtin"
"""The model that costs nothing."""

NEWEST = 50
"""Earlier runs that an estimate of time looks at."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Upper bounds of a run, and what earlier runs took; None = unknown."""

    turns: int
    calls: int | None
    usd: float | None
    seconds: float | None
    runs: int
    basis: tuple[str, ...]


def estimate(plan: Plan) -> Estimate:
    """Return what a run of a plan takes at most, and what runs in its store took."""
    limits = plan.settings.limits
    calls = _most_calls(plan.schedule, limits.max_turns)
    if limits.max_calls is not None:
        calls = limits.max_calls if calls is None else min(calls, limits.max_calls)
    took = _seconds(plan)
    usd, priced = _usd(plan)
    basis = (
        f"turns: the limit; an answering request comes on top of {limits.max_turns}",
        f"calls: the caps of {str(plan.schedule)!r} over these turns",
        f"USD: {priced}",
        f"seconds: the median of the newest {len(took)} finished runs in the store"
        if took
        else "seconds: unknown, the store has no finished run yet",
    )
    seconds = median(took) if took else None
    return Estimate(limits.max_turns, calls, usd, seconds, len(took), basis)


def _usd(plan: Plan) -> tuple[float | None, str]:
    """Return what a run costs at most, and why; None = nobody can say."""
    name, limits = plan.settings.model, plan.settings.limits
    if name == FREE:
        return 0.0, f"the model {name!r} runs on this machine and costs nothing"
    known = priced(name, plan.settings)
    dearest = None if known is None else _dearest(known)
    bounds: list[tuple[float, str]] = []
    if limits.budget_usd is not None:
        bounds.append((limits.budget_usd, "the limit"))
    if dearest is not None and limits.budget_tokens is not None:
        most = limits.budget_tokens * dearest / 1e6
        bounds.append((most, f"the limit of tokens at {dearest:g} USD for a million"))
    if bounds:
        return min(bounds)
    lacking = "its prices are not known" if known is None else "tokens are not limited"
    return None, f"unknown, for {lacking}"


def _dearest(prices: Prices) -> float:
    """Return the highest price of a million tokens, whichever they are."""
    million = 1_000_000
    return max(most(prices, million, 0, inf), most(prices, 0, million, inf))


def told(made: Estimate) -> str:
    """Return an estimate as text."""
    usd = "unknown" if made.usd is None else f"{made.usd:g}"
    seconds = "unknown" if made.seconds is None else f"about {made.seconds:.1f}"
    lines = [
        f"turns    at most {made.turns}",
        f"calls    {'any number' if made.calls is None else f'at most {made.calls}'}",
        f"USD      {usd}",
        f"seconds  {seconds}",
        "",
        *(f"  {line}" for line in made.basis),
    ]
    return "\n".join(lines)


def object_of(made: Estimate) -> dict[str, Any]:
    """Return an estimate as a JSON object."""
    names = ("turns", "calls", "usd", "seconds", "runs")
    return {"schema": 1, **{n: getattr(made, n) for n in names}, "basis": list(made.basis)}


def _most_calls(schedule: Schedule, turns: int) -> int | None:
    """Return the sum of the caps that a schedule has over a run's turns; None = no cap."""
    total = 0
    for turn in range(1, turns + 1):
        width: Width = schedule.width(State(turn, {"turns": (turn - 1) / turns}))
        if width.cap is None:
            return None
        total += width.cap
    return total


def _seconds(plan: Plan) -> list[float]:
    from widedeep.journal import reading

    journal = plan.settings.store / JOURNAL
    try:
        runs = reading.runs(journal) if journal.exists() else []
    except JournalError:
        return []
    took = [run.seconds for run in runs if run.seconds is not None]
    return took[:NEWEST]
