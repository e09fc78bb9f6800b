"""When do two searches ask for the same?"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_QUOTED = re.compile(r"(\"[^\"]*\"|“[^”]*”)")
_CLOSING = ".,;:!?…。！？、"


def search_key(arguments: Mapping[str, Any]) -> str:
    """Return the arguments as canonical JSON, with their `query` folded."""
    folded = dict(arguments)
    if isinstance(folded.get("query"), str):
        folded["query"] = fold(folded["query"])
    return json.dumps(folded, sort_keys=True, ensure_ascii=False, default=str)


def fold(query: str) -> str:
    """Return a query without what does not change its meaning, but for what stands in quotes.

    Case, runs of spaces, and punctuation that closes a word or the query are folded.
    """
    parts = _QUOTED.split(query)
    # The pattern has one group, so every second part is a quoted one.
    folded = [part if at % 2 else _fold_plain(part) for at, part in enumerate(parts)]
    return " ".join(part for part in folded if part)


def _fold_plain(text: str) -> str:
    words = (word.rstrip(_CLOSING) for word in text.casefold().split())
    return " ".join(word for word in words if word)
