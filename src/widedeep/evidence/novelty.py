"""Where the ledger stands, and whether the search still brings anything new."""

from __future__ import annotations

from collections.abc import Iterable

from widedeep.messages import LedgerEntry

PATIENCE = 3
"""Turns in a row that may bring nothing new before the run must answer."""


class Novelty:
    """The stop rule: `PATIENCE` turns in a row that bring nothing new end the search."""

    def __init__(self) -> None:
        self._ledger: dict[str, LedgerEntry] = {}
        self._stale = 0

    def changed(self, entries: Iterable[LedgerEntry]) -> tuple[LedgerEntry, ...]:
        """Return the ledger entries that were added or changed, and remember them."""
        fresh = tuple(entry for entry in entries if self._ledger.get(entry.id) != entry)
        self._ledger.update({entry.id: entry for entry in fresh})
        return fresh

    @property
    def ledger(self) -> tuple[LedgerEntry, ...]:
        """The ledger as it stands."""
        return tuple(self._ledger.values())

    def turn(self, *, new: bool) -> bool:
        """Count a turn; True when the search has gone stale."""
        self._stale = 0 if new else self._stale + 1
        return self._stale >= PATIENCE
