"""Which kind of content is this, and what is its text?"""

from __future__ import annotations

import re

from widedeep.extract import html, pdf, plain
from widedeep.extract.charset import decode, is_wide
from widedeep.extract.types import Extracted, Kind, Unreadable

MAX_BYTES = 256 * 2**20
"""Bytes of one file or page that are still read."""

_BINARY = (
    (b"PK\x03\x04", "a zip archive or office document"),
    (b"\xd0\xcf\x11\xe0", "an old office document"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF8", "an image"),
    (b"RIFF", "an image or sound"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3", "a database"),
    (b"{\\rtf", "an RTF document"),
)
_PAGE = re.compile(r"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_TAG = re.compile(r"</?(?:p|div|h[1-6]|article|section|table|ul|ol|title|meta|br)\b", re.IGNORECASE)
_HTML_NAME = re.compile(r"\.x?html?$", re.IGNORECASE)
_HEAD = 4096


def extract(data: bytes, *, name: str = "", main_content: bool = True) -> Extracted:
    """Return the text of a file or page.

    Args:
        data: its bytes.
        name: its file name, which decides only between an HTML fragment and plain text.
        main_content: leave menus and the like out of an HTML page.

    Raises:
        Unreadable: it is empty, too big, binary, damaged, encrypted, or a scan without text.
    """
    if len(data) > MAX_BYTES:
        raise Unreadable(f"is larger than {MAX_BYTES // 2**20} MB")
    if not data.strip():
        raise Unreadable("is empty")
    if b"%PDF-" in data[:1024]:
        return pdf.read(data)
    for magic, what in _BINARY:
        if data.startswith(magic):
            raise Unreadable(f"is {what}")
    text = decode(data, html=True)
    if _kind(text, name) == "html":
        return html.read(text, main_content=main_content)
    _refuse_binary(data, text)
    return plain.read(text)


def _kind(text: str, name: str) -> Kind:
    head = text[:_HEAD].lstrip()
    if head.startswith("<") and _PAGE.search(head):
        return "html"
    return "html" if _HTML_NAME.search(name) and _TAG.search(head) else "text"


def _refuse_binary(data: bytes, text: str) -> None:
    """Raise for bytes that are no text in any encoding."""
    control = sum(byte < 9 or 13 < byte < 32 for byte in data[:_HEAD])
    strange = text[:_HEAD].count("\ufffd")
    if (
        not text.strip()
        or strange > 0.1 * _HEAD
        or (control > 0.02 * len(data[:_HEAD]) and not is_wide(data))
    ):
        raise Unreadable("is binary")
