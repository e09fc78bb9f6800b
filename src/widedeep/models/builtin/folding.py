"""What is a text without case, accents and odd forms of a letter?"""

from __future__ import annotations

from functools import lru_cache

from widedeep import text as text_module

_SHORT = 40
"""Characters: words come again and again, so many are kept; longer texts are folded anew."""


def fold(text: str) -> str:
    """Return a text folded as `widedeep.text.fold` does; ASCII, which is common, sooner."""
    return _kept(text) if len(text) <= _SHORT else _folded(text)


def _folded(text: str) -> str:
    if text.isascii():
        return " ".join(text.lower().split())
    return text_module.fold(text)


_kept = lru_cache(maxsize=65536)(_folded)
