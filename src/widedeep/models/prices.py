"""What does a model take for its tokens? As the user says, else as genai-prices knows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Any

from widedeep.costs import Prices, Tier, dearest

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo, ModelPrice

LOCAL = frozenset({"ollama", "vllm", "llamacpp", "lmstudio"})
"""Servers of the user's own: what theirs costs nobody knows but they."""

IDS = {"xai": "x-ai", "bedrock": "aws", "gemini": "google", "vertex": "google"}
"""What genai-prices calls a provider, where it is not our word."""

SETTINGS = "settings"
"""The source of prices that the user set."""

_FIELDS = ("input_mtok", "output_mtok", "cache_read_mtok", "cache_write_mtok")

_UNCOUNTED = (
    "requests_kcount",
    "input_mchars",
    "input_text_messages_kcount",
    "output_citation_mtok",
    "output_reasoning_mtok",
)
"""Prices of what `Usage` does not count: a bill of them cannot be computed."""


def prices_of(
    provider: str,
    model: str,
    overrides: Mapping[str, Prices] | None = None,
    day: date | None = None,
) -> Prices | None:
    """Return the prices of a model, None where they are unknown; nothing is asked for over a net.

    Args:
        provider: its name (`openai`), or the address of its server.
        model: its name there.
        overrides: prices that the user set, by `provider:model`, `compat:address#model` or `model`.
        day: the day to which they apply; None = today. Where they change over the day, the
            highest count.
    """
    for name in (f"{provider}:{model}", f"compat:{provider}#{model}", model):
        own = (overrides or {}).get(name)
        if own is not None:
            return own if own.source else replace(own, source=SETTINGS)
    known = _known(provider, model)
    if known is None:
        return None
    found = {_read(prices) for prices in _during(known, day or datetime.now(UTC).date())}
    whole = [prices for prices in found if prices is not None]
    if len(whole) < len(found):
        return None
    return whole[0] if len(whole) == 1 else dearest(whole)


def context_of(provider: str, model: str) -> int | None:
    """Return how many tokens of input a model takes, None where that is unknown."""
    known = _known(provider, model)
    return None if known is None else known.context_window


def _known(provider: str, model: str) -> ModelInfo | None:
    if provider in LOCAL:
        return None
    from genai_prices.data_snapshot import get_snapshot

    address = provider if "://" in provider else None
    name = None if address else IDS.get(provider, provider)
    try:
        return get_snapshot().find_provider_model(model, None, name, address)[1]
    except LookupError:
        return None


def _during(model: ModelInfo, day: date) -> Iterator[ModelPrice]:
    """Yield the prices that hold at some time of a day (UTC)."""
    from genai_prices.types import ModelPrice, TimeOfDateConstraint

    if isinstance(model.prices, ModelPrice):
        yield model.prices
        return
    times = {time(tzinfo=UTC)}
    for one in model.prices:
        if isinstance(one.constraint, TimeOfDateConstraint):
            times |= {one.constraint.start_time, one.constraint.end_time}
    for at in sorted(_utc(at) for at in times):
        yield model.get_prices(datetime.combine(day, at))


def _utc(at: time) -> time:
    """Return a time of day in UTC; without a zone it is one."""
    if at.tzinfo is None:
        return at.replace(tzinfo=UTC)
    return datetime.combine(date(2000, 1, 1), at).astimezone(UTC).timetz()


def _read(prices: ModelPrice) -> Prices | None:
    """Return what genai-prices says in our words; None where it says too little or too much."""
    from genai_prices import __version__

    rows = [getattr(prices, name) for name in _FIELDS]
    uncounted = any(getattr(prices, name) is not None for name in _UNCOUNTED)
    if uncounted or rows[0] is None or rows[1] is None:
        return None
    starts = sorted({tier.start for row in rows for tier in getattr(row, "tiers", ())})
    tiers = tuple(Tier(over, *_at(rows, over)) for over in starts)
    return Prices(*_at(rows, -1), tiers, f"genai-prices {__version__}")


def _at(rows: list[Any], over: int) -> tuple[float, float, float | None, float | None]:
    """Return the four prices of a request of more than `over` tokens of input."""
    read, written, cached, stored = (None if row is None else _one(row, over) for row in rows)
    assert read is not None
    assert written is not None
    return read, written, cached, stored


def _one(row: Any, over: int) -> float:
    if not hasattr(row, "tiers"):
        return float(row)
    reached = [tier.price for tier in row.tiers if tier.start <= over]
    return float(reached[-1] if reached else row.base)
