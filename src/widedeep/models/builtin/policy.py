"""Which calls, or which answer, follow from the history of a run?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from widedeep.messages import LedgerEntry, Message, Reply, Results, ToolCall, Usage
from widedeep.models.builtin import followup, search
from widedeep.models.builtin.answer import tell
from widedeep.models.builtin.casing import recased
from widedeep.models.builtin.chains.turn import pages
from widedeep.models.builtin.clean import clean
from widedeep.models.builtin.followup import Asked
from widedeep.models.builtin.names import is_caseless
from widedeep.models.builtin.next import MOST_ROWS, next_calls
from widedeep.models.builtin.parse import parse
from widedeep.models.builtin.plan import Plan, settle
from widedeep.models.builtin.read import Evidence, evidence
from widedeep.models.builtin.reading import accounts, resolves
from widedeep.models.builtin.reading.telling import Retold, passages, retell
from widedeep.models.builtin.search import Toolbox
from widedeep.seams import CallReady, Delta, ModelInfo, Request
from widedeep.seams import Text as TextDelta

MOST_CALLS = 4
"""Calls in a turn when the schedule leaves the number to the model."""

_FREE = Usage(input=0, cached=0, cache_write=0, output=0, reasoning=0)


class Builtin:
    """Decide by rules: deterministic, without a network, free, and no LLM.

    It keeps nothing between requests: all it knows is in the request's history.
    """

    def __init__(self, *, one_shot: bool = False) -> None:
        """Take the rules.

        Args:
            one_shot: search once, with the question as it stands, and then answer; a baseline.
        """
        self._one_shot = one_shot

    @property
    def info(self) -> ModelInfo:
        """What is known of the policy: it costs nothing."""
        return ModelInfo(
            name="one-shot" if self._one_shot else "builtin", free=True, keeps_ledger=True
        )

    async def reply(self, request: Request, on: Callable[[Delta], None]) -> Reply:
        """Ask for the next calls, or answer with what the history holds."""
        wanted = followup.asked(request.history)
        reply = self._decided(wanted, request, on)
        if wanted.nth == 1:
            return reply
        own = tuple(replace(entry, id=f"{wanted.nth}, {entry.id}") for entry in reply.ledger)
        return replace(reply, ledger=own, reasoning=f"Understood as: {wanted.text}")

    def _decided(self, wanted: Asked, request: Request, on: Callable[[Delta], None]) -> Reply:
        met = evidence(request.history)
        if wanted.nth > 1:
            met = replace(met, calls=evidence(wanted.since).calls)
        titles = tuple(dict.fromkeys(each.title for each in met.documents if each.title))
        text = _recased(wanted.text, request.history, met, titles)
        plan = settle(parse(text, titles), met)
        asked = text, wanted.since
        box = search.toolbox(request.tools) if request.choice == "auto" else Toolbox((), ())
        if self._one_shot:
            once = search.queries([asked[0]], box, met.calls)[:1] if not met.calls else ()
            return _ask(once, (), on) if once else _answer(plan, _retold(plan, met), (), on)
        if _is_told(plan, met, _turns(wanted.since)):
            return _answer(plan, _retold(plan, met), (), on)
        coming = next_calls(plan, met, asked, box, _width(request))
        if coming.calls:
            return _ask(coming.calls, coming.ledger, on)
        return _answer(plan, _retold(plan, met), coming.ledger, on)


def _recased(text: str, history: Sequence[Message], met: Evidence, titles: tuple[str, ...]) -> str:
    """Return a question with the capitals that names have in what was met, if it has none."""
    if not titles or not is_caseless(clean(text)):
        return text
    prose = {each.n for each in met.documents if not each.is_structured}
    return recased(text, titles, pages(history, prose))


def _width(request: Request) -> int:
    target, cap = request.width.target, request.width.cap
    wanted = MOST_CALLS if target is None else target
    return max(0, wanted if cap is None else min(wanted, cap))


def _ask(
    wanted: tuple[ToolCall, ...], ledger: tuple[LedgerEntry, ...], on: Callable[[Delta], None]
) -> Reply:
    for position, call in enumerate(wanted):
        on(CallReady(position, call))
    return Reply(calls=wanted, ledger=ledger, usage=_FREE)


def _turns(history: Sequence[Message]) -> int:
    return sum(isinstance(message, Results) for message in history)


def _is_prose(plan: Plan, met: Evidence) -> bool:
    return not (plan.rests_on_lines or met.is_structured)


def _is_told(plan: Plan, met: Evidence, turns: int) -> bool:
    """Tell whether prose says so much that nothing more need be looked up after so many turns.

    A first search often finds words of the question side by side by chance.
    """
    if not (turns and _is_prose(plan, met)):
        return False
    question, prose = plan.question.text, passages(met.documents)
    if turns == 1 and len(plan.rows) > MOST_ROWS and not all(row.document for row in plan.rows):
        return False
    if turns > 1 and not plan.is_settled:
        return accounts(question, prose) and retell(question, met.documents).is_firm
    return resolves(question, prose)


def _retold(plan: Plan, met: Evidence) -> Retold | None:
    """Return what prose says, where lines or plain statements do not say it better."""
    if not _is_prose(plan, met):
        return None
    retold = retell(plan.question.text, met.documents)
    return None if plan.is_settled and not retold.is_resolved else retold


def _answer(
    plan: Plan,
    retold: Retold | None,
    ledger: tuple[LedgerEntry, ...],
    on: Callable[[Delta], None],
) -> Reply:
    """Tell what prose says, its quotes before all others; else what labelled lines have settled."""
    told = retold.told if retold else tell(plan)
    on(TextDelta(told.text))
    return Reply(
        text=told.text,
        short_answer=told.short,
        abstains=told.abstains,
        ledger=(*(retold.ledger if retold else ()), *ledger),
        usage=_FREE,
    )
