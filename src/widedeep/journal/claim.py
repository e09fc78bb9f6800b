"""Does a run go on in another process? A lock on a file says so, and ends with its process.

The file also holds a line for what the run has begun, from before the record does: the record is
written in groups, and a process that is killed takes with it what it has not written yet.
"""

from __future__ import annotations

import json
import mmap
import os
from contextlib import suppress
from pathlib import Path

from widedeep.errors import JournalError
from widedeep.events import Event, Record
from widedeep.journal.codec import decode, encode

ROOM = 65_536
"""Bytes of a file of notes, at least."""


class Claim:
    """The right to write to one run, held until it is released or the process ends.

    Raises:
        BlockingIOError: another process, or another part of this one, holds it.
        OSError: the file cannot be made.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._file = _locked(path)
        self._notes: mmap.mmap | None = None
        self._end = 0

    def note(self, seq: int, at: float, event: Event) -> None:
        """Write down what begins now; a killed process leaves it, a dead machine may not."""
        line = f'{{"seq":{seq},"at":{at!r},"event":{encode(event)}}}\n'.encode()
        end = self._end + len(line)
        notes = self._notes
        if notes is None or end > len(notes):
            notes = self._room_for(line)
            end = self._end + len(line)
        notes[self._end : end] = line
        self._end = end

    def release(self, *, keep: bool = False) -> None:
        """Let go of the run and take the file away, unless it is to be kept for a resume."""
        if not keep:
            with suppress(OSError):
                self._path.unlink()
        if self._notes is not None:
            self._notes.close()
        os.close(self._file)

    def _room_for(self, line: bytes) -> mmap.mmap:
        """Return the file as memory, with room for a line and many more.

        Its bytes are really written first: where the disk is full that is an error here, and not
        the end of the process when the memory is written to.
        """
        if self._notes is None:
            self._end = len(os.pread(self._file, os.fstat(self._file).st_size, 0).rstrip(b"\0"))
        size = max(ROOM, 2 * (self._end + len(line)))
        old = os.fstat(self._file).st_size
        if size > old:
            os.pwrite(self._file, bytes(size - old), old)
        if self._notes is not None:
            self._notes.close()
        self._notes = mmap.mmap(self._file, 0)
        return self._notes


def going_on(folder: Path) -> bool:
    """Say whether any run of these claims goes on right now, here or in another process."""
    for path in folder.glob("*"):
        try:
            file = os.open(path, os.O_RDWR)
        except FileNotFoundError:
            continue
        try:
            _lock(file)
        except BlockingIOError:
            return True
        finally:
            os.close(file)
    return False


def noted(path: Path, run_id: str, after: int) -> list[Record]:
    """Return what a killed process had begun and not yet recorded.

    Args:
        path: the file of the run's claim.
        run_id: the run.
        after: the number of the last event on record.
    """
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return []
    found = (_record(run_id, line) for line in lines)
    return [record for record in found if record is not None and record.seq > after]


def _record(run_id: str, line: bytes) -> Record | None:
    """Return what a line says; None for one that was cut off."""
    try:
        kept = json.loads(line)
        return Record(run_id, int(kept["seq"]), float(kept["at"]), decode(kept["event"]))
    except (ValueError, TypeError, KeyError, RecursionError, JournalError):
        return None


def _locked(path: Path) -> int:
    """Open a file and lock it; it is the one at that path also when we have it."""
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(file)
            with suppress(FileNotFoundError):  # who had it before us took it away
                if os.path.samestat(os.fstat(file), path.stat()):
                    return file
        except OSError:
            os.close(file)
            raise
        os.close(file)


def _lock(file: int) -> None:
    """Lock a file, or raise BlockingIOError at once."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except PermissionError as error:
            raise BlockingIOError(error.errno, error.strerror) from None
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
