"""What does an index hold, what was it made of, and is it whole?"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, cast

from widedeep.retrieval.folder import MANIFEST, File
from widedeep.retrieval.types import Skipped

VERSION = 3
"""Counts up whenever the same files would give another index."""
ENTRIES = "entries"
"""The folder beside the manifest that holds the lexical index."""
_CHUNK = 2**20


class Damaged(Exception):  # noqa: N818 - a state that the caller repairs
    """An index that is not whole or was written by another version."""


@dataclass(frozen=True, slots=True)
class Read:
    """One file as it was read: what to look at to see whether it has changed."""

    name: str
    size: int
    mtime_ns: int
    sha256: str
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class Manifest:
    """The counts, files and parts of one index."""

    words: int
    documents: int
    passages: int
    renamed: int
    written_ns: int
    """When the files were looked at: one changed later than that may have changed unseen."""
    fingerprint: str
    files: tuple[Read, ...]
    skipped: tuple[Skipped, ...]
    unread: tuple[str, ...] = ()
    """The files that were there and could not be read."""
    entries: Mapping[str, int] = field(default_factory=dict[str, int])
    """The CRC-32 of each file of the lexical index."""


def fingerprint(files: Iterable[Read], words: int) -> str:
    """Return a hash of all that decides what is found."""
    digest = hashlib.sha256(f"{VERSION} {words}\n".encode())
    for file in files:
        digest.update(f"{file.sha256} {file.name}\n".encode())
    return digest.hexdigest()


def hashed(file: File) -> str:
    """Return the hash of a file's bytes.

    Raises:
        OSError: it cannot be read.
    """
    with Path(file.path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def write(folder: Path, manifest: Manifest) -> None:
    """Write the manifest at once or not at all."""
    text = json.dumps({"widedeep_index": VERSION, **asdict(manifest)}, ensure_ascii=False)
    part = folder / f"{MANIFEST}.{os.getpid()}"
    with part.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    part.replace(folder / MANIFEST)


def load(folder: Path) -> Manifest:
    """Return the manifest of an index whose files are all there in full.

    Raises:
        Damaged: it is not whole, or of another version.
    """
    try:
        values = cast("dict[str, Any]", json.loads((folder / MANIFEST).read_bytes()))
        version = values.pop("widedeep_index")
        if version != VERSION:
            raise Damaged(f"it is of version {version!r}, this is version {VERSION}")
        files = tuple(_read(each) for each in values.pop("files"))
        skipped, unread = _skipped(values.pop("skipped")), tuple(values.pop("unread", ()))
        manifest = Manifest(files=files, skipped=skipped, unread=unread, **values)
        found = checksums(folder)
    except OSError as error:
        raise Damaged(f"{error.filename} cannot be read ({error.strerror})") from None
    except (ValueError, LookupError, TypeError, AttributeError):
        raise Damaged(f"{MANIFEST} is not what was written") from None
    changed = [name for name, crc in manifest.entries.items() if found.get(name) != crc]
    if changed or not manifest.entries:
        raise Damaged(f"{ENTRIES}/{min(changed, default='')} is not what was written")
    return manifest


def checksums(folder: Path) -> dict[str, int]:
    """Return the CRC-32 of each file of the lexical index, but for its locks.

    Raises:
        OSError: one cannot be read.
    """
    below = (folder / ENTRIES).iterdir()
    return {each.name: _checksum(each) for each in below if not each.name.endswith(".lock")}


def _checksum(path: Path) -> int:
    crc = 0
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            crc = zlib.crc32(chunk, crc)
    return crc


def _read(values: dict[str, Any]) -> Read:
    return Read(skipped=_skipped(values.pop("skipped")), **values)


def _skipped(values: Iterable[Mapping[str, Any]]) -> tuple[Skipped, ...]:
    return tuple(Skipped(**each) for each in values)
