"""Where the ledger stands, and whether the search still brings anything new."""

from __future__ import annotations

from collections.abc import Iterable

from widedeep.messages import LedgerEntry, Quote

PATIENCE = 3
"""Turns in a row that may bring nothing new before the run must answer."""


class Novelty:
    """The stop rule: `PATIENCE` turns in a row that bring nothing new end the search."""

    def __init__(self) -> None:
        self._ledger: dict[str, LedgerEntry] = {}
        self._stale = 0

    def changed(self, entries: Iterable[LedgerEntry]) -> tuple[tuple[LedgerEntry, ...], int]:
        """Remember ledger entries; return those added or changed, and how many facts that is.

        A fact is an entry that was added, or a quote that one did not hold before.
        """
        fresh: list[LedgerEntry] = []
        facts = 0
        for entry in entries:
            known = self._ledger.get(entry.id)
            if known != entry:
                fresh.append(entry)
                held = set(known.quotes) if known else set[Quote]()
                facts += (known is None) + len(set(entry.quotes) - held)
                self._ledger[entry.id] = entry
        return tuple(fresh), facts

    @property
    def ledger(self) -> tuple[LedgerEntry, ...]:
        """The ledger as it stands."""
        return tuple(self._ledger.values())

    def turn(self, *, new: bool) -> bool:
        """Count a turn; True when the search has gone stale."""
        self._stale = 0 if new else self._stale + 1
        return self._stale >= PATIENCE
