"""What does a journal on disk hold? It is only read, and one damaged run hides no other."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar, cast
from urllib.parse import quote

from widedeep.errors import JournalError
from widedeep.events import Record
from widedeep.journal.codec import decode
from widedeep.journal.layout import version

UNREADABLE = "unreadable"
"""The status of a run whose record is damaged."""

_TO_UNDO = (sqlite3.SQLITE_READONLY_ROLLBACK, sqlite3.SQLITE_READONLY_RECOVERY)
"""What SQLite says when a killed process left something that only who may write can undo."""

_WRONG = (ValueError, TypeError, KeyError, RecursionError, zlib.error, sqlite3.Error, JournalError)
_LAST = 253402300799.0
"""The last second that has a date: the end of the year 9999."""

_RUNS = """
SELECT s.run_id, s.at, s.body, e.kind, CASE WHEN json_valid(e.body) THEN json_extract(
    e.body, '$.answer.status', '$.answer.turns', '$.answer.calls.requested',
    '$.answer.seconds.wall') END
FROM events s LEFT JOIN events e ON e.run_id = s.run_id AND e.kind = 'run_ended'
WHERE s.kind = 'run_started' ORDER BY s.at DESC, s.run_id LIMIT ?"""
_IDS = "SELECT run_id, at FROM events WHERE kind = 'run_started' ORDER BY at DESC, run_id"
_ENDED = "SELECT body FROM events WHERE run_id = ? AND kind = 'run_ended'"
_EVENTS = "SELECT seq, at, body FROM events WHERE run_id = ? ORDER BY seq"

Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One run as a list shows it; `at` in seconds UTC.

    `status` is None while it has no answer, `UNREADABLE` when its record is damaged.
    """

    run_id: str
    at: float | None
    question: str
    status: str | None
    turns: int | None
    calls: int | None
    seconds: float | None


def check(path: Path) -> None:
    """See that a file has the tables of a journal.

    Raises:
        JournalError: it has not, or cannot be read.
    """
    with opened(path) as connection:
        if empty(connection):
            return
        connection.execute("SELECT run_id, seq, at, kind, body FROM events LIMIT 1").fetchone()
        connection.execute("SELECT hash, packed, body FROM blobs LIMIT 1").fetchone()


def read(path: Path, run_id: str) -> Iterator[Record]:
    """Return the records of a run in order, as far as they are written.

    Raises:
        JournalError: the file or one of the run's events cannot be read.
    """
    with opened(path) as connection:
        rows = () if empty(connection) else connection.execute(_EVENTS, (run_id,))
        for seq, at, body in rows:
            try:
                record = _record(run_id, (seq, at, body), connection)
            except _WRONG as error:
                raise JournalError(
                    f"run {run_id!r} in the journal {str(path)!r} is damaged at event {seq}: "
                    f"{_first_line(error)}; see `widedeep runs list` for the others"
                ) from None
            yield record


def last(path: Path, run_id: str) -> int:
    """Return the number of a run's last event, 0 when it has none.

    Raises:
        JournalError: the file cannot be read.
    """
    with opened(path) as connection:
        if empty(connection):
            return 0
        found = connection.execute("SELECT max(seq) FROM events WHERE run_id = ?", (run_id,))
        return int(found.fetchone()[0] or 0)


def ids(path: Path) -> dict[str, float | None]:
    """Return when each run began (seconds UTC), newest first.

    Raises:
        JournalError: the file cannot be read.
    """
    with opened(path) as connection:
        rows = () if empty(connection) else connection.execute(_IDS)
        return {str(run_id): _time(at) for run_id, at in rows}


def runs(path: Path, limit: int | None = None) -> list[RunSummary]:
    """Return what is known of every run, or of the newest `limit`, newest first.

    Raises:
        JournalError: the file cannot be read.
    """
    with opened(path) as connection:
        if empty(connection):
            return []
        rows = connection.execute(_RUNS, (-1 if limit is None else limit,)).fetchall()
        return [_summary(row, connection) for row in rows]


def _record(run_id: str, row: tuple[Any, ...], connection: sqlite3.Connection) -> Record:
    seq, at, body = row
    time = _time(at)
    if time is None:
        raise TypeError(f"its time is {at!r}")
    return Record(run_id, int(seq), time, decode(_whole(body, connection)))


