"""Which files of a folder belong to a corpus?"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from widedeep.errors import CorpusError
from widedeep.retrieval.types import Skipped

ACCEPTED = ".txt .md .html .htm .pdf .json .jsonl .json.gz .jsonl.gz"
MANIFEST = "widedeep-index.json"
"""The file by which an index directory is known; a corpus does not look inside one."""

_SUFFIX = re.compile(r"\.(?:txt|md|markdown|html?|xhtml|pdf|jsonl?|jsonl?\.gz)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class File:
    """One file: `name` is its path within the corpus, with `/`."""

    path: str
    name: str
    size: int
    mtime_ns: int


def files(root: Path) -> tuple[list[File], list[Skipped]]:
    """Return the files below `root` in the order of their names, and what could not be looked at.

    Hidden files and folders are left out; links are followed, each folder is entered once.
    A file given as `root` is taken whatever its suffix.

    Raises:
        CorpusError: there is no such path, or it is a pipe or a device.
    """
    try:
        found = root.stat()
    except (OSError, ValueError) as error:
        raise CorpusError(_refused(root, getattr(error, "strerror", str(error)))) from None
    if not stat.S_ISDIR(found.st_mode):
        if not stat.S_ISREG(found.st_mode):  # opening a pipe would wait for ever
            raise CorpusError(_refused(root, "it is neither a regular file nor a folder"))
        return [File(str(root), _readable(root.name), found.st_size, found.st_mtime_ns)], []
    skipped: list[Skipped] = []
    below = sorted(_below(root, skipped), key=lambda file: file.name)
    return below, skipped


def is_index(root: Path) -> bool:
    """Tell whether a path is an index directory."""
    try:
        return (root / MANIFEST).exists()
    except OSError:  # why it cannot be looked at, `files` says
        return False


def _refused(root: Path, reason: str) -> str:
    return (
        f"the corpus {str(root)!r} cannot be read ({reason}): give a folder, a file ({ACCEPTED}) "
        "or 'sample'"
    )


def _below(root: Path, skipped: list[Skipped]) -> Iterator[File]:
    def unreadable(error: OSError) -> None:
        place = _readable(Path(error.filename).relative_to(root).as_posix())
        skipped.append(Skipped(place, f"cannot be read ({error.strerror})"))

    entered: set[tuple[int, int]] = set()
    for place, folders, names in os.walk(root, followlinks=True, onerror=unreadable):
        here = Path(place)
        seen = here.stat()
        if (seen.st_dev, seen.st_ino) in entered or MANIFEST in names:
            folders.clear()
            continue
        entered.add((seen.st_dev, seen.st_ino))
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in names:
            if not name.startswith(".") and _SUFFIX.search(name):
                yield from _file(here / name, root, skipped)


def _file(path: Path, root: Path, skipped: list[Skipped]) -> Iterator[File]:
    name = _readable(path.relative_to(root).as_posix())
    try:
        found = path.stat()
    except OSError as error:
        skipped.append(Skipped(name, f"cannot be read ({error.strerror})"))
        return
    if stat.S_ISREG(found.st_mode):  # opening a pipe would wait for ever
        yield File(str(path), name, found.st_size, found.st_mtime_ns)


def _readable(name: str) -> str:
    """Return a file name whose bytes are no UTF-8 in a form that can be stored and shown."""
    return os.fsencode(name).decode("utf-8", errors="backslashreplace")
