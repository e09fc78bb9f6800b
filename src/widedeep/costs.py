"""What may a run take, on which terms, and what does something cost?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from widedeep.defaults import MAX_TURNS

Style = Literal["short", "brief", "report"]
"""How much an answer tells."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of a run: turns that may call tools, calls executed, what it may spend. None = none.

    `seconds` are of the run's own clock; the last quarter, at most 60, is for the answer.
    """

    turns: int | None = MAX_TURNS
    calls: int | None = None
    tokens: int | None = None
    usd: float | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """What something takes: tokens, input and output together, and USD (None = unknown)."""

    tokens: int
    usd: float | None


FREE = Cost(0, 0.0)
"""What costs nothing, and is known to."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request or a run. None = the provider did not say."""

    input: int | None = None
    cached: int | None = None
    cache_write: int | None = None
    output: int | None = None
    reasoning: int | None = None


@dataclass(frozen=True, slots=True)
class Tier:
    """What holds, as in `Prices`, for a request of more than `over` tokens of input."""

    over: int
    input: float
    output: float
    cached: float | None = None
    cache_write: float | None = None


@dataclass(frozen=True, slots=True)
class Prices:
    """What a model takes for a million tokens, in USD; None = as `input`.

    `tiers`, by rising `over`: other prices for all tokens of a long request. `source`: who says so.
    """

    input: float
    output: float
    cached: float | None = None
    cache_write: float | None = None
    tiers: tuple[Tier, ...] = ()
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Terms:
    """How a run's calls are made and shown: what a replay must know; see `Agent`."""

    turn_deadline: float
    serial: bool
    early_start: bool
    text_limit: int
    max_output: int
    style: Style | None = None
    language: str | None = None


def plus(left: Cost, right: Cost, sign: int = 1) -> Cost:
    """Return the sum (or difference) of two costs; what is unknown stays unknown."""
    unknown = left.usd is None or right.usd is None
    usd = None if unknown else (left.usd or 0.0) + sign * (right.usd or 0.0)
    return Cost(left.tokens + sign * right.tokens, usd)


def charge(prices: Prices, read: int, written: int, cached: int = 0, stored: int = 0) -> float:
    """Return the USD that a request takes.

    Args:
        prices: of its model.
        read: tokens of its input in all.
        written: tokens of its output in all.
        cached: those of its input that came from the provider's cache.
        stored: those of its input that were written to the cache.
    """
    fitting = [tier for tier in prices.tiers if read > tier.over]
    rates = fitting[-1] if fitting else prices
    total = max(0, read - cached - stored) * rates.input + written * rates.output
    total += cached * (rates.input if rates.cached is None else rates.cached)
    total += stored * (rates.input if rates.cache_write is None else rates.cache_write)
    return total / 1e6


def most(prices: Prices, read: int, written: int, reach: float = 0.0) -> float:
    """Return the USD that a request of so many tokens takes at most, whatever is cached of it.

    `reach`: tokens that the whole input may have, if `read` are only a part of it.
    """
    tiers = [tier for tier in prices.tiers if max(read, reach) > tier.over]
    return max(read * _dearest(rates) + written * rates.output for rates in (prices, *tiers)) / 1e6


def dearest(several: Iterable[Prices]) -> Prices:
    """Return prices that are at least as high as each of these for any request."""
    all_of = tuple(several)
    tiers: list[Tier] = []
    for over in sorted({tier.over for prices in all_of for tier in prices.tiers}):
        reached = [tier for prices in all_of for tier in prices.tiers if tier.over <= over]
        tiers.append(Tier(over, *_highest((*all_of, *reached))))
    sources = dict.fromkeys(prices.source for prices in all_of if prices.source)
    return Prices(*_highest(all_of), tuple(tiers), ", ".join(sources) or None)


def _highest(several: Iterable[Prices | Tier]) -> tuple[float, float, float | None, float | None]:
    rates = tuple(several)
    cached = [rate.input if rate.cached is None else rate.cached for rate in rates]
    stored = [rate.input if rate.cache_write is None else rate.cache_write for rate in rates]
    return (
        max(rate.input for rate in rates),
        max(rate.output for rate in rates),
        max(cached),
        max(stored),
    )


def _dearest(rates: Prices | Tier) -> float:
    return max(rates.input, rates.cached or 0.0, rates.cache_write or 0.0)
