"""What is a text without case, accents and odd forms of a letter?"""

from __future__ import annotations

from functools import lru_cache

from widedeep import text as text_module


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """Return a text folded as `widedeep.text.fold` does; ASCII, which is common, takes no search.

    Words come again and again, so many are kept.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    return text_module.fold(text)
