"""How does an evaluation look while it goes on, and when it is done?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from widedeep.cli.output import remark, terminal
from widedeep.evals.purse import Purse
from widedeep.evals.report import Report, rows
from widedeep.evals.runner import Arm
from widedeep.evals.summary import METRICS
from widedeep.evals.tasks import Result

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

OnResult = Callable[[Arm, Result], None]

_LIVE = ("answered", "exact", "f1", "all_found", "calls", "turns")
_METRICS = [metric for metric in METRICS if metric.name in _LIVE]
_STEPS = 10
"""Lines that say how far it is where nothing can be drawn."""


@contextmanager
def board(arms: Sequence[str], samples: int, *, quiet: bool) -> Generator[OnResult]:
    """Show on stderr how far every arm is and what it scores so far."""
    done: dict[str, list[Result]] = {name: [] for name in arms}
    console = None if quiet else terminal(sys.stderr)
    if console:
        with _drawn(console, done, samples) as show:
            yield show
    else:
        yield _said(done, samples * len(arms), quiet=quiet)


def table(made: Report) -> Table:
    """Return the table of arms for a terminal."""
    return _table(rows(made.summaries))


def left(purse: Purse, out: Path) -> bool:
    """Say that a limit kept questions from being run, if one did."""
    if purse.met is None:
        return False
    remark(
        f"the evaluation's limit of {purse.met} is reached; questions that were not run are in no "
        f"figure; the same command with --out {str(out)!r} and a larger limit runs them"
    )
    return True


@contextmanager
def _drawn(console: Console, done: dict[str, list[Result]], samples: int) -> Generator[OnResult]:
    from rich.live import Live

    def current() -> Table:
        return _table(_rows(done, samples))

    with Live(
        get_renderable=current, console=console, transient=True, redirect_stdout=False
    ) as live:

        def show(arm: Arm, made: Result) -> None:
            done[arm.name].append(made)

        yield show
        live.refresh()


def _said(done: dict[str, list[Result]], total: int, *, quiet: bool) -> OnResult:
    """Return what says one line for each tenth of all runs."""

    def show(arm: Arm, made: Result) -> None:
        done[arm.name].append(made)
        count = sum(map(len, done.values()))
        if not quiet and count * _STEPS // total > (count - 1) * _STEPS // total:
            remark(f"{count:,} of {total:,} runs done")

    return show


def _rows(done: dict[str, list[Result]], samples: int) -> list[list[str]]:
    heads = ["arm", "done", *(metric.label for metric in _METRICS)]
    return [heads] + [
        [name, f"{len(made):,} of {samples:,}", *_means(tuple(made))] for name, made in done.items()
    ]


def _means(made: Sequence[Result]) -> list[str]:
    shown: list[str] = []
    for metric in _METRICS:
        values = [value for each in made if (value := metric.value(each)) is not None]
        shown.append(f"{sum(values) / len(values):.2f}" if values else "-")
    return shown


def _table(cells: Sequence[Sequence[str]]) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    head, *body = cells
    made = Table(box=box.SIMPLE, pad_edge=False)
    for at, name in enumerate(head):
        made.add_column(Text(name), justify="right" if at else "left", no_wrap=True)
    for row in body:
        made.add_row(*map(Text, row))
    return made
