"""Where is the index of a corpus kept, and is it still that of its files?"""

from __future__ import annotations

import hashlib
import os
import shutil
from dataclasses import replace
from pathlib import Path

from widedeep.errors import CorpusError
from widedeep.retrieval import directory, folder, manifest
from widedeep.retrieval.build import Corpus, Old, Progress, build
from widedeep.retrieval.folder import File
from widedeep.retrieval.lexical import Lexical
from widedeep.retrieval.manifest import ENTRIES, Damaged, Manifest, Read

_CURRENT = "current"
_UNSURE_NS = 2 * 10**9
"""A file changed this shortly before it was looked at may change again with the same time."""


def opened(place: Path) -> Old:
    """Open an index directory.

    Raises:
        Damaged: it is not whole, or of another version.
    """
    held = manifest.load(place)
    try:
        lexical = Lexical(place / ENTRIES)
    except (OSError, ValueError) as error:
        raise Damaged(str(error)) from None
    if lexical.size != held.passages:
        raise Damaged(f"it holds {lexical.size} passages, not {held.passages}")
    return Old(held, lexical)


def cached(source: Corpus, store: Path, words: int, progress: Progress | None) -> Old:
    """Return the index of a corpus, from the store if it is there and its files are the same.

    Another process that wants the same index waits until it is built. A build that is stopped
    leaves nothing that is taken for an index.

    Raises:
        CorpusError: the corpus has no document, or the store cannot be written.
    """
    folder.files(source.root)
    key = hashlib.sha256(f"{source.root.resolve()}\n{words}".encode()).hexdigest()[:16]
    home = store / "indexes" / key
    try:
        home.mkdir(parents=True, exist_ok=True)
        with directory.alone(home / "lock"):
            old = _current(home)
            if old and (still := _still(old.manifest, source)):
                if still is not old.manifest:
                    manifest.write(home / _name(home), still)
                return Old(still, old.lexical)
            return _renewed(source, home, words, old, progress)
    except OSError as error:
        raise CorpusError(
            f"the index cannot be kept in {str(store)!r} ({error.strerror or error}): "
            "give another store"
        ) from None


def written(source: Corpus, out: Path, words: int, progress: Progress | None) -> Old:
    """Write an index of a corpus to the directory `out`; an index that is there is replaced.

    Raises:
        CorpusError: the corpus has no document, or `out` is or holds something else, or the
            working directory, or cannot be written.
    """
    if folder.is_index(source.root):
        raise CorpusError(f"{source.name!r} is an index already: give the corpus it was made of")
    try:
        place = _resolved(out)
        _refuse_entered(place, out)
        place.parent.mkdir(parents=True, exist_ok=True)
        with directory.alone(place.parent):
            directory.restore(place)
        directory.refuse_foreign(place)
        with directory.building(place.parent) as part:
            build(source, part, words, progress=progress)
            with directory.alone(place.parent):
                directory.replace(place, part)
    except OSError as error:
        raise CorpusError(
            f"the index cannot be written to {str(out)!r} ({error.strerror or error})"
        ) from None
    try:
        return opened(place)
    except Damaged as error:
        raise CorpusError(f"the index in {str(out)!r} was changed at once ({error})") from None


def _refuse_entered(place: Path, out: Path) -> None:
    """Raise where a program works: a folder that is replaced is gone from under it."""
    try:
        entered = Path.cwd().is_relative_to(place)
    except FileNotFoundError:  # the working directory is gone already
        return
    if entered:
        raise CorpusError(f"{str(out)!r} is or holds the working directory: give a new directory")


def _resolved(out: Path) -> Path:
    try:
        return Path(os.path.realpath(out))  # which no circle of links stops
    except ValueError as error:
        raise CorpusError(f"the index cannot be written to {str(out)!r} ({error})") from None


def _name(home: Path) -> str:
    return (home / _CURRENT).read_text(encoding="utf-8").strip()


def _current(home: Path) -> Old | None:
    try:
        return opened(home / _name(home))
    except (OSError, ValueError, Damaged):
        return None


def _renewed(
    source: Corpus, home: Path, words: int, old: Old | None, progress: Progress | None
) -> Old:
    _sweep(home, keep=_name(home) if old else "")
    with directory.building(home) as part:
        built = build(source, part, words, old=old, progress=progress)
        place = home / built.fingerprint[:16]
        shutil.rmtree(place, ignore_errors=True)
        part.rename(place)
    pointer = home / f"{_CURRENT}.{os.getpid()}"
    pointer.write_text(place.name, encoding="utf-8")
    pointer.replace(home / _CURRENT)
    _sweep(home, keep=place.name)
    return opened(place)


def _sweep(home: Path, keep: str) -> None:
    """Remove what a stopped build or an earlier state of the corpus left."""
    for each in home.iterdir():
        if each.is_dir() and each.name != keep:
            shutil.rmtree(each, ignore_errors=True)


def _still(held: Manifest, source: Corpus) -> Manifest | None:
    """Return the manifest, with new times, if the files are the same that it was made of."""
    found, _ = folder.files(source.root)
    before = {file.name: file for file in held.files}
    if [file.name for file in found] != sorted((*before, *held.unread)):
        return None
    now: list[Read] = []
    for file in found:
        read = before.get(file.name)
        if read is None:
            if _sha256(file) is not None:
                return None
            continue
        sure = file.mtime_ns < held.written_ns - _UNSURE_NS
        if file.size != read.size:
            return None
        if not sure or file.mtime_ns != read.mtime_ns:
            if _sha256(file) != read.sha256:
                return None
            read = replace(read, mtime_ns=file.mtime_ns)
        now.append(read)
    return held if tuple(now) == held.files else replace(held, files=tuple(now))


def _sha256(file: File) -> str | None:
    try:
        return manifest.hashed(file)
    except OSError:  # it cannot be read
        return None
