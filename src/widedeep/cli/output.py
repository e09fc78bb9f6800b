"""How do words leave the command: answers on stdout, all else on stderr?"""

from __future__ import annotations

import json
import os
import sys
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

from widedeep.cli import hiding

if TYPE_CHECKING:
    from rich.console import Console


def complain(message: str) -> None:
    """Write one line on what went wrong to stderr."""
    from widedeep.report.inert import one_line

    print(f"widedeep: error: {one_line(message)}", file=sys.stderr)


def remark(message: str) -> None:
    """Write one line on what the program does to stderr."""
    from widedeep.report.inert import one_line

    print(f"widedeep: {one_line(message)}", file=sys.stderr)


def write(text: str) -> None:
    """Write to stdout at once.

    Raises:
        StdoutError: it takes no more, for example because a disk is full.
    """
    sys.stdout.write(text if text.endswith("\n") else text + "\n")
    sys.stdout.flush()


def write_json(value: Any, *, indent: int | None = 2) -> None:
    """Write one JSON value to stdout; ASCII only where the encoding is not UTF-8."""
    write(to_json(value, indent=indent, ascii_only=not _is_utf8(sys.stdout)))


def to_json(value: Any, *, indent: int | None = 2, ascii_only: bool = False) -> str:
    """Return a JSON value as text; lone surrogates are escaped, NaN and infinity are null."""
    try:
        text = json.dumps(value, ensure_ascii=ascii_only, indent=indent, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(value), ensure_ascii=ascii_only, indent=indent)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _finite(value: Any) -> Any:
    """Return a JSON value with null for the numbers that JSON lacks."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value).items()
        return {key: _finite(inner) for key, inner in items}
    if isinstance(value, (list, tuple)):
        return [_finite(inner) for inner in cast("list[Any]", value)]
    return value


def terminal(stream: TextIO) -> Console | None:
    """Return a console for a stream that may be drawn on, None when plain text is wanted."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") in {"dumb", "unknown"}
    if plain or not stream.isatty():
        return None
    from rich.console import Console

    return Console(file=stream, markup=False, highlight=False, emoji=False)


def write_file(path: Path, text: str) -> None:
    """Write a file in UTF-8 as a whole or not at all; what is no file is just written to."""
    text = hiding.text(text)
    if path.exists() and not path.is_file():  # /dev/stdout, a named pipe
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
        return
    part = path.with_name(f".widedeep-{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8", errors="backslashreplace")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _is_utf8(stream: TextIO) -> bool:
    return (stream.encoding or "").lower().replace("-", "").replace("_", "") == "utf8"
