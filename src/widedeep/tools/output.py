"""What of a tool's output is kept and shown: the one choke point for size, encoding and trust."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any, get_args

from widedeep.messages import Found, SourceKind, ToolOutput

KEPT = 2_000_000
"""Characters of one text that are kept at all."""

KINDS = get_args(SourceKind)

_BAD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\r"))


def clean(output: ToolOutput) -> ToolOutput:
    """Return the output with every text bounded and encodable: no NUL, no lone surrogate.

    `data` that is no JSON is dropped.
    """
    sources = output.sources
    if sources is not None:
        if not all(isinstance(found, Found) for found in sources):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError("ToolOutput.sources holds something that is no Found")
        sources = tuple(_clean_found(found) for found in sources)
    data = None if output.data is None else _json(output.data)
    text = clean_text(output.text)
    if text is output.text and sources is None and output.data is None:
        return output
    return ToolOutput(text, sources, data, output.cost)


def clean_text(text: str) -> str:
    """Return a text from outside bounded and encodable."""
    if len(text) > KEPT:
        text = f"{text[:KEPT]}\n[cut: {KEPT:,} of {len(text):,} characters kept]"
    if text.isascii() and len(text.encode().translate(None, _CONTROLS)) == len(text):
        return text  # the common case, and many times faster than the pattern
    return _BAD.sub("\ufffd", text)


def shown(text: str, limit: int) -> str:
    """Return at most `limit` characters of the text, with a notice where it was cut."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}\n[cut: {limit:,} of {len(text):,} characters shown]"


def cut(output: ToolOutput, limit: int) -> tuple[ToolOutput, str]:
    """Return what of an output fits into `limit` characters, and a notice of what was cut.

    What is not shown is no source: it cannot be cited.
    """
    sources = output.sources
    size = len(output.text) + sum(map(_size, sources or ()))
    if size <= limit:
        return output, ""
    text = output.text[:limit]
    notice = f"\n[cut: {limit:,} of {size:,} characters shown]"
    if sources is None:
        return ToolOutput(text, None, output.data), notice
    left = limit - len(text)
    kept: list[Found] = []
    for found in sources:
        room = left - _size(found) + len(found.text)
        if room <= 0:
            break
        kept.append(found if len(found.text) <= room else replace(found, text=found.text[:room]))
        left -= _size(found)
    return ToolOutput(text, tuple(kept), output.data), notice


def _size(found: Found) -> int:
    """Return the characters that a source takes where it is shown."""
    return len(found.text) + len(found.title or "") + len(found.id)


def frame(text: str, delimiter: str) -> str:
    """Put text from outside between delimiters that it cannot contain."""
    return f"<<{delimiter}\n{text.replace(delimiter, '[mark]')}\n{delimiter}>>"


def _clean_found(found: Found) -> Found:
    if found.kind not in KINDS:
        raise ValueError(f"a source's kind is {found.kind!r}: take one of {', '.join(KINDS)}")
    title = None if found.title is None else clean_text(found.title)
    url = None if found.url is None else clean_text(found.url)
    return Found(clean_text(found.id), clean_text(found.text), found.kind, title, url)


def _json(data: Any) -> Any:
    try:
        return json.loads(json.dumps(data))
    except (TypeError, ValueError, RecursionError):
        return None