def _summary(row: tuple[Any, ...], connection: sqlite3.Connection) -> RunSummary:
    run_id, at, body, ended, found = row
    question, known, status = "", [None] * 4, None
    try:
        question = str(_whole(body, connection)["question"])
        if ended is not None:
            known = json.loads(found) if found else _answer(run_id, connection)
            status = known[0] if isinstance(known[0], str) else UNREADABLE
    except _WRONG:
        status = UNREADABLE
    return RunSummary(
        str(run_id),
        _time(at),
        question,
        status,
        _number(known[1], int),
        _number(known[2], int),
        _number(known[3], float),
    )


def _answer(run_id: str, connection: sqlite3.Connection) -> list[Any]:
    """Return what a list shows of an answer that SQLite does not take for JSON: it holds NaN."""
    answer = json.loads(connection.execute(_ENDED, (run_id,)).fetchone()[0])["answer"]
    calls, seconds = answer["calls"]["requested"], answer["seconds"]["wall"]
    return [answer["status"], answer["turns"], calls, seconds]


def _number(value: Any, kind: type[Number]) -> Number | None:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value):
        return kind(value)
    return None


def _time(value: Any) -> float | None:
    at = _number(value, float)
    return at if at is not None and 0 <= at <= _LAST else None


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _whole(body: Any, connection: sqlite3.Connection) -> dict[str, Any]:
    """Return an event's JSON object with its blobs read back."""
    value = json.loads(body)
    if not isinstance(value, dict):
        raise TypeError("its body is no object")
    return cast("dict[str, Any]", _with_blobs(value, connection))


def _with_blobs(value: Any, connection: sqlite3.Connection) -> Any:
    if isinstance(value, dict):
        mapping = cast("dict[str, Any]", value)
        if (name := mapping.get("$blob")) is not None:
            return _blob(str(name), connection)
        if (pieces := mapping.get("$text")) is not None:
            return "".join(_with_blobs(pieces, connection))
        return {key: _with_blobs(inner, connection) for key, inner in mapping.items()}
    if isinstance(value, list):
        return [_with_blobs(inner, connection) for inner in cast("list[Any]", value)]
    return value


def _blob(name: str, connection: sqlite3.Connection) -> str:
    row = connection.execute("SELECT packed, body FROM blobs WHERE hash = ?", (name,)).fetchone()
    if row is None:
        raise JournalError(f"the journal lacks the text {name!r}")
    return (zlib.decompress(row[1]) if row[0] else row[1]).decode("utf-8")


@contextmanager
def opened(path: Path) -> Generator[sqlite3.Connection]:
    """Open a journal to read it; what SQLite finds wrong while it is open is a JournalError."""
    try:
        with closing(_connect(path)) as connection:
            version(connection, path)
            yield connection
    except (OSError, sqlite3.Error) as error:
        reason = "it is a directory" if _is_folder(path) else error
        raise JournalError(
            f"the journal {str(path)!r} cannot be read: {reason}; "
            "move it out of the way or pass another --store"
        ) from None


def _is_folder(path: Path) -> bool:
    with suppress(OSError):
        return path.is_dir()
    return False


def _connect(path: Path) -> sqlite3.Connection:
    """Connect to a file; in a place that cannot be written to, take it as it stands."""
    connection = _connection(path, "mode=ro")
    try:
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
    except sqlite3.OperationalError as error:
        connection.close()
        if error.sqlite_errorcode in _TO_UNDO and os.access(path, os.W_OK):
            return _connection(path, "mode=rw")
        log = path.with_name(f"{path.name}-wal")
        if os.access(path.parent, os.W_OK) or (log.exists() and log.stat().st_size):
            raise
        connection = _connection(path, "immutable=1")
    return connection


def _connection(path: Path, how: str) -> sqlite3.Connection:
    name = quote(os.fsencode(path.absolute()))
    connection = sqlite3.connect(f"file:{name}?{how}", uri=True, check_same_thread=False)
    connection.execute("PRAGMA busy_timeout = 30000")
    connection.text_factory = _replacing
    return connection


def _replacing(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def empty(connection: sqlite3.Connection) -> bool:
    """Tell whether nothing was ever written, not even the tables."""
    return connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None
