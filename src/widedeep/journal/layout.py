"""How is a journal's file laid out, and how does an older one become a present one?

1   an index on the kind of every event
2   an index on beginnings and ends only
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from widedeep.errors import JournalError

SCHEMA = 2
"""Version of the file's layout, in its `user_version`; 0 = nothing was written yet."""

_TABLES = (
    """CREATE TABLE IF NOT EXISTS events (
    run_id TEXT NOT NULL, seq INTEGER NOT NULL, at REAL NOT NULL, kind TEXT NOT NULL,
    body TEXT NOT NULL, PRIMARY KEY (run_id, seq)) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS blobs (
    hash TEXT PRIMARY KEY, packed INTEGER NOT NULL, body BLOB NOT NULL)""",
)
_INDEX = """CREATE INDEX IF NOT EXISTS events_ends ON events (kind, at)
    WHERE kind IN ('run_started', 'run_ended')"""


def connect(path: Path) -> sqlite3.Connection:
    """Return a connection that may write."""
    connection = sqlite3.connect(path, timeout=30, check_same_thread=False)
    connection.execute("PRAGMA busy_timeout = 30000")
    return connection


def prepare(path: Path) -> None:
    """Make the file if there is none, and bring an older one to the present layout.

    Raises:
        JournalError: a newer version wrote it.
        sqlite3.Error: it cannot be written, or is no database.
    """
    with closing(connect(path)) as connection:
        if version(connection, path) == SCHEMA:
            return
        connection.execute("PRAGMA journal_mode = WAL")
        connection.isolation_level = None
        connection.execute("BEGIN IMMEDIATE")
        for step in _STEPS[version(connection, path) :]:
            step(connection)
        connection.execute(f"PRAGMA user_version = {SCHEMA}")
        connection.execute("COMMIT")


def version(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of an open file's layout.

    Raises:
        JournalError: a newer widedeep wrote it.
    """
    found = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if found > SCHEMA:
        raise JournalError(
            f"the journal {str(path)!r} has layout {found}, this widedeep knows {SCHEMA}: "
            "update widedeep or pass another --store"
        )
    return found


def _make_tables(connection: sqlite3.Connection) -> None:
    for table in _TABLES:
        connection.execute(table)


def _index_ends_only(connection: sqlite3.Connection) -> None:
    connection.execute(_INDEX)
    connection.execute("DROP INDEX IF EXISTS events_kind")


_STEPS: tuple[Callable[[sqlite3.Connection], None], ...] = (_make_tables, _index_ends_only)
"""What brings a file of version n to version n + 1, in order."""
