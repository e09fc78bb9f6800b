"""Does a run go on in another process? A lock on a file says so, and ends with its process."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


class Claim:
    """The right to write to one run, held until it is released or the process ends.

    Raises:
        OSError: another process, or another part of this one, holds it.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(self._file)
        except OSError:
            os.close(self._file)
            raise

    def release(self) -> None:
        """Let go of the run and take the file away."""
        with suppress(OSError):
            self._path.unlink()
        os.close(self._file)


def _lock(file: int) -> None:
    """Lock a file, or raise OSError at once."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
