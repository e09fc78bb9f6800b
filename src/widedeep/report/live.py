"""How does a run look while it happens: in a terminal, or line by line?"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol, TextIO

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from widedeep.events import CallSettled, Event, RunStarted
from widedeep.report.blocks import footer, marks, turn_block
from widedeep.report.inert import one_line
from widedeep.report.lines import lines
from widedeep.report.terminal import fit, question_line
from widedeep.report.timeline import Timeline, TurnState

Clock = Callable[[], float]


class View(Protocol):
    """Something that shows a run as it happens; all of it is safe on any text."""

    def take(self, event: Event) -> None:
        """Show what an event changes."""
        ...

    def tick(self) -> None:
        """Show how time passes; called several times a second."""
        ...

    def say(self, text: str) -> None:
        """Show a line of the program's own."""
        ...

    def close(self) -> None:
        """Leave the terminal as it was; called once more than needed does no harm."""
        ...


class Silent:
    """Shows nothing."""

    def take(self, event: Event) -> None: ...

    def tick(self) -> None: ...

    def say(self, text: str) -> None: ...

    def close(self) -> None: ...


class Lines:
    """One plain line for each thing worth saying, written to `out`."""

    def __init__(self, out: TextIO, clock: Clock = time.monotonic) -> None:
        self._out = out
        self._clock = clock
        self._timeline = Timeline()
        self._closed = False

    def take(self, event: Event) -> None:
        self._timeline.take(event, self._clock())
        for line in () if self._closed else lines(event, self._timeline):
            self.say(line)

    def tick(self) -> None: ...

    def say(self, text: str) -> None:
        self._out.write(text + "\n")
        self._out.flush()

    def close(self) -> None:
        self._closed = True


class Terminal:
    """Turns that have ended scroll up, the current one is live, with a line on the run below."""

    def __init__(self, console: Console, clock: Clock = time.monotonic, keys: str = "") -> None:
        """`keys` tells what a key does while the run goes on."""
        self._console = fit(console)
        self._clock = clock
        self._keys = keys
        self._marks = marks(console)
        self._timeline = Timeline()
        self._printed: set[int] = set()
        self._closed = False
        self._live = Live(
            console=console,
            get_renderable=self._current,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
        )

    def take(self, event: Event) -> None:
        self._timeline.take(event, self._clock())
        if self._closed:
            return
        if isinstance(event, RunStarted):
            self._live.start()
            self._console.print(question_line(event.question), Text(), sep="\n")
        if isinstance(event, CallSettled) and self._after_its_turn(event.call_id):
            self._console.print(Text("\n".join(lines(event, self._timeline)), style="dim"))
        for turn in self._over():
            self._console.print(turn_block(turn, self._clock(), self._marks))
            self._printed.add(turn.turn)

    def tick(self) -> None:
        if not self._closed:
            self._live.refresh()

    def say(self, text: str) -> None:
        self._console.print(Text(one_line(text), style="yellow"))

    def close(self) -> None:
        self._closed = True
        self._live.stop()

    def _after_its_turn(self, call_id: str) -> bool:
        """Tell whether a call's turn is in the scroll-back already."""
        turns = self._timeline.turns
        return any(one.call.id == call_id for n in self._printed for one in turns[n].calls)

    def _over(self) -> list[TurnState]:
        """Return the turns that have ended and are not yet in the scroll-back."""
        turns = self._timeline.turns
        return [
            turn
            for turn in turns.values()
            if turn.turn not in self._printed
            and (turn.phase in {"ended", "failed"} or turn.turn < max(turns))
        ]

    def _current(self) -> RenderableType:
        """Return what is live: the turns not over yet, and the line on the run."""
        if self._timeline.answer is not None or self._timeline.started is None:
            return Text()
        now, height = self._clock(), self._console.size.height
        parts = [
            turn_block(turn, now, self._marks, room=max(1, height - 6))
            for turn in self._timeline.turns.values()
            if turn.turn not in self._printed
        ]
        return Group(*parts, footer(self._timeline, now, self._marks, keys=self._keys))
