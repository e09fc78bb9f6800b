"""Which documents does a file hold?"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from widedeep.extract import MAX_BYTES, Unreadable, extract
from widedeep.retrieval import rows
from widedeep.retrieval.folder import File
from widedeep.retrieval.types import Document, Naming, Skipped

__all__ = ["Document", "Skipped", "read"]

_ROWS = re.compile(r"\.jsonl(?:\.gz)?$", re.IGNORECASE)
_JSON = re.compile(r"\.json(?:\.gz)?$", re.IGNORECASE)


def read(file: File, naming: Naming | None = None) -> Iterator[Document | Skipped]:
    """Yield the documents of one file, and what of it had to be skipped and why.

    Args:
        file: the file; its `name` is the id of a document that is a whole file.
        naming: id and title of a nested JSON file, where the usual ones are not wanted.
    """
    try:
        if _ROWS.search(file.name):
            yield from rows.lines(file)
        elif _JSON.search(file.name):
            yield from rows.whole(file, naming)
        else:
            yield _extracted(file)
    except Unreadable as error:
        yield Skipped(file.name, str(error))
    except (OSError, EOFError, zlib.error) as error:
        yield Skipped(file.name, f"cannot be read ({_reason(error)})")


def _extracted(file: File) -> Document:
    if file.size > MAX_BYTES:
        raise Unreadable(f"is larger than {MAX_BYTES // 2**20} MB")
    found = extract(Path(file.path).read_bytes(), name=file.name)
    title = found.title or PurePosixPath(file.name).stem
    return Document(file.name, " ".join(title.split()), found.text)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
