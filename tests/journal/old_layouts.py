"""Journals as older versions wrote them, made anew from a run."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

from widedeep.events import Record
from widedeep.journal import encode

LAYOUT_1 = """
CREATE TABLE IF NOT EXISTS events (
    run_id TEXT NOT NULL, seq INTEGER NOT NULL, at REAL NOT NULL, kind TEXT NOT NULL,
    body TEXT NOT NULL, PRIMARY KEY (run_id, seq)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS events_kind ON events (kind, at);
CREATE TABLE IF NOT EXISTS blobs (
    hash TEXT PRIMARY KEY, packed INTEGER NOT NULL, body BLOB NOT NULL);
"""


def layout_1(path: Path, records: list[Record]) -> None:
    """Write records as layout 1 held them: every text of 1,024 characters or more is a blob."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(LAYOUT_1)
        connection.execute("PRAGMA user_version = 1")
        for record in records:
            body = _kept(json.loads(encode(record.event)), connection)
            text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
            row = (record.run_id, record.seq, record.at, record.event.kind, text)
            connection.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?)", row)
        connection.commit()


def _kept(value: Any, connection: sqlite3.Connection) -> Any:
    if isinstance(value, str) and len(value) >= 1024:
        raw = value.encode()
        name = hashlib.blake2b(raw, digest_size=20).hexdigest()
        packed = len(raw) >= 8192
        blob = (name, packed, zlib.compress(raw, 1) if packed else raw)
        connection.execute("INSERT OR IGNORE INTO blobs VALUES (?, ?, ?)", blob)
        return {"$blob": name}
    if isinstance(value, list):
        return [_kept(inner, connection) for inner in value]
    if isinstance(value, dict):
        return {key: _kept(inner, connection) for key, inner in value.items()}
    return value
