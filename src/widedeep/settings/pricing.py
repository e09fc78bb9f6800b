"""What does a user say that a model takes for its tokens?

[prices."openrouter:some/model"]    # USD per million tokens
input = 0.50
output = 2.00
cached = 0.05                       # read from the provider's cache; else as input
cache_write = 0.60                  # written to it; else as input
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import cast

from widedeep.costs import Prices
from widedeep.errors import UsageError
from widedeep.settings.places import short

FIELDS = ("input", "output", "cached", "cache_write")
NEEDED = ("input", "output")
_EXAMPLE = 'such as [prices."NAME"] followed by input = 0.5 and output = 2.0'


def prices(table: object, origin: str) -> dict[str, Prices]:
    """Return the prices of models by name: the file's `[prices]`, unchecked until now.

    Args:
        table: what stands there.
        origin: the file.

    Raises:
        UsageError: something there cannot be; the message names it and what can.
    """
    if not isinstance(table, Mapping):
        raise UsageError(f"{origin}: prices must be tables, {_EXAMPLE}")
    return {
        name: _of(f"prices.{name}", given, origin)
        for name, given in cast("Mapping[str, object]", table).items()
    }


def said(made: Prices) -> dict[str, float]:
    """Return prices by name, without those that are not told."""
    return {name: value for name in FIELDS if (value := getattr(made, name)) is not None}


def _of(name: str, given: object, origin: str) -> Prices:
    if not isinstance(given, Mapping):
        raise UsageError(f"{origin}: {name} = {short.repr(given)} must be a table, {_EXAMPLE}")
    table = cast("Mapping[str, object]", given)
    for key in table:
        if key not in FIELDS:
            known = ", ".join(FIELDS)
            raise UsageError(f"{origin}: unknown key {key!r} in {name}; known keys: {known}")
    for key in NEEDED:
        if key not in table:
            raise UsageError(f"{origin}: {name} has no {key!r}: give it in USD per million tokens")
    said = {key: _usd(f"{name}.{key}", value, origin) for key, value in table.items()}
    return Prices(said["input"], said["output"], said.get("cached"), said.get("cache_write"))


def _usd(name: str, value: object, origin: str) -> float:
    if isinstance(value, (int, float)) and type(value) is not bool and 0 <= value < inf:
        return float(value)
    wanted = "must be USD per million tokens, 0 or more, such as 0.5"
    raise UsageError(f"{origin}: {name} = {short.repr(value)} {wanted}")
