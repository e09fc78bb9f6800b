"""How does an index directory take its place, or that of an older one, and nothing else's?"""

from __future__ import annotations

import fcntl
import os
import re
import secrets
import shutil
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from widedeep.errors import CorpusError
from widedeep.retrieval.folder import MANIFEST
from widedeep.retrieval.manifest import ENTRIES

_ENTRY = re.compile(
    r"[0-9a-f]{32}(?:\.[0-9]+)?\.[a-z]+|(?:meta|\.managed)\.json|\.tantivy-[a-z]+\.lock"
)
_MANIFEST = re.compile(re.escape(MANIFEST) + r"(?:\.[0-9]+)?")


@contextmanager
def building(beside: Path) -> Generator[Path]:
    """Give an empty folder beside others, which is gone afterwards unless it was renamed."""
    part = beside / f".building-{secrets.token_hex(8)}"
    part.mkdir()  # as open to others as any folder of the user's
    try:
        yield part
    finally:
        shutil.rmtree(part, ignore_errors=True)


@contextmanager
def alone(place: Path) -> Generator[None]:
    """Keep other processes that ask for the same place waiting: a folder, or a file made for it.

    A file is locked on a network file system too, a folder is not.
    """
    held = os.open(place, os.O_RDONLY if place.is_dir() else os.O_RDWR | os.O_CREAT, 0o666)
    try:
        with suppress(OSError):  # some network file systems have no locks
            fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def refuse_foreign(out: Path) -> None:
    """Raise unless `out` is new, an empty folder, or an index and nothing besides.

    Raises:
        CorpusError: it is or holds something else, which is named.
    """
    if not out.exists():
        return
    if not out.is_dir() or (any(out.iterdir()) and not (out / MANIFEST).exists()):
        raise CorpusError(f"{str(out)!r} is there and is not an index: give a new directory")
    other = min(_foreign(out), default=None)
    if other is not None:
        raise CorpusError(
            f"{str(out)!r} holds {other.relative_to(out).as_posix()!r}, which is no part of an "
            "index: move it elsewhere, or give a new directory"
        )


def restore(out: Path) -> None:
    """Put an index back that was on its way out when its replacement was killed.

    Raises:
        CorpusError: a link lies where it would be.
        OSError: it cannot be renamed.
    """
    aside = _aside(out)
    if (aside / MANIFEST).exists() and not out.exists():
        aside.rename(out)


def replace(out: Path, new: Path) -> None:
    """Rename `new` to `out`; an older index there is put aside first and then removed.

    Killed at any moment it leaves the older index or the new one, whole, at `out`; or the older
    one beside it, where `restore` finds it.

    Raises:
        CorpusError: something that is no part of an index has come to lie in the older one, or a
            link where it is put.
        OSError: something cannot be renamed.
    """
    aside = _aside(out)
    refuse_foreign(out)
    if out.exists():
        _remove(aside)  # left by one that was killed
        out.rename(aside)
    with ExitStack() as undo:
        undo.callback(restore, out)
        new.rename(out)
        undo.pop_all()
    _remove(aside)


def _aside(out: Path) -> Path:
    """Return where an index waits to be removed: never another folder that a link leads to."""
    aside = out.with_name(f".{out.name}.replaced")
    for each in (aside, aside / ENTRIES):
        if each.is_symlink():
            raise CorpusError(f"{str(each)!r} is a link, where an old index is put: remove it")
    return aside


def _foreign(place: Path) -> Iterator[Path]:
    """Yield what is in an index directory but was not written with it."""
    for each in place.iterdir():
        if each.name == ENTRIES and each.is_dir() and not each.is_symlink():
            yield from (one for one in each.iterdir() if not _is_file(one, _ENTRY))
        elif not _is_file(each, _MANIFEST):
            yield each


def _is_file(path: Path, named: re.Pattern[str]) -> bool:
    return named.fullmatch(path.name) is not None and path.is_file() and not path.is_symlink()


def _remove(place: Path) -> None:
    """Remove an index; what is not part of it stays, and the folders that hold it.

    The manifest goes first: what is left of an index is not taken for one.
    """
    (place / MANIFEST).unlink(missing_ok=True)
    for each in (*place.glob(f"{MANIFEST}.*"), *place.glob(f"{ENTRIES}/*")):
        if _is_file(each, _MANIFEST) or _is_file(each, _ENTRY):
            each.unlink(missing_ok=True)
    for each in (place / ENTRIES, place):
        with suppress(OSError):  # it is not there, or holds something else
            each.rmdir()
