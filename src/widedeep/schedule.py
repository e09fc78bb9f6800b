"""How many calls a turn should make: text and objects that map a turn's state to its width."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from widedeep.defaults import MAX_WIDTH
from widedeep.errors import ScheduleError
from widedeep.messages import Width
from widedeep.seams import Schedule, State

"""Calls a schedule may aim at unless told otherwise."""

FORMS = (
    "constant:3, constant:3!, descending, ascending, automatic, adaptive, "
    "or a table like 25:3,50:2,100:1"
)

_PAPER = {"descending": ((25, 3), (50, 2), (100, 1)), "ascending": ((25, 1), (50, 2), (100, 3))}


@dataclass(frozen=True, slots=True)
class Constant:
    """The same width every turn; `exact`: the cap is the target itself."""

    target: int
    exact: bool = False

    def width(self, state: State) -> Width:
        """Return the width, whatever the state."""
        return _wanted(self.target, exact=self.exact)

    def __str__(self) -> str:
        return f"constant:{self.target}{'!' if self.exact else ''}"


@dataclass(frozen=True, slots=True)
class Phased:
    """Three widths over the first quarter, the second quarter and the rest of the budget.

    What counts is the most-used budget, as used before the turn.
    """

    name: str
    targets: tuple[int, int, int]

    def width(self, state: State) -> Width:
        """Return the width of the phase that the most-used budget is in."""
        used = max(state.used.values(), default=0.0)
        phase = 0 if used < 0.25 else 1 if used < 0.5 else 2
        return _wanted(self.targets[phase])

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Automatic:
    """The model picks its own width, up to a cap."""

    cap: int = 4

    def width(self, state: State) -> Width:
        """Return no target and the cap."""
        return Width(None, self.cap)

    def __str__(self) -> str:
        return "automatic"


@dataclass(frozen=True, slots=True)
class Adaptive:
    """As wide as there is something to find, up to `widest`.

    One call at first: before anything is met, more of them find little that the first does not.
    Then one for each open entry of the ledger; without a ledger the width falls with what the last
    turns' calls brought.
    """

    widest: int = 4

    def width(self, state: State) -> Width:
        """Return the width that the open entries, or else the new evidence, ask for."""
        if state.open is not None:
            return _wanted(min(self.widest, max(1, state.open)))
        if state.turn == 1 or state.new_evidence == 0:
            return _wanted(1)
        if state.new_evidence is None or state.new_evidence >= 0.5:
            return _wanted(self.widest)
        return _wanted(-(-self.widest // 2))

    def __str__(self) -> str:
        return "adaptive" if self.widest == 4 else f"adaptive:{self.widest}"


@dataclass(frozen=True, slots=True)
class Table:
    """Widths by turn: each step is (last turn, target); past the end the last target holds.

    Source: the reference release of arXiv 2602.07359 gives its schedules as such tables.
    """

    steps: tuple[tuple[int, int], ...]
    name: str | None = None

    def width(self, state: State) -> Width:
        """Return the width of the first step that reaches the turn."""
        for last, target in self.steps:
            if state.turn <= last:
                return _wanted(target)
        return _wanted(self.steps[-1][1])

    def __str__(self) -> str:
        return self.name or ",".join(f"{last}:{target}" for last, target in self.steps)


def constant(target: int, *, exact: bool = False) -> Constant:
    """Return the schedule that wants `target` calls every turn, and at most one more.

    Args:
        target: calls a turn, at least 1.
        exact: at most `target` calls, not one more.
    """
    return Constant(_positive(target, f"constant:{target}"), exact)


def descending() -> Phased:
    """Return the schedule that goes wide first: 3, then 2, then 1."""
    return Phased("descending", (3, 2, 1))


def ascending() -> Phased:
    """Return the schedule that goes wide last: 1, then 2, then 3."""
    return Phased("ascending", (1, 2, 3))


def automatic() -> Automatic:
    """Return the schedule that lets the model pick 1 to 4 calls."""
    return Automatic()


def adaptive(widest: int = 4) -> Adaptive:
    """Return the schedule that looks once, then follows what is open and what turns brought.

    Args:
        widest: the most calls it ever wants in a turn.
    """
    return Adaptive(_positive(widest, f"adaptive:{widest}"))


def table(*steps: tuple[int, int], name: str | None = None) -> Table:
    """Return a schedule by turns; each step is (last turn, target), turns count from 1.

    Raises:
        ScheduleError: no step, a width below 1, or last turns that do not rise.
    """
    text = ",".join(f"{last}:{target}" for last, target in steps)
    if not steps:
        raise ScheduleError("a table needs at least one step, like 25:3")
    for last, target in steps:
        _positive(target, text)
        _positive(last, text)
    if any(a[0] >= b[0] for a, b in pairwise(steps)):
        raise ScheduleError(f"schedule {text!r}: the last turns must rise, as in 25:3,50:2")
    return Table(tuple(steps), name)


def parse(text: str, *, max_width: int = MAX_WIDTH) -> Schedule:
    """Return the schedule that a text names; `str(schedule)` gives the text back.

    Args:
        text: one of `FORMS`, also `descending:paper` and `ascending:paper`.
        max_width: the highest target allowed, in calls a turn.

    Raises:
        ScheduleError: the text names no schedule, or a width over `max_width`.
    """
    schedule = _parse(text.strip())
    widest = max(_targets(schedule))
    if widest > max_width:
        raise ScheduleError(
            f"schedule {text!r} wants {widest} calls a turn, over the limit of {max_width}: "
            f"pass --max-width {widest} or lower it"
        )
    return schedule


def _parse(text: str) -> Schedule:
    if text in ("descending", "ascending", "automatic"):
        return {"descending": descending, "ascending": ascending, "automatic": automatic}[text]()
    name, colon, rest = text.partition(":")
    if name in _PAPER and rest == "paper":
        return table(*_PAPER[name], name=text)
    if name == "constant" and re.fullmatch(r"[0-9]{1,6}!?", rest):
        return constant(int(rest.rstrip("!")), exact=rest.endswith("!"))
    if text == "adaptive" or (name == "adaptive" and re.fullmatch(r"[0-9]{1,6}", rest)):
        return adaptive(int(rest or 4))
    if colon and re.fullmatch(r"[0-9]{1,6}:[0-9]{1,6}(\s*,\s*[0-9]{1,6}:[0-9]{1,6})*", text):
        pairs = [step.split(":") for step in text.split(",")]
        return table(*((int(last), int(target)) for last, target in pairs))
    raise ScheduleError(f"unknown schedule {text!r}: use {FORMS}")


def _targets(schedule: Schedule) -> tuple[int, ...]:
    match schedule:
        case Constant(target):
            return (target,)
        case Phased(_, targets):
            return targets
        case Adaptive(widest):
            return (widest,)
        case Table(steps):
            return tuple(target for _, target in steps)
        case _:
            return (1,)


def _wanted(target: int, *, exact: bool = False) -> Width:
    return Width(target, target if exact or target == 1 else target + 1)


def _positive(number: int, text: str) -> int:
    if number < 1:
        raise ScheduleError(f"schedule {text!r}: widths and turns are whole numbers from 1 up")
    return number
