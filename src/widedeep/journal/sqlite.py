"""Where the record of runs is kept for good: append-only, in one SQLite file a store."""

from __future__ import annotations

import asyncio
import hashlib
import queue
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from widedeep.errors import JournalError
from widedeep.events import (
    CallOrphaned,
    CallStarted,
    Event,
    Record,
    RunEnded,
    RunInterrupted,
    RunResumed,
    RunStarted,
)
from widedeep.journal import reading
from widedeep.journal.claim import Claim, noted
from widedeep.journal.codec import encode
from widedeep.journal.durability import durable
from widedeep.journal.layout import connect, prepare
from widedeep.journal.reading import RunSummary
from widedeep.journal.redaction import Redactor, Secrets

PACKED = 8192
"""Bytes from which a stored text is compressed."""

LINGER = 0.02
"""Seconds that the writer waits for more events to write in one commit."""

REMEMBERED = 500
"""Texts of less than `PACKED` bytes that the writer remembers to have stored."""


class SqliteJournal:
    """A journal in one SQLite file (WAL), written by one thread of this process.

    Replies and intents of `write` calls are synced to disk in full, other events with the next
    commit; long texts are stored once. Several processes may write to one file.

    Args:
        path: the file; it and its folder are made when absent.
        pages: the most pages (of 4 KiB) the file may grow to; None = as the disk allows.
        secrets: values that are never written, by name or alone; see `Redactor`.

    Raises:
        JournalError: the file cannot be opened, or was written by a newer version.
    """

    def __init__(self, path: Path, *, pages: int | None = None, secrets: Secrets = ()) -> None:
        self.path = path
        self._redactor = Redactor(secrets)
        self._pages = pages
        self._sequence: dict[str, int] = {}
        self._claims: dict[str, Claim] = {}
        self._last_read: dict[str, int] = {}
        self._hurry = threading.Event()
        self._stored: dict[str, str] = {}
        self._version, self._level = 0, ""
        self._failed: JournalError | None = None
        self._queue: queue.SimpleQueue[Record | _Marker | None] = queue.SimpleQueue()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            prepare(path)
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"the journal {str(path)!r} cannot be opened: {error}") from None
        self._writer = threading.Thread(target=self._write, daemon=True, name="journal")
        self._writer.start()

    def append(self, run_id: str, event: Event) -> None:
        """Take an event; it is written soon, in order.

        Raises:
            JournalError: an earlier event could not be written, or the run goes on elsewhere.
        """
        if self._failed is not None:
            raise self._failed
        event = self._redactor.shape(event)
        if isinstance(event, RunStarted | RunResumed):
            self._claim(event, run_id)
        seq = self._sequence.get(run_id, 0) + 1
        self._sequence[run_id] = seq
        record = Record(run_id, seq, time.time(), event)
        if isinstance(event, CallStarted | CallOrphaned):
            self._note(record)
        self._queue.put(record)

    async def flush(self) -> None:
        """Return when all that was appended is safe on disk.

        Raises:
            JournalError: it cannot be written.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._queue.put(_Marker(loop, done))
        self._hurry.set()
        while not done.done() and self._writer.is_alive():
            await asyncio.wait({done}, timeout=1.0)
        if not done.done():
            raise JournalError(f"the journal {str(self.path)!r} is closed")
        if self._failed is not None:
            raise self._failed

    def read(self, run_id: str) -> Iterator[Record]:
        """Return the records of a run in order, as far as they are written.

        Of a run that was cut off they end with what it had begun then.

        Raises:
            JournalError: one of them cannot be read.
        """
        self._last_read[run_id] = 0
        for record in reading.read(self.path, run_id):
            self._last_read[run_id] = record.seq
            yield record
        for record in self._begun(run_id, self._last_read[run_id]):
            self._last_read[run_id] = record.seq
            yield record

    def runs(self) -> list[RunSummary]:
        """Return what is known of every run, newest first.

        Raises:
            JournalError: the file cannot be read.
        """
        return reading.runs(self.path)

    def close(self) -> None:
        """Write what is waiting and end the writer."""
        self._queue.put(None)
        self._hurry.set()
        self._writer.join()

    def _claim(self, event: RunStarted | RunResumed, run_id: str) -> None:
        """Take a run for this process, know how far its record goes, and complete it."""
        try:
            claim = Claim(self._lock(run_id))
        except BlockingIOError:
            raise JournalError(
                f"run {run_id!r} goes on in another process: wait for its end or end that process"
            ) from None
        except OSError as error:
            raise self._unwritable(error) from None
        last = reading.last(self.path, run_id) if isinstance(event, RunResumed) else 0
        begun = self._begun(run_id, last)
        last = begun[-1].seq if begun else last
        if isinstance(event, RunResumed) and last != self._last_read.pop(run_id, last):
            claim.release(keep=True)
            raise JournalError(f"run {run_id!r} went on in another process: resume it again")
        self._claims[run_id], self._sequence[run_id] = claim, last
        for record in begun:
            self._queue.put(record)

    def _lock(self, run_id: str) -> Path:
        return self.path.with_name(f"{self.path.name}-locks") / run_id

    def _begun(self, run_id: str, last: int) -> list[Record]:
        """Return what a killed process had begun after a run's last event on record."""
        return [] if run_id in self._claims else noted(self._lock(run_id), run_id, last)

    def _note(self, record: Record) -> None:
        """Write down at once what a killed process would take with it, if the run is ours.

        The intent of a `write` call needs no note: the call waits until it is on record.
        """
        claim = self._claims.get(record.run_id)
        if claim is None or getattr(record.event, "effects", "read") == "write":
            return
        try:
            claim.note(record.seq, record.at, record.event)
        except OSError as error:
            self._failed = self._unwritable(error)
            raise self._failed from None

    def _unwritable(self, error: Exception) -> JournalError:
        return JournalError(
            f"the journal {str(self.path)!r} cannot be written: {error}; "
            "free some space or pass another --store"
        )

    def _release(self, run_id: str) -> None:
        claim = self._claims.pop(run_id, None)
        self._sequence.pop(run_id, None)
        if claim is not None:
            claim.release(keep=self._failed is not None)

    def _write(self) -> None:
        """Write until told to end; whatever ends it before is what the next event meets."""
        try:
            with closing(connect(self.path)) as connection:
                if self._pages is not None:
                    connection.execute(f"PRAGMA max_page_count = {self._pages}")
                while self._write_waiting(connection):
                    pass
        finally:
            for run_id in tuple(self._claims):
                self._release(run_id)
            self._failed = self._failed or JournalError(f"the journal {str(self.path)!r} is closed")

    def _write_waiting(self, connection: sqlite3.Connection) -> bool:
        """Write what is waiting; False when that was the end."""
        items = self._waiting_items()
        self._commit(connection, [item for item in items if isinstance(item, Record)])
        for marker in [item for item in items if isinstance(item, _Marker)]:
            marker.done()
        return None not in items

    def _waiting_items(self) -> list[Record | _Marker | None]:
        """Return what is to be written, after a moment in which more may come."""
        items = [self._queue.get()]
        if isinstance(items[0], Record):
            self._hurry.wait(LINGER)
        self._hurry.clear()
        while not self._queue.empty():
            items.append(self._queue.get())
        return items

    def _begin(self, connection: sqlite3.Connection) -> None:
        """Begin to write; when others have written, they may have deleted texts that were there."""
        connection.execute("BEGIN IMMEDIATE")
        version = connection.execute("PRAGMA data_version").fetchone()[0]
        if version != self._version or len(self._stored) > REMEMBERED:
            self._stored.clear()
        self._version = version

    def _commit(self, connection: sqlite3.Connection, items: list[Record]) -> None:
        if not items or self._failed is not None:
            return
        level = "FULL" if any(durable(item.event) for item in items) else "NORMAL"
        try:
            if level != self._level:
                connection.execute(f"PRAGMA synchronous = {level}")
                self._level = level
            with connection:
                self._begin(connection)
                _insert(connection, items, self._stored)
        except (sqlite3.Error, ValueError, TypeError) as error:
            self._failed = self._unwritable(error)
        for item in items:
            if isinstance(item.event, RunEnded | RunInterrupted):
                self._release(item.run_id)


