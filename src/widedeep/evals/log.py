"""Which results are there already, and of which configuration?

A log is a file of JSON Lines: the configuration, then one result a line. What a stopped program
was writing last may be cut; it counts as not written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from widedeep.errors import TaskError
from widedeep.evals.tasks import Result, Scores
from widedeep.messages import WidthUsed

SCHEMA = 1

Configuration = Mapping[str, str | int | float | None]
"""All that results depend on: two runs with equal ones may be put together."""


class Log:
    """The results of one arm in a file, one line each, written as they come."""

    def __init__(self, path: Path, results: dict[str, Result]) -> None:
        self._path = path
        self.results = results

    def add(self, made: Result) -> None:
        """Write one result.

        Raises:
            TaskError: it cannot be written.
        """
        self.results[made.id] = made
        _append(self._path, asdict(made))


def open_log(path: Path, configuration: Configuration) -> Log:
    """Open the log at `path`, or begin it.

    Raises:
        TaskError: it was made with another configuration, or is not a log.
    """
    rows = _rows(path)
    if not rows:
        path.unlink(missing_ok=True)
        _append(path, {"schema": SCHEMA, "configuration": dict(configuration)})
        return Log(path, {})
    head, *rest = rows
    _check(path, head, configuration)
    results = [_result(path, row) for row in rest]
    return Log(path, {each.id: each for each in results})


def _append(path: Path, row: Mapping[str, Any]) -> None:
    line = json.dumps(row, ensure_ascii=False).encode("utf-8", "backslashreplace")
    try:
        with path.open("ab") as stream:
            stream.write(line + b"\n")
    except OSError as error:
        raise TaskError(
            f"{str(path)!r}: cannot be written to ({error.strerror}); name another directory"
        ) from None


def _rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a log; a last line without its end is cut off the file."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise TaskError(
            f"{str(path)!r}: cannot be read ({error.strerror}); name another directory"
        ) from None
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        path.write_bytes(whole)
    try:
        return [json.loads(line) for line in whole.splitlines()]
    except ValueError:
        raise TaskError(_damaged(path)) from None


def _check(path: Path, head: dict[str, Any], wanted: Configuration) -> None:
    made = head.get("configuration") if head.get("schema") == SCHEMA else None
    if not isinstance(made, dict):
        raise TaskError(_damaged(path))
    kept = cast("dict[str, Any]", made)
    for key in dict.fromkeys((*wanted, *kept)):
        if kept.get(key) != wanted.get(key):
            raise TaskError(
                f"{str(path)!r} holds results with {key} {kept.get(key)!r}, not "
                f"{wanted.get(key)!r}: name another directory, or delete the file"
            )


def _result(path: Path, row: dict[str, Any]) -> Result:
    try:
        values: dict[str, Any] = {
            **row,
            "scores": Scores(**row["scores"]),
            "width": tuple(WidthUsed(**used) for used in row["width"]),
            "notes": tuple(row["notes"]),
        }
        return Result(**values)
    except (KeyError, TypeError):
        raise TaskError(_damaged(path)) from None


def _damaged(path: Path) -> str:
    return f"{str(path)!r} is not a log of results: name another directory, or delete the file"
