"""What of a tool's output is kept and shown: the one choke point for size, encoding and trust."""

from __future__ import annotations

import re
from dataclasses import replace

from widedeep.messages import Found, ToolOutput

KEPT = 2_000_000
"""Characters of one text that are kept at all."""

_BAD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def clean(output: ToolOutput) -> ToolOutput:
    """Return the output with every text bounded and encodable: no NUL, no lone surrogate."""
    sources = output.sources
    if sources is not None:
        sources = tuple(_clean_found(found) for found in sources)
    return ToolOutput(_clean(output.text), sources, output.data)


def shown(text: str, limit: int) -> str:
    """Return at most `limit` characters of the text, with a notice where it was cut."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}\n[cut: {limit:,} of {len(text):,} characters shown]"


def frame(text: str, delimiter: str) -> str:
    """Put text from outside between delimiters that it cannot contain."""
    return f"<<{delimiter}\n{text.replace(delimiter, '')}\n{delimiter}>>"


def _clean_found(found: Found) -> Found:
    title = None if found.title is None else _clean(found.title)
    return replace(found, id=_clean(found.id), text=_clean(found.text), title=title)


def _clean(text: str) -> str:
    text = text[:KEPT]
    return text if text.isascii() and text.isprintable() else _BAD.sub("\ufffd", text)
