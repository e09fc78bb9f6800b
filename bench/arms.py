"""Which arms does a bench compare, and which of them cannot differ?"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version

from widedeep import schedule
from widedeep.errors import ScheduleError
from widedeep.evals.circumstances import code
from widedeep.evals.tasks import Result
from widedeep.messages import Answer
from widedeep.seams import Schedule, State

FIXED = ("constant:1!", "constant:3!", "constant:5!", "constant:8!", "descending", "ascending")
TURNS = (1, 2, 3, 6)

Value = Callable[[Result], float | None]


@dataclass
class Measured:
    """One arm: the names it goes by, and what came of it by set.

    `widths`: its targets turn by turn, None = they depend on the run. `cpu`: seconds of the policy
    by sample. `base`: whether one search finds as much.
    """

    names: list[str]
    schedule: Schedule
    turns: int
    widths: tuple[int, ...] | None
    results: dict[str, tuple[Result, ...]] = field(default_factory=dict)
    cpu: dict[str, dict[str, float]] = field(default_factory=dict)
    base: dict[str, list[float]] = field(default_factory=dict)

    @property
    def all(self) -> list[Result]:
        return [result for rows in self.results.values() for result in rows]

    @property
    def name(self) -> str:
        return " = ".join(self.names)

    @property
    def adaptive(self) -> bool:
        return any(name.startswith("adaptive") for name in self.names)

    @property
    def own(self) -> bool:
        """Whether it is adaptive and no other arm had its widths."""
        return self.adaptive and len(self.names) == 1

    def values(self, value: Value, kind: str | None = None) -> list[list[float]]:
        """Return the values that apply, set by set."""
        return [
            [v for r in rows if kind in {None, r.kind} and (v := value(r)) is not None]
            for rows in self.results.values()
        ]

    def would_be(self, other: Measured, answer: Answer) -> bool:
        """Say whether this arm's run would be one that another arm has made.

        It is when that run ended by itself, before either limit, after turns as wide as these.
        """
        had = tuple(used.target or 0 for used in answer.width)
        if answer.stopped_by != "answer" or len(had) >= self.turns:
            return False
        if self.widths is None:
            return other.widths is None and other.schedule == self.schedule
        return had == self.widths[: len(had)]


def planned(names: Sequence[str], turns: Sequence[int]) -> list[Measured]:
    """Return the arms to run; those whose widths cannot differ are one."""
    arms: list[Measured] = []
    for limit in turns:
        for name in names:
            try:
                made = schedule.parse(name)
            except ScheduleError as error:
                print(f"left out: {error}", file=sys.stderr)
                continue
            widths = fixed(made, limit)
            same = [arm for arm in arms if widths and (arm.turns, arm.widths) == (limit, widths)]
            if same:
                same[0].names.append(f"{name} x{limit}")
            else:
                arms.append(Measured([f"{name} x{limit}"], made, limit, widths))
    return arms


def fixed(made: Schedule, turns: int) -> tuple[int, ...] | None:
    """Return the targets of a schedule that looks at turns only; None = at other things too."""
    if not isinstance(made, schedule.Constant | schedule.Phased | schedule.Table):
        return None
    states = [State(turn, {"turns": (turn - 1) / turns}) for turn in range(1, turns + 1)]
    return tuple(made.width(state).target or 0 for state in states)


def merged(arms: Sequence[Measured]) -> list[Measured]:
    """Put arms together that had equal widths on every question."""
    kept: dict[object, Measured] = {}
    for arm in arms:
        had = tuple(tuple(used.target for used in row.width) for row in arm.all)
        first = kept.setdefault((arm.turns, had), arm)
        if first is not arm:
            first.names += arm.names
    return list(kept.values())


def circumstances(seed: int, seconds: float) -> str:
    """Return with what, where and how long something was measured."""
    return (
        f"\nPython {platform.python_version()}, widedeep {version('widedeep')} (code {code()}), "
        f"tantivy {version('tantivy')}, {platform.machine()}, {os.cpu_count()} cores, "
        f"seed {seed}, {seconds:.0f} s"
    )
