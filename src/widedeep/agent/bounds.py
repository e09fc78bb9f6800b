"""What may the next request cost at most, and what did the last one take?"""

from __future__ import annotations

import json
from math import ceil, inf

from widedeep.agent.state import RunState
from widedeep.budget import plus
from widedeep.costs import Cost, charge, most
from widedeep.messages import Assistant, Message, Results, StoppedBy, Usage
from widedeep.seams import ModelInfo, ToolSpec

MARGIN = 1.15
"""Factor on the measured tokens a byte."""

TAIL = 1_000
"""Bytes set aside for the tail of a request."""


def request_bound(
    run: RunState, more: int = 0, output: int | None = None, reach: float = 0.0
) -> Cost:
    """Return what a request with the present history costs at most.

    Args:
        run: the run.
        more: bytes by which its history may have grown by then.
        output: tokens of its reply at most; None = as many as any request may have.
        reach: tokens that its input may have once more comes to it, which can make all dearer.
    """
    sent = run.size(_size) + _specs_size(run.offered) + TAIL + more
    tokens = ceil(sent * run.tokens_per_byte)
    written = run.setup.max_output if output is None else output
    return _priced(run.setup.model.info, tokens, written, reach)


def room(run: RunState) -> tuple[float, StoppedBy, str]:
    """Return how many calls fit into the coming turn, and which limit says so, and whose it is.

    After the request, the calls and their results the answering request must still fit.
    """
    found = _room(run, 0.0)
    prices = run.setup.model.info.prices
    if prices is None or not prices.tiers:
        return found
    shown = ceil(run.setup.text_limit * run.tokens_per_byte)
    return _room(run, _answering(run).tokens + shown * found[0])


def _room(run: RunState, reach: float) -> tuple[float, StoppedBy, str]:
    setup = run.setup
    fixed = plus(request_bound(run), _answering(run, reach))
    shown = ceil(setup.text_limit * run.tokens_per_byte)
    each = plus(_worst(run), _priced(setup.model.info, shown, 0, reach))
    return run.spend.fitting(fixed, each)


def _answering(run: RunState, reach: float = 0.0) -> Cost:
    """Return what the answering request after the coming turn costs at most, without its calls."""
    reply = ceil(run.setup.max_output / max(run.tokens_per_byte, 0.01))
    return request_bound(run, reply, reach=reach)


def affords(run: RunState, bound: Cost) -> bool:
    """Say whether a request still fits into what is left."""
    return run.spend.fitting(bound, Cost(0, 0.0))[0] >= 0


def exceeds(cost: Cost, bound: Cost) -> bool:
    """Say whether a provider billed more than the bound."""
    usd = cost.usd is not None and bound.usd is not None and cost.usd > bound.usd + 1e-12
    return usd or cost.tokens > bound.tokens


def estimated(run: RunState, messages: tuple[Message, ...]) -> int:
    """Return the tokens that a request with these messages and its reply take, near enough."""
    sent = sum(map(_size, messages)) + _specs_size(run.offered) + TAIL
    return ceil(sent * run.tokens_per_byte) + run.setup.max_output


def measure(run: RunState, usage: Usage, sent: int) -> None:
    """Learn from a reply how many tokens a byte is."""
    if usage.input and sent:
        run.tokens_per_byte = usage.input / sent * MARGIN


def sent_bytes(run: RunState) -> int:
    """Return the bytes that a request with the present history has, without its tail."""
    return run.size(_size) + _specs_size(run.offered)


def cost_of(info: ModelInfo, usage: Usage, bound: Cost | None) -> Cost:
    """Return what a reply took; what the provider did not say counts at its bound.

    `cached` and `cache_write` tokens are part of `input`, `reasoning` ones of `output`.
    """
    if usage.input is None or usage.output is None:
        return bound or Cost(0, 0.0 if info.free else None)
    tokens = usage.input + usage.output
    if info.free or info.prices is None:
        return Cost(tokens, 0.0 if info.free else None)
    cached, stored = usage.cached or 0, usage.cache_write or 0
    return Cost(tokens, charge(info.prices, usage.input, usage.output, cached, stored))


def _priced(info: ModelInfo, read: int, written: int, reach: float = 0.0) -> Cost:
    """Return tokens with their highest price."""
    if info.free or info.prices is None:
        return Cost(read + written, 0.0 if info.free else None)
    return Cost(read + written, most(info.prices, read, written, reach))


def _worst(run: RunState) -> Cost:
    """Return what the dearest of the tools takes for a call at worst."""
    bounds = [tool.bound for tool in run.setup.tools] or [Cost(0, 0.0)]
    usd = [inf if bound.usd is None else bound.usd for bound in bounds]
    return Cost(max(bound.tokens for bound in bounds), max(usd))


def _size(message: Message) -> int:
    """Return the bytes of a message as a request holds it, near enough for a bound."""
    if isinstance(message, Results):
        return sum(len(result.text.encode(errors="replace")) + 50 for result in message.results)
    size = len(message.text.encode(errors="replace")) + 50
    if isinstance(message, Assistant):
        size += len((message.reasoning or "").encode(errors="replace"))
        size += sum(len(json.dumps(call.arguments, default=str)) + 100 for call in message.calls)
    return size


def _specs_size(specs: tuple[ToolSpec, ...]) -> int:
    return sum(map(_spec_size, specs))


def _spec_size(spec: ToolSpec) -> int:
    schema = json.dumps(spec.schema, default=str)
    return len(spec.name.encode()) + len(spec.description.encode()) + len(schema.encode())
