"""Which sentences does a text consist of, and does it open its document?"""

from __future__ import annotations

import re
from functools import lru_cache

from widedeep import text as text_module
from widedeep.models.builtin.words import tokens

_CUT = re.compile(r"\([^()]*\b[a-z]{1,2}\.$")
"""A bracket that a short word has cut: `(born 1913 – d. March 28, 2003)`."""

_ASIDE = re.compile(r"\s*\([^()]*\)")
_OPENING_WORDS = 14


def sentences(text: str) -> list[str]:
    """Return the sentences of a text as `widedeep.text.sentences` does; each line is kept.

    A passage is met again with every turn, and with lines beside those known.
    """
    return [sentence for line in text.splitlines() for sentence in _split(line)]


@lru_cache(maxsize=32768)
def _split(line: str) -> tuple[str, ...]:
    found: list[str] = []
    for sentence in text_module.sentences(line):
        if found and _CUT.search(found[-1]) and f"{found[-1]} {sentence}" in line:
            found[-1] = f"{found[-1]} {sentence}"
        else:
            found.append(sentence)
    return tuple(found)


@lru_cache(maxsize=8192)
def opens(title: str, text: str) -> bool:
    """Tell whether a text is what its document begins with: its first words hold the title."""
    named = frozenset(tokens(_ASIDE.sub("", title)))
    return bool(named) and named <= frozenset(tokens(text[:300])[:_OPENING_WORDS])
