"""Which characters do these bytes mean?"""

from __future__ import annotations

import codecs
import re

# A longer mark first: the one of UTF-32 starts with the one of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 4096
_BAD = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def decode(data: bytes, *, html: bool = False) -> str:
    """Return the text of `data`: by its mark, as UTF-8, by what HTML declares, or by statistics.

    Bytes that mean nothing in the encoding found become U+FFFD; nothing is dropped in silence.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return clean(data[len(mark) :].decode(encoding, errors="replace"))
    wide = _utf16_without_mark(data)
    if wide is not None:
        return clean(data.decode(wide, errors="replace"))
    try:
        return clean(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        if error.start > len(data) - 4 and error.reason == "unexpected end of data":
            return clean(data.decode("utf-8", errors="replace"))
    return clean(_guessed(data, html=html))


def clean(text: str) -> str:
    """Return `text` that can be stored and sent: one kind of line end, no NUL, no lone surrogate.

    Surrogate pairs become their character, other bad code points U+FFFD or nothing.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not _BAD.search(text):
        return text
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _BAD.sub("", whole)


def is_wide(data: bytes) -> bool:
    """Tell whether zero bytes are part of the text: it is in UTF-16 or UTF-32."""
    marked = any(data.startswith(mark) for mark, _ in _MARKS[1:])
    return marked or _utf16_without_mark(data) is not None


def _utf16_without_mark(data: bytes) -> str | None:
    """Tell UTF-16 of mostly Latin text by where its zero bytes stand."""
    sample = data[:_SAMPLE]
    if len(sample) < 4 or b"\x00" not in sample:
        return None
    half = len(sample) // 2
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd > 0.6 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.6 * half and odd < 0.05 * half:
        return "utf-16-be"
    return None


def _guessed(data: bytes, *, html: bool) -> str:
    from resiliparse.parse.encoding import detect_encoding  # pyright: ignore[reportMissingModuleSource]

    encoding = detect_encoding(data, from_html_meta=html) or "cp1252"
    if encoding.lower() in {"utf-8", "ascii"}:  # it is not, or we would not be here
        encoding = "cp1252" if _mostly_latin(data) else "utf-8"
    try:
        return data.decode(encoding, errors="replace")
    except LookupError:
        return data.decode("cp1252", errors="replace")


def _mostly_latin(data: bytes) -> bool:
    """Tell stray single bytes in ASCII text from UTF-8 that is damaged in one place."""
    broken = data.decode("utf-8", errors="replace").count("\ufffd")
    high = sum(byte >= 0x80 for byte in data[:1_000_000])
    return broken > 0.5 * high