@dataclass(frozen=True, slots=True)
class _Marker:
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[None]

    def done(self) -> None:
        try:
            self.loop.call_soon_threadsafe(self._settle)
        except RuntimeError:
            return  # the loop has closed: nobody waits any more

    def _settle(self) -> None:
        if not self.future.done():
            self.future.set_result(None)


def _insert(connection: sqlite3.Connection, items: list[Record], stored: dict[str, str]) -> None:
    """Insert events, and each of their long texts once: `stored` remembers which are there."""
    blobs: list[tuple[str, bool, bytes]] = []

    def keep(text: str) -> dict[str, str]:
        name = stored.get(text)
        if name is None:
            raw = text.encode("utf-8", errors="replace")
            name = hashlib.blake2b(raw, digest_size=16).hexdigest()
            packed = len(raw) >= PACKED
            if not packed:
                stored[text] = name
                blobs.append((name, packed, raw))
            elif (
                connection.execute("SELECT 1 FROM blobs WHERE hash = ?", (name,)).fetchone() is None
            ):
                blobs.append((name, packed, zlib.compress(raw, 1)))
        return {"$blob": name}

    rows = [(i.run_id, i.seq, i.at, i.event.kind, encode(i.event, keep)) for i in items]
    connection.executemany("INSERT OR IGNORE INTO blobs VALUES (?, ?, ?)", blobs)
    connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?)", rows)
