"""What is a value that came from outside? An object, a list, a text, or nothing of the kind."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn, cast


def _none(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


decoder = json.JSONDecoder(strict=False, parse_constant=_none)
"""Reads JSON that a model wrote: with line breaks in its texts, but without NaN and Infinity."""


MOST = 10**12
"""The highest number of anything that is believed."""


def mapping(value: object) -> Mapping[str, Any]:
    """Return a JSON object; empty when it is none."""
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def listed(value: object) -> list[Any]:
    """Return a JSON list; empty when it is none."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def text(value: object) -> str:
    """Return a text; empty when it is none."""
    return value if isinstance(value, str) else ""


def count(value: object) -> int | None:
    """Return a number of something; what is none, or cannot be, is unknown."""
    whole = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST
    return cast("int", value) if whole else None
