"""What the tail of a request tells the model: the width wanted now, and where the budget stands."""

from __future__ import annotations

from widedeep.agent.state import RunState
from widedeep.messages import StoppedBy, Width
from widedeep.prompts import fill


def closing(run: RunState) -> str:
    """Return the tail of the answering request: no more calls, and why."""
    return fill("answer_now", why=run.why)


def hint(run: RunState, width: Width) -> str | None:
    """Return the text that tells the model the width wanted now and where the budget stands."""
    if not run.setup.tools:
        return None
    limit = run.setup.budget.turns
    turn = run.spend.turns
    place = f"Turn {turn} of {limit}." if limit else f"Turn {turn}."
    left = run.spend.calls_left()
    if left is not None and run.setup.budget.calls is not None:
        place += f" {left} of {run.setup.budget.calls} calls left."
    if width.note:
        place += f" {width.note}"
    cap = width.cap if left is None or width.cap is None else min(width.cap, left)
    if width.target == 1 or cap == 1:
        return fill("hint_one", place=place)
    if width.target is None:
        name = "hint_free" if cap is None else "hint_automatic"
        return fill(name, place=place, cap=cap)
    if cap is None:
        return fill("hint_least", place=place, target=width.target)
    name = "hint_exact" if cap == width.target else "hint_many"
    return fill(name, place=place, target=width.target, cap=cap)


def used_up(run: RunState, reason: StoppedBy, whose: str) -> str:
    """Return which limit is reached, and what of it is used."""
    budget, spend = run.setup.budget, run.spend
    if reason in {"max_turns", "max_calls"}:
        turns = f"{spend.turns} of {budget.turns} turns" if budget.turns else ""
        calls = f"{spend.calls} of {budget.calls} calls" if budget.calls else ""
        used = " and ".join(part for part in (turns, calls) if part)
    elif reason == "max_tokens":
        used = f"{spend.spent.tokens:,} of {budget.tokens or 0:,} tokens"
    elif reason == "max_usd":
        used = f"{spend.spent.usd or 0:.4f} of {budget.usd or 0:g} USD"
    else:
        used = f"{run.seconds():.0f} of {budget.seconds or 0:g} seconds"
    if whose != spend.name:
        return f"The {whose}'s limit of {reason.removeprefix('max_')} is reached."
    text = f"The limit of this {whose} is reached: {used} used."
    if reason in {"max_tokens", "max_usd"}:
        text += " What is left does not hold a request, a call and the answer at their worst."
    return text
