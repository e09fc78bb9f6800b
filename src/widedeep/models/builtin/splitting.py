"""Which sentences does a text consist of?"""

from __future__ import annotations

from functools import lru_cache

from widedeep import text as text_module


def sentences(text: str) -> list[str]:
    """Return the sentences of a text as `widedeep.text.sentences` does; each line is kept.

    A passage is met again with every turn, and with lines beside those known.
    """
    return [sentence for line in text.splitlines() for sentence in _split(line)]


@lru_cache(maxsize=32768)
def _split(line: str) -> tuple[str, ...]:
    return tuple(text_module.sentences(line))
