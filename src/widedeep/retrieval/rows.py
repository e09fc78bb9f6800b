"""Which documents do the rows of a JSON file hold?"""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, cast

from widedeep.extract import MAX_BYTES, Unreadable
from widedeep.extract.charset import clean, decode
from widedeep.retrieval import render
from widedeep.retrieval.folder import File
from widedeep.retrieval.types import Document, Naming, Skipped
from widedeep.retrieval.values import is_list, is_object

MAX_LINE = 64 * 2**20
"""Bytes of one line of JSON Lines that are still read."""

_ID = ("_id", "id", "url")
_TEXT = ("text", "contents", "content", "body", "abstract")
_TITLE = ("title", "name")
_GZIP = b"\x1f\x8b"
_CHUNK = 2**20


def lines(file: File) -> Iterator[Document | Skipped]:
    """Yield the rows of a JSON Lines file, gzipped or not; bad lines are counted."""
    with _opened(file.path) as stream:
        yield from _read_lines(file.name, stream)


def whole(file: File, naming: Naming | None = None) -> Iterator[Document | Skipped]:
    """Yield the rows of a JSON file that is a list of them, or the one document it is.

    Raises:
        Unreadable: it is not JSON, or too big or nested too deep.
    """
    with _opened(file.path) as stream:
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise Unreadable(f"is larger than {MAX_BYTES // 2**20} MB (JSON Lines may be larger)")
    try:
        value = json.loads(decode(data))
    except json.JSONDecodeError as error:
        if error.msg != "Extra data":
            raise Unreadable(f"is not JSON (line {error.lineno}: {error.msg})") from None
        yield from _read_lines(file.name, io.BytesIO(data))
        return
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"is not JSON that can be read ({type(error).__name__})") from None
    if is_list(value) and any(is_object(row) for row in value):
        yield from _grouped(_list_rows(file.name, value))
    else:
        yield _single(file.name, value, naming)


def _opened(path: str) -> BinaryIO:
    with Path(path).open("rb") as stream:
        zipped = stream.read(2) == _GZIP
    return cast("BinaryIO", gzip.open(path, "rb")) if zipped else Path(path).open("rb")


def _read_lines(name: str, stream: BinaryIO) -> Iterator[Document | Skipped]:
    lines = enumerate(_lines(stream), 1)
    return _grouped(_row_of_line(name, number, line) for number, line in lines if line.strip())


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a stream; of one that is too long only its start is ever held."""
    while line := stream.readline(MAX_LINE + 1):
        yield line
        rest = line if len(line) > MAX_LINE else b"\n"
        while rest and not rest.endswith(b"\n"):
            rest = stream.readline(_CHUNK)


def _row_of_line(name: str, number: int, line: bytes) -> Document | Skipped:
    if len(line) > MAX_LINE:
        return Skipped(f"{name}:{number}", "is too long a line")
    try:
        return _row(f"{name}#{number}", json.loads(_text_of(line)))
    except (ValueError, RecursionError):
        return Skipped(f"{name}:{number}", "is not a JSON object")


def _text_of(line: bytes) -> str:
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError:
        return decode(line)


def _list_rows(name: str, values: list[Any]) -> Iterator[Document | Skipped]:
    for number, value in enumerate(values, 1):
        try:
            yield _row(f"{name}#{number}", value)
        except (ValueError, RecursionError):
            yield Skipped(f"{name}#{number}", "is not a JSON object")


def _row(place: str, row: Any) -> Document:
    """Return the document that a row is.

    Raises:
        ValueError: it is not an object.
    """
    if not is_object(row):
        raise ValueError("not an object")
    text = next((found for key in _TEXT if (found := _paragraphs(row.get(key)))), None)
    if text is None:
        rest = {key: part for key, part in row.items() if key not in (*_ID, *_TITLE, *_TEXT)}
        text = render.lines(rest)
    url = _short(row.get("url"))
    return Document(
        id=next((found for key in _ID if (found := _short(row.get(key)))), place),
        title=next((found for key in _TITLE if (found := _short(row.get(key)))), None),
        text=text,
        url=url if url and url.startswith(("http://", "https://")) else None,
    )


def _single(name: str, value: Any, naming: Naming | None) -> Document:
    try:
        text = render.lines(value)
    except RecursionError:
        raise Unreadable("is nested too deep") from None
    if not text:
        raise Unreadable("is JSON without any values")
    if naming is not None:
        return Document(*naming(name, value), text)
    names = [_short(value.get(key)) for key in _TITLE] if is_object(value) else []
    own = next((name for name in names if name), None)
    stem = PurePosixPath(name.removesuffix(".gz")).stem
    return Document(name, own or stem, text)


def _paragraphs(value: Any) -> str | None:
    """Return a text field's text: a string, or paragraphs in a list."""
    if isinstance(value, str):
        return clean(value).strip() or None
    if is_list(value) and all(isinstance(part, str) for part in value):
        return clean("\n\n".join(value)).strip() or None
    return None


def _short(value: Any) -> str | None:
    """Return an id or a title as one line."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    return " ".join(clean(str(value)).split()) or None


def _grouped(found: Iterable[Document | Skipped]) -> Iterator[Document | Skipped]:
    """Yield documents as they come, then one `Skipped` for each reason."""
    groups: dict[str, Skipped] = {}
    for each in found:
        if isinstance(each, Document):
            yield each
        elif before := groups.get(each.reason):
            groups[each.reason] = Skipped(before.path, before.reason, before.count + 1)
        else:
            groups[each.reason] = each
    yield from groups.values()
