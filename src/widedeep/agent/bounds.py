"""What may the next request cost at most, and what did the last one take?"""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import ceil, inf

from widedeep.agent.state import RunState
from widedeep.costs import FREE, Cost, charge, most, plus
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


@dataclass(frozen=True, slots=True)
class _Needs:
    """What must be left for a turn and the answer after it; see `Spend.keep`."""

    request: Cost
    answer: Cost
    each: Cost


def keep(run: RunState) -> tuple[float, StoppedBy, str]:
    """Reserve what the turn and the answer after it take, and return how many calls fit beside it.

    With it come which limit says so, and whose it is. A turn in which the run was cut off counts
    from where it stood. If not even the answer fits, nothing is reserved.
    """
    run.spend.keep(FREE)
    needs, found = _fitting(run, 0.0)
    prices = run.setup.model.info.prices
    if prices is not None and prices.tiers:
        needs, found = _fitting(run, needs.answer.tokens + _shown(run) * max(0.0, found[0]))
    if found[0] >= 0:
        run.spend.keep(needs.answer, needs.each, needs.request)
    return found


def _fitting(run: RunState, reach: float) -> tuple[_Needs, tuple[float, StoppedBy, str]]:
    needs = _needs(run, reach)
    each = plus(_worst(run), needs.each)
    return needs, run.spend.fitting(plus(needs.request, needs.answer), each)


def _needs(run: RunState, reach: float) -> _Needs:
    """Return what must be left; results that are still to come make the answer dearer."""
    setup, point = run.setup, run.point
    asked = point is not None and (point.answering or point.reply is not None)
    request = FREE if asked else request_bound(run)
    reply = 0 if asked else ceil(setup.max_output / max(run.tokens_per_byte, 0.01))
    awaited = run.runner.late + (0 if point is None else len(point.calls))
    results = _priced(setup.model.info, awaited * _shown(run), 0, reach)
    answer = plus(request_bound(run, reply, reach=reach), results)
    return _Needs(request, answer, _priced(setup.model.info, _shown(run), 0, reach))


def _shown(run: RunState) -> int:
    """Return the tokens that the model is shown of one result at most."""
    return ceil(run.setup.text_limit * run.tokens_per_byte)


def affords(run: RunState, bound: Cost) -> bool:
    """Say whether a request still fits into what is left."""
    return run.spend.holds(bound)


def affords_answer(run: RunState) -> bool:
    """Reserve an answering request; False if it does not fit, as what was kept for it does."""
    if not run.spend.priced:
        return True
    run.spend.keep(FREE)
    bound = request_bound(run)
    fits = affords(run, bound)
    run.spend.keep(FREE, request=bound if fits else FREE)
    return fits


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
