"""How long does a provider ask to wait before it is asked again?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST_WAIT = 86_400.0
"""Seconds that a provider is taken to ask for at most."""

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0}
_PIECE = re.compile(r"(\d+(?:\.\d+)?)\s?(ms|[smhd])", re.ASCII | re.IGNORECASE)
_SPAN = re.compile(rf"(?:{_PIECE.pattern}\s?)+", re.ASCII | re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:\.\d*)?", re.ASCII)
_ISO = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:", re.ASCII)
_DAYS = frozenset("mon tue wed thu fri sat sun".split())
_LONGEST_TEXT = 200

_EPOCH = 1e9
"""From here on a number is no span but a moment, in seconds since 1970 (or milliseconds)."""


def retry_after(value: str | None, now: float) -> float | None:
    """Return the seconds that a `Retry-After` asks to wait (RFC 9110, 10.2.3), None if unreadable.

    Read are also what others send there: fractions, spans with units (`1m30s`, `250ms`), ISO 8601
    dates, moments in seconds since 1970. Of several values the longest wait counts. What is past
    is 0; nothing is longer than a day.

    Args:
        value: what the header says.
        now: the time, in seconds since 1970.
    """
    text = (value or "").strip()
    if not text or len(text) > _LONGEST_TEXT:
        return None
    waits = [_seconds(one, now) for one in _values(text)]
    known = [wait for wait in waits if wait is not None]
    return min(max(known), LONGEST_WAIT) if known else None


def asked_to_wait(headers: Mapping[str, str], now: float) -> float | None:
    """Return the seconds that the headers of a refusal ask to wait, None if they do not say.

    First what is meant for it (`Retry-After-Ms`, `Retry-After`), then when a limit of which
    nothing remains is reset.

    Args:
        headers: names and values, the names in any case.
        now: the time, in seconds since 1970.
    """
    known = {name.lower(): value for name, value in headers.items()}
    exact = _NUMBER.fullmatch(known.get("retry-after-ms", "").strip())
    if exact:
        return min(float(exact[0]) / 1_000, LONGEST_WAIT)
    said = retry_after(known.get("retry-after"), now)
    if said is not None:
        return said
    resets = [
        retry_after(value, now)
        for name, value in known.items()
        if "ratelimit" in name and "reset" in name and _nothing_left(known, name)
    ]
    return max((wait for wait in resets if wait is not None), default=None)


def _nothing_left(headers: Mapping[str, str], reset: str) -> bool:
    return headers.get(reset.replace("reset", "remaining"), "").strip() == "0"


def _values(text: str) -> list[str]:
    """Return the values that stand in a header; the comma after a weekday parts none."""
    values: list[str] = []
    day = ""
    for piece in text.split(","):
        one = piece.strip()
        if one.isalpha() and one[:3].lower() in _DAYS:
            day = f"{one}, "
        elif one:
            values.append(day + one)
            day = ""
    return values


def _seconds(text: str, now: float) -> float | None:
    """Return the seconds of one value: a number, a span with units, or a date."""
    if _NUMBER.fullmatch(text):
        number = float(text)
        if number < _EPOCH:
            return number
        return max(0.0, (number / 1_000 if number >= _EPOCH * 1_000 else number) - now)
    if _SPAN.fullmatch(text):
        return sum(float(many) * _UNITS[unit.lower()] for many, unit in _PIECE.findall(text))
    with suppress(ValueError, TypeError, IndexError, OverflowError):
        return max(0.0, _moment(text).timestamp() - now)
    return None


def _moment(text: str) -> datetime:
    """Return a date of RFC 9110 or ISO 8601; without a zone it is UTC.

    Raises:
        ValueError: it is none.
    """
    moment = datetime.fromisoformat(text) if _ISO.match(text) else parsedate_to_datetime(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
