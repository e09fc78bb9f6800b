"""How is a run given away whole, and how is it deleted for good?"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import widedeep
from widedeep.errors import JournalError
from widedeep.events import Record
from widedeep.journal.claim import Claim, going_on
from widedeep.journal.codec import encode
from widedeep.journal.layout import connect, version

FORMAT = "widedeep run"
EXPORT_SCHEMA = 1
"""Version of what `exported` yields."""

_BLOB = re.compile(rb'\{"\$blob":"([0-9a-f]+)"\}')
"""How an event names a text that is kept elsewhere; in a text of a user the quotes are escaped."""


@dataclass(frozen=True, slots=True)
class Deleted:
    """What was deleted: the runs, how many texts with them, and by how much the file shrank.

    `busy` are runs that go on in another process; they are still there.
    """

    runs: tuple[str, ...]
    busy: tuple[str, ...]
    texts: int
    bytes: int


def exported(records: Sequence[Record]) -> Iterator[dict[str, Any]]:
    """Yield a run as JSON objects: one that says what follows, then one for each record.

    Every text stands in its event. Events are as `decode` takes them: in JSON from outside, a key
    that begins with `$` has one `$` more.
    """
    yield {
        "format": FORMAT,
        "schema": EXPORT_SCHEMA,
        "widedeep": widedeep.__version__,
        "run_id": records[0].run_id,
        "records": len(records),
    }
    for record in records:
        yield {"seq": record.seq, "at": record.at, "event": json.loads(encode(record.event))}


def delete(path: Path, runs: Iterable[str]) -> Deleted:
    """Delete runs, with the texts that no other run has, and give their room back.

    It happens in one transaction, and what is deleted is overwritten in the file.

    Raises:
        JournalError: the file cannot be written.
    """
    claims: dict[str, Claim] = {}
    busy: list[str] = []
    try:
        for run_id in dict.fromkeys(runs):
            try:
                claims[run_id] = Claim(_locks(path) / run_id)
            except BlockingIOError:
                busy.append(run_id)
        before = path.stat().st_size
        texts = _delete(path, tuple(claims))
        for claim in claims.values():
            claim.release()
        gone, claims = tuple(claims), {}
        if gone and not going_on(_locks(path)):
            _shrink(path)
        return Deleted(gone, tuple(busy), texts, max(0, before - path.stat().st_size))
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"the journal {str(path)!r} cannot be written: {error}") from None
    finally:
        for claim in claims.values():
            claim.release()


def _delete(path: Path, runs: Sequence[str]) -> int:
    """Delete the rows of runs and return how many texts went with them."""
    if not runs:
        return 0
    with closing(connect(path)) as connection:
        version(connection, path)
        connection.isolation_level = None
        connection.text_factory = bytes
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("BEGIN IMMEDIATE")
        theirs: set[bytes] = set()
        for run_id in runs:
            theirs |= _texts(connection, "SELECT body FROM events WHERE run_id = ?", run_id)
            connection.execute("DELETE FROM events WHERE run_id = ?", (run_id,))
        if theirs:
            theirs -= _texts(connection, "SELECT body FROM events")
        names = [(name.decode(),) for name in theirs]
        connection.executemany("DELETE FROM blobs WHERE hash = ?", names)
        connection.execute("COMMIT")
        return len(names)


def _texts(connection: sqlite3.Connection, select: str, *values: str) -> set[bytes]:
    """Return the names of the texts that events have elsewhere."""
    found: set[bytes] = set()
    for (body,) in connection.execute(select, values):
        if isinstance(body, bytes):
            found.update(_BLOB.findall(body))
    return found


def _locks(path: Path) -> Path:
    return path.with_name(f"{path.name}-locks")


def _shrink(path: Path) -> None:
    """Give free pages back; while others read that may have to wait for another time.

    It writes the file anew, and who wants to write waits for it: not while a run goes on.
    """
    with suppress(sqlite3.OperationalError), closing(connect(path)) as connection:
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
