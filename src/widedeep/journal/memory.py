"""Where the record of a run is kept when it need not outlive the process."""

from __future__ import annotations

import time

from widedeep.events import Event, Record


class MemoryJournal:
    """A journal that lives as long as the process."""

    def __init__(self) -> None:
        self._records: dict[str, list[Record]] = {}

    def append(self, run_id: str, event: Event) -> None:
        """Keep the event."""
        records = self._records.setdefault(run_id, [])
        records.append(Record(run_id, len(records) + 1, time.time(), event))

    async def flush(self) -> None:
        """Return at once: there is no disk."""

    def read(self, run_id: str) -> list[Record]:
        """Return the records of a run in order."""
        return list(self._records.get(run_id, ()))
