"""What becomes of words that stdout or stderr cannot take?"""

from __future__ import annotations

import io
import os
import select
import sys
from typing import Any, cast

from widedeep.cli import hiding
from widedeep.errors import WidedeepError


class StdoutError(WidedeepError):
    """Stdout takes no more."""


class PipeClosedError(StdoutError):
    """Nobody reads stdout any more."""


def safe_streams() -> None:
    """Let no stream that is closed, full or of another encoding end the program with a traceback.

    What stderr cannot take is dropped: progress is no reason to lose an answer. What stdout cannot
    take raises StdoutError once; after that it is dropped too.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the shell: `>&-`
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
        elif stream is getattr(sys, f"__{name}__"):
            setattr(sys, name, _guarded(stream, strict=name == "stdout"))
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _guarded(stream: io.TextIOWrapper, *, strict: bool) -> io.TextIOWrapper:
    raw = cast("io.RawIOBase", getattr(stream.buffer, "raw", stream.buffer))
    return _Hiding(
        io.BufferedWriter(_Guard(raw, strict=strict)),
        encoding=stream.encoding,
        errors="backslashreplace",
        line_buffering=stream.line_buffering or not strict,
    )


class _Hiding(io.TextIOWrapper):
    """A stream to which no secret gets, whoever writes: a warning, a traceback, the command."""

    def write(self, text: str, /) -> int:
        super().write(hiding.text(text))
        return len(text)


class _Guard(io.RawIOBase):
    """A stream that takes everything once it has told that it cannot."""

    def __init__(self, raw: io.RawIOBase, *, strict: bool) -> None:
        self._raw = raw
        self._strict = strict
        self._gone = False

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._raw.fileno()

    def isatty(self) -> bool:
        return self._raw.isatty()

    def write(self, data: Any, /) -> int:
        try:
            while not self._gone:
                if (written := self._raw.write(data)) is not None:
                    return written
                select.select([], [self._raw], [])  # it never blocks, and is full just now
        except OSError as error:
            self._gone = True
            if self._strict and isinstance(error, BrokenPipeError):
                raise PipeClosedError("stdout: nobody reads it any more") from None
            if self._strict:
                reason = error.strerror
                raise StdoutError(f"stdout: cannot be written to ({reason})") from None
        return memoryview(data).nbytes
