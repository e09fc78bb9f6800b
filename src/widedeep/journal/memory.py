"""Where the record of a run is kept when it need not outlive the process, or not at all."""

from __future__ import annotations

import time
from collections.abc import Callable

from widedeep.events import Event, Record


class MemoryJournal:
    """A journal that lives as long as the process; `clock` gives the seconds since 1970."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._events: dict[str, list[tuple[float, Event]]] = {}

    def append(self, run_id: str, event: Event) -> None:
        """Keep the event."""
        self._events.setdefault(run_id, []).append((self._clock(), event))

    async def flush(self) -> None:
        """Return at once: there is no disk."""

    def read(self, run_id: str) -> list[Record]:
        """Return the records of a run in order."""
        kept = self._events.get(run_id, ())
        return [Record(run_id, seq, at, event) for seq, (at, event) in enumerate(kept, start=1)]


class Unkept:
    """A journal that keeps nothing, for runs whose record nobody can ask for."""

    def append(self, run_id: str, event: Event) -> None:
        """Let the event go."""

    async def flush(self) -> None:
        """Return at once."""

    def read(self, run_id: str) -> list[Record]:
        """Return no records."""
        return []
