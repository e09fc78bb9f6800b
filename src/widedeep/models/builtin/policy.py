"""Which calls, or which answer, follow from the history of a run?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from widedeep.messages import Message, Reply, ToolCall, Usage, User
from widedeep.models.builtin import search
from widedeep.models.builtin.answer import Told, tell
from widedeep.models.builtin.parse import parse
from widedeep.models.builtin.plan import settle
from widedeep.models.builtin.read import evidence
from widedeep.seams import CallReady, Delta, ModelInfo, Request
from widedeep.seams import Text as TextDelta

MOST_CALLS = 4
"""Calls in a turn when the schedule leaves the number to the model."""

_FREE = Usage(input=0, cached=0, cache_write=0, output=0, reasoning=0)


class Builtin:
    """Decide by rules: deterministic, without a network, free, and no LLM.

    It keeps nothing between requests: all it knows is in the request's history.
    """

    @property
    def info(self) -> ModelInfo:
        """What is known of the policy: it costs nothing."""
        return ModelInfo(name="builtin", free=True, keeps_ledger=True)

    async def reply(self, request: Request, on: Callable[[Delta], None]) -> Reply:
        """Ask for the next calls, or answer with what the history holds."""
        met = evidence(request.history)
        titles = tuple(dict.fromkeys(each.title for each in met.documents if each.title))
        question = parse(_question(request.history), titles)
        plan = settle(question, met)
        if request.choice == "auto" and not plan.is_settled:
            box = search.toolbox(request.tools)
            wanted = search.calls(plan, box, met.calls, _width(request))
            if wanted:
                return _ask(wanted, on)
        return _answer(tell(plan), on)


def _question(history: Sequence[Message]) -> str:
    return next((message.text for message in history if isinstance(message, User)), "")


def _width(request: Request) -> int:
    target, cap = request.width.target, request.width.cap
    wanted = MOST_CALLS if target is None else target
    return max(0, wanted if cap is None else min(wanted, cap))


def _ask(wanted: tuple[ToolCall, ...], on: Callable[[Delta], None]) -> Reply:
    for position, call in enumerate(wanted):
        on(CallReady(position, call))
    return Reply(calls=wanted, usage=_FREE)


def _answer(told: Told, on: Callable[[Delta], None]) -> Reply:
    on(TextDelta(told.text))
    return Reply(text=told.text, short_answer=told.short, abstains=told.abstains, usage=_FREE)
