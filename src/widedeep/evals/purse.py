"""How much may an evaluation take in all, and is there room for another question?"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from widedeep.agent import Agent
from widedeep.budget import Spend
from widedeep.costs import FREE, Budget
from widedeep.errors import UsageError
from widedeep.events import Stopping
from widedeep.journal.totals import total
from widedeep.messages import Answer

NAME = "evaluation"
"""Whose limits they are, as messages say it."""


class Purse:
    """Limits that all runs of an evaluation share, over those that each has of its own.

    Args:
        budget: the limits; turns, calls, tokens and USD are of the whole evaluation, with what
            its journal says was taken before; seconds are of this process.
        journal: where the runs are recorded.
        clock: seconds on a clock that goes on.

    Raises:
        UsageError: a limit cannot be, or cannot be kept.
        JournalError: the journal cannot be read.
    """

    def __init__(
        self, budget: Budget, journal: Path, clock: Callable[[], float] = time.monotonic
    ) -> None:
        began = clock()
        self.spend = Spend(budget, NAME, clock=lambda: clock() - began)
        before = total(journal)
        if budget.usd is not None and before.cost.usd is None:
            raise UsageError(
                f"what the runs in {str(journal)!r} took in USD is not known, so a limit in USD "
                "cannot be kept: pass another --out, or limit tokens instead"
            )
        self.spend.turns, self.spend.calls = before.turns, before.calls
        self.spend.settle(FREE, before.cost)
        self.met: str | None = None

    async def ask(self, agent: Agent, question: str) -> Answer | None:
        """Research a question; None when a limit of the evaluation is met before its answer.

        Once one is met no further question is begun, and nothing more is bought for those under
        way.
        """
        if self._is_over():
            return None
        limit = self.spend.budget.seconds
        left = None if limit is None or self.spend.clock is None else limit - self.spend.clock()
        try:
            async with asyncio.timeout(left):
                return await self._answer(agent, question)
        except TimeoutError:
            self.met = self.met or "seconds"
            return None

    def _is_over(self) -> bool:
        found = self.spend.exhausted()
        short = self.spend.met if found is None else found[0]
        if short is not None:
            self.met = self.met or short.removeprefix("max_")
        return self.met is not None

    async def _answer(self, agent: Agent, question: str) -> Answer | None:
        async with agent.stream(question) as run:
            async for event in run:
                if isinstance(event, Stopping) and event.whose == NAME:
                    self.met = self.met or event.reason.removeprefix("max_")
                    return None
            answer = await run.answer()
        return None if answer.calls.refused and self._is_over() else answer
