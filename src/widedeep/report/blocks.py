"""What does a turn look like in a terminal: its head, and a row for each of its calls?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from widedeep.messages import Outcome
from widedeep.report.inert import one_line
from widedeep.report.timeline import CallState, State, Timeline, TurnState
from widedeep.report.words import arguments, many, note, seconds, width

WIDEST = 100
"""Columns used at most: longer rows are hard to follow by eye."""

_STYLES: dict[State, str] = {
    "queued": "dim",
    "running": "cyan",
    "orphaned": "dim",
    Outcome.OK: "green",
    Outcome.ERROR: "red",
    Outcome.TIMEOUT: "red",
    Outcome.LATE: "yellow",
    Outcome.DUPLICATE: "dim",
    Outcome.DEFERRED: "yellow",
    Outcome.REFUSED: "yellow",
    Outcome.CANCELLED: "yellow",
    Outcome.INTERRUPTED: "red",
}


@dataclass(frozen=True, slots=True)
class Marks:
    """The signs a terminal can show; `spinner` has the frames of a running call.

    `cut` is how a text ends that is too long.
    """

    spinner: str
    queued: str
    ok: str
    failed: str
    other: str
    cut: Literal["ellipsis", "crop"]

    def of(self, state: State, now: float) -> str:
        """Return the sign of a state; that of a running call turns with the time."""
        match state:
            case "queued" | "orphaned":
                return self.queued
            case "running":
                return self.spinner[int(now * 10) % len(self.spinner)]
            case Outcome.OK:
                return self.ok
            case Outcome.ERROR | Outcome.TIMEOUT | Outcome.INTERRUPTED:
                return self.failed
            case _:
                return self.other


UNICODE = Marks("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", "·", "✓", "✗", "–", "ellipsis")
ASCII = Marks("|/-\\", ".", "+", "x", "-", "crop")


def marks(console: Console) -> Marks:
    """Return the signs that the console's encoding can show."""
    try:
        f"{UNICODE.spinner}{UNICODE.ok}{UNICODE.failed}".encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


def turn_block(
    turn: TurnState,
    now: float,
    marks: Marks = UNICODE,
    *,
    room: int | None = None,
    hint: bool = False,
) -> RenderableType:
    """Return a turn: `now` is on the events' clock, `room` the most call rows shown."""
    parts: list[RenderableType] = [_head(turn, now, marks)]
    if hint and turn.hint:
        parts.append(_quiet(turn.hint, marks))
    if turn.words:
        parts.append(_quiet(turn.words, marks))
    if turn.error:
        parts.append(_quiet(turn.error, marks, "red"))
    shown = turn.calls if room is None else _most_telling(turn.calls, room)
    if shown:
        parts.append(_Rows(shown, now, marks))
    if hidden := len(turn.calls) - len(shown):
        parts.append(_quiet(f"and {many(hidden, 'more call')}", marks))
    return Group(*parts)


def footer(timeline: Timeline, now: float, marks: Marks = UNICODE, *, keys: str = "") -> Text:
    """Return the line under the running turn: how far the run is, and what keys do."""
    calls = [one for turn in timeline.turns.values() for one in turn.calls]
    running = sum(one.state == "running" for one in calls)
    facts = [
        seconds(max(0.0, now - (timeline.began or now))),
        many(len(timeline.turns), "turn"),
        many(len(calls), "call") + (f" ({running} running)" if running else ""),
        many(len(timeline.sources), "source"),
    ]
    if timeline.stopping is not None:
        facts.append(f"answering: {one_line(timeline.stopping.why, 60)}")
    elif keys:
        facts.append(keys)
    return _cut(Text("  ".join(facts), style="dim"), marks)


def _head(turn: TurnState, now: float, marks: Marks) -> Table:
    """Return a turn's first line: what it is at, its width and its times."""
    grid = _grid()
    grid.add_column(ratio=1, no_wrap=True, overflow=marks.cut)
    grid.add_column(justify="right", no_wrap=True)
    title = Text(f"Turn {turn.turn}", style="bold")
    title.append(f"  {width(turn)}", style="not bold dim")
    grid.add_row(title, _times(turn, now, marks))
    return grid


def _times(turn: TurnState, now: float, marks: Marks) -> Text:
    """Return the time of the model and of the calls, the running one still counting."""
    passed = seconds(max(0.0, now - turn.since))
    if turn.phase == "asking":
        return Text(f"{marks.of('running', now)} model {passed}", style="cyan")
    parts = [f"model {seconds(turn.model_seconds)}"]
    if turn.calls:
        parts.append(
            f"calls {passed if turn.batch_seconds is None else seconds(turn.batch_seconds)}"
        )
    return Text("  ".join(parts), style="dim")


@dataclass(frozen=True, slots=True)
class _Rows:
    """A row for each call: sign, tool, argument, what came of it, time; fitted to the width."""

    calls: tuple[CallState, ...]
    now: float
    marks: Marks

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        grid, width, cut = _grid(), options.max_width, self.marks.cut
        grid.add_column(width=3, justify="right")
        grid.add_column(no_wrap=True, overflow=cut, max_width=max(6, width // 5))
        grid.add_column(ratio=1, no_wrap=True, overflow=cut)
        grid.add_column(max_width=width * 2 // 5, justify="right", no_wrap=True, overflow=cut)
        grid.add_column(min_width=7, justify="right", no_wrap=True)
        mains = arguments([one.call for one in self.calls], 200)
        for one, main in zip(self.calls, mains, strict=True):
            grid.add_row(*self._cells(one, main))
        yield grid

    def _cells(self, one: CallState, main: str) -> tuple[Text, ...]:
        style, took = _STYLES[one.state], one.seconds
        if one.state == "running" and one.started is not None:
            took = max(0.0, self.now - one.started)
        return (
            Text(self.marks.of(one.state, self.now), style=style),
            Text(one_line(one.call.tool, 40), style="dim"),
            Text(main),
            Text(note(one, 120), style="dim" if one.state == Outcome.OK else style),
            Text("" if took is None else seconds(took), style="dim"),
        )


def _most_telling(calls: tuple[CallState, ...], room: int) -> tuple[CallState, ...]:
    """Return at most `room` calls in their order, running ones before settled ones."""
    if len(calls) <= room:
        return calls
    order = sorted(range(len(calls)), key=lambda at: (calls[at].state != "running", at))
    return tuple(calls[at] for at in sorted(order[: max(1, room)]))


def _grid() -> Table:
    return Table.grid(padding=(0, 1), expand=True)


def _quiet(text: str, marks: Marks, style: str = "dim") -> Text:
    """Return a remark on one line under a turn's head."""
    return _cut(Text(f"  {one_line(text, 300)}", style=style), marks)


def _cut(text: Text, marks: Marks) -> Text:
    text.no_wrap, text.overflow = True, marks.cut
    return text
