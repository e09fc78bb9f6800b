"""How are many questions asked at once, and none twice?"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field

from widedeep.evals.graders import result
from widedeep.evals.log import Log
from widedeep.evals.tasks import Result, Sample, Task
from widedeep.messages import Answer

Ask = Callable[[Sample], Awaitable[Answer | None]]
"""Researches one question; a failed run is an answer too. None = a limit left no room for it."""

OnResult = Callable[["Arm", Result], None]


@dataclass(frozen=True, slots=True)
class Arm:
    """One way to research, under a name; `log` keeps its results, None = they are not kept."""

    name: str
    ask: Ask
    log: Log | None = field(default=None, compare=False)


async def run(
    task: Task, arms: Sequence[Arm], *, at_once: int = 4, on: OnResult | None = None
) -> dict[str, tuple[Result, ...]]:
    """Ask every arm every question that its log does not hold, and return all results by arm.

    A question that is not answered because of a limit has no result.

    The arms take turns on each question, so that what is there after a stop can be compared.

    Args:
        task: the questions.
        arms: who is asked; their names differ.
        at_once: runs at the same time.
        on: told of each result as it comes, and first of those that the logs hold.

    Raises:
        WidedeepError: results or runs cannot be recorded; what a run meets itself is a result.
    """
    found = {arm.name: dict(arm.log.results) if arm.log else {} for arm in arms}
    wanted = {sample.id for sample in task.samples}

    def keep(arm: Arm, made: Result) -> None:
        found[arm.name][made.id] = made
        if on:
            on(arm, made)

    for arm in arms:
        for known in tuple(found[arm.name].values()):
            if known.id in wanted:
                keep(arm, known)
    jobs = iter([(a, s) for s in task.samples for a in arms if s.id not in found[a.name]])
    workers = [asyncio.create_task(_work(jobs, keep)) for _ in range(max(1, at_once))]
    try:
        await asyncio.gather(*workers)
    finally:  # the first failure ends them all
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
    return {
        arm.name: tuple(
            found[arm.name][sample.id] for sample in task.samples if sample.id in found[arm.name]
        )
        for arm in arms
    }


async def _work(jobs: Iterator[tuple[Arm, Sample]], keep: OnResult) -> None:
    """Do one job after another until there is none; all workers share them."""
    for arm, sample in jobs:
        answer = await arm.ask(sample)
        if answer is None:
            continue
        made = result(sample, answer)
        if arm.log:
            arm.log.add(made)
        keep(arm, made)
