"""Which day does a source give for itself?"""

from __future__ import annotations

import re

from widedeep import text as words
from widedeep.messages import Source

_LABEL = re.compile(
    r"[\W_]*(?:(?:date|publication)[ _-]?)?"
    r"(?:published|posted|updated|modified|revised|issued|reviewed|dated|date"
    r"|last[ _-](?:updated|modified|revised|reviewed|changed)|as of)"
    r"(?:[ _-](?:date|on|at|in|time))?\b[^\w\n]*",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"(?<=\d)T(?=\d)")
_TIME = re.compile(r"\b\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?")
_TOP = 5
"""Lines from the top among which one that is nothing but a day is the source's own."""


def stated(source: Source) -> str | None:
    """Return the day that a source's text or title states as its own, in ISO 8601, else None.

    A line that begins with a label (`Published: 3 May 2024`) comes first, then a line near the top
    that is only a day, then a day in the title. Days that a sentence tells of are not the source's.
    """
    lines = [line for line in source.text.splitlines() if line.strip()]
    for line in lines:
        label = _LABEL.match(line)
        if label and (day := _only(line[label.end() :])):
            return day
    tops = (day for line in lines[:_TOP] if (day := _only(line)))
    return next(tops, None) or _one(source.title or "")


def _only(text: str) -> str | None:
    """Return the day that a text consists of; a time of day may follow."""
    apart = _BETWEEN.sub(" ", text)
    rest = _TIME.sub("", words.without_dates(apart))
    return None if re.search(r"\w", rest) else _one(apart)


def _one(text: str) -> str | None:
    days = words.dates(text)
    if len(days) != 1:
        return None
    [(year, month, day)] = days
    possible = 1 <= month <= 12 and 1 <= day <= 31
    return f"{year:04}-{month:02}-{day:02}" if possible else None
