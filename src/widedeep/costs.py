"""What may a run take, on which terms, and what does something cost?"""

from __future__ import annotations

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


@dataclass(frozen=True, slots=True)
class Prices:
    """What a model takes for a million tokens, in USD; None = as `input`."""

    input: float
    output: float
    cached: float | None = None
    cache_write: float | None = None


@dataclass(frozen=True, slots=True)
class Terms:
    """How a run's calls are made and shown: what a replay must know; see `Agent`."""

    turn_deadline: float
    serial: bool
    early_start: bool
    text_limit: int
    max_output: int
    style: Style | None = None
