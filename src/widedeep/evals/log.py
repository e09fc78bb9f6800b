"""Which results are there already, and of which configuration?

A log is a file of JSON Lines: the configuration, then one result a line. What a stopped program
was writing last may be cut; it counts as not written.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
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

    def __init__(
        self, path: Path, configuration: Configuration, results: dict[str, Result]
    ) -> None:
        self._path = path
        self.configuration = configuration
        self.results = results

    def add(self, made: Result) -> None:
        """Write one result.

        Raises:
            TaskError: it cannot be written.
        """
        self.results[made.id] = made
        _append(self._path, asdict(made))


@contextmanager
def alone(folder: Path) -> Generator[None]:
    """Keep a folder of logs from other evaluations, in this process or another, for a while.

    Raises:
        TaskError: an evaluation is writing to it.
    """
    held = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some network file systems have no locks
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise TaskError(
                    f"{str(folder)!r}: another evaluation is writing to it; wait for its end, or "
                    "name another directory"
                ) from None
        yield
    finally:
        os.close(held)


def open_log(path: Path, configuration: Configuration) -> Log:
    """Open the log at `path`, or begin it.

    Raises:
        TaskError: it was made with another configuration, or is not a log.
    """
    rows = _rows(path)
    if not rows:
        path.unlink(missing_ok=True)
        _append(path, {"schema": SCHEMA, "configuration": dict(configuration)})
        return Log(path, configuration, {})
    log = _read(path, rows)
    _check(path, log.configuration, configuration)
    return log


def logs(folder: Path, configuration: Configuration, differing: str) -> dict[str, Log]:
    """Return the logs in a folder by the one value that may differ from a configuration's.

    Raises:
        TaskError: another value differs too, or a file is not a log.
    """
    found: dict[str, Log] = {}
    for path in sorted(folder.glob("results-*.jsonl")):
        if not (rows := _rows(path)):
            continue
        log = _read(path, rows)
        name = log.configuration.get(differing)
        _check(path, log.configuration, {**configuration, differing: name})
        found[str(name)] = log
    return found


def _append(path: Path, row: Mapping[str, Any]) -> None:
    line = json.dumps(row, ensure_ascii=False).encode("utf-8", "backslashreplace")
    try:
        with path.open("ab") as stream:
            stream.write(line + b"\n")
    except OSError as error:
        raise TaskError(
            f"{str(path)!r}: cannot be written to ({error.strerror}); name another directory"
        ) from None


def _rows(path: Path) -> list[Any]:
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
    except (ValueError, RecursionError):
        raise TaskError(_damaged(path)) from None


def _read(path: Path, rows: list[Any]) -> Log:
    head, *rest = rows
    known = isinstance(head, dict) and cast("dict[str, Any]", head).get("schema") == SCHEMA
    made = cast("dict[str, Any]", head).get("configuration") if known else None
    if not isinstance(made, dict):
        raise TaskError(_damaged(path))
    results = [_result(path, row) for row in rest]
    return Log(path, cast("dict[str, Any]", made), {each.id: each for each in results})


def _check(path: Path, kept: Configuration, wanted: Configuration) -> None:
    for key in dict.fromkeys((*wanted, *kept)):
        if kept.get(key) != wanted.get(key):
            raise TaskError(
                f"{str(path)!r} holds results with {key} {kept.get(key)!r}, not "
                f"{wanted.get(key)!r}: name another directory, or delete the file"
            )


def _result(path: Path, row: Any) -> Result:
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
