"""Who researches: a model, tools, a schedule and limits, ready for any number of questions."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterable
from concurrent import futures
from concurrent.futures import Future
from typing import Any, get_args

from widedeep.agent.continuing import left_by
from widedeep.agent.intent import Noted
from widedeep.agent.notes import NAME
from widedeep.agent.run import Run
from widedeep.agent.state import Setup
from widedeep.budget import Spend, check, shared
from widedeep.costs import Budget, Style
from widedeep.defaults import MAX_OUTPUT, MAX_WIDTH, MODEL_DEADLINE, TURN_DEADLINE
from widedeep.errors import UsageError
from widedeep.events import Continued, Record, RunStarted
from widedeep.messages import Answer, Json
from widedeep.schedule import parse
from widedeep.seams import Journal, Model, Schedule, Tool
from widedeep.tools.releasing import GRACE

LOOK = 0.1
"""Seconds after which a wait for a thread looks whether it was interrupted."""


class Agent:
    """Research questions with several tool calls a turn, really at the same time.

    Args:
        model: what decides the calls and writes the answer.
        tools: what it may have done; their names must differ.
        schedule: turn state -> width, as text (`constant:3`, `descending`, ...) or object.
        budget: limits of each run; None = 30 turns.
        journal: where runs are recorded; None = nowhere: a run lives in memory and is gone with it.
        turn_deadline: seconds a turn's calls have from the moment the reply is complete.
        model_deadline: seconds a model request may take.
        serial: run the calls of a turn one after another (for comparisons).
        early_start: start `read` calls while the reply is still being streamed.
        max_width: the highest target a schedule text may name, in calls a turn.
        text_limit: characters of one tool result that the model is shown.
        max_output: tokens of one reply.
        recipe: JSON that is recorded with each run, for whoever makes the agent again to resume it.
        within: limits that all of the agent's runs share with others, as an evaluation's. Its
            turns are those of all runs: pass `turns=None` in its budget for none.
        style: how much a language model is to tell: `short`, `brief` or `report`; None = it is
            told nothing of that.
        language: the language of its answer, by any name that it knows; None = as it chooses.

    Raises:
        UsageError: a value that cannot be; the message names it and the fix.
    """

    def __init__(
        self,
        model: Model,
        tools: Iterable[Tool] = (),
        *,
        schedule: str | Schedule = "descending",
        budget: Budget | None = None,
        journal: Journal | None = None,
        turn_deadline: float = TURN_DEADLINE,
        model_deadline: float = MODEL_DEADLINE,
        serial: bool = False,
        early_start: bool = True,
        max_width: int = MAX_WIDTH,
        text_limit: int = 20_000,
        max_output: int = MAX_OUTPUT,
        recipe: Json | None = None,
        within: Spend | None = None,
        style: Style | None = None,
        language: str | None = None,
    ) -> None:
        _check_parts(model, budget, journal)
        self._setup = Setup(
            model=model if journal is None or model.info.free else Noted(model, journal),
            tools=_distinct(tools),
            schedule=_schedule(schedule, max_width),
            budget=check(budget or Budget()),
            journal=journal,
            turn_deadline=_positive("turn_deadline", turn_deadline),
            model_deadline=_positive("model_deadline", model_deadline),
            serial=serial,
            early_start=early_start,
            text_limit=int(_positive("text_limit", text_limit)),
            max_output=int(_positive("max_output", max_output)),
            recipe=recipe or {},
            within=shared(within),
            style=_known(style) if not model.info.keeps_ledger else None,
            language=language,
        )
        _check_prices(self._setup)

    def stream(self, question: str, *, continues: str | None = None) -> Run:
        """Return a run of the question; iterate over it for its events.

        Args:
            question: what you want to know.
            continues: the id of a run of this agent's journal that the question follows up: its
                history, numbered sources and ledger are taken over. Limits count anew.

        Raises:
            UsageError: the question is empty, or there is no such run, or it has no answer yet.
            JournalError: the earlier run's record cannot be read.
        """
        if not isinstance(question, str) or not question.strip():  # pyright: ignore[reportUnnecessaryIsInstance]
            raise UsageError(f"the question is empty: {question!r}; pass what you want to know")
        earlier = None if continues is None else self._left_by(continues)
        return Run(self._setup, question.strip(), earlier=earlier)

    def resume(self, run_id: str) -> Run:
        """Return a run of this agent's journal that goes on where it was cut off or interrupted.

        What is on record is not asked or called again. A finished run gives its answer.

        Raises:
            UsageError: there is no such run, or this agent lacks a tool that it had.
            JournalError: its record cannot be read.
        """
        start, records = self._recorded(run_id)
        tools = {tool.spec.name for tool in self._setup.tools} | {NAME}
        lacking = [spec.name for spec in start.tools if spec.name not in tools]
        if lacking:
            raise UsageError(f"run {run_id!r} had the tool {lacking[0]!r}: pass it to the agent")
        begun = start.continues is None or any(isinstance(r.event, Continued) for r in records)
        earlier = None if begun else self._left_by(start.continues or "")
        return Run.resumed(self._setup, start.question, records, earlier)

    def _recorded(self, run_id: str) -> tuple[RunStarted, list[Record]]:
        journal = self._setup.journal
        if journal is None:
            raise UsageError("this agent keeps no record: pass the journal the run is in")
        records = list(journal.read(run_id))
        start = records[0].event if records else None
        if not isinstance(start, RunStarted):
            raise UsageError(f"no run {run_id!r} in the journal: see its runs()")
        return start, records

    def _left_by(self, run_id: str) -> Continued:
        return left_by(self._recorded(run_id)[1])

    async def run(self, question: str, *, continues: str | None = None) -> Answer:
        """Research the question and return the answer, whatever its status.

        Args:
            question: what you want to know.
            continues: the id of a run that the question follows up; see `stream`.

        Raises:
            UsageError: the question is empty, or the earlier run cannot be gone on from.
            JournalError: the run cannot be recorded.
        """
        async with self.stream(question, continues=continues) as run:
            return await run.answer()

    def run_sync(self, question: str, *, continues: str | None = None) -> Answer:
        """Do `run` from code that is not async, also inside a notebook's running loop."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run(self.run(question, continues=continues))
        return _elsewhere(self.run(question, continues=continues))


def _elsewhere(research: Coroutine[Any, Any, Answer]) -> Answer:
    """Run a coroutine in a loop of its own, in a thread; an interrupt ends it."""
    outcome: Future[Answer] = Future()
    started: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Answer]]] = []

    async def whole() -> Answer:
        task = asyncio.ensure_future(research)
        started.append((asyncio.get_running_loop(), task))
        return await task

    def work() -> None:
        try:
            outcome.set_result(asyncio.run(whole()))
        except BaseException as error:  # border: a run
            outcome.set_exception(error)

    threading.Thread(target=work, name="run_sync", daemon=True).start()
    try:
        return _awaited(outcome)
    except (KeyboardInterrupt, asyncio.CancelledError):
        for loop, task in started:
            loop.call_soon_threadsafe(task.cancel)
        futures.wait([outcome], GRACE)
        raise


def _awaited(outcome: Future[Answer]) -> Answer:
    """Wait for what a thread brings, and look up now and then.

    Where a loop runs, its first interrupt only cancels the task that is waiting here.
    """
    task = asyncio.current_task()
    before = task.cancelling() if task else 0
    while not futures.wait([outcome], LOOK).done:
        if task is not None and task.cancelling() > before:
            raise asyncio.CancelledError
    return outcome.result()


def _distinct(tools: Iterable[Tool]) -> tuple[Tool, ...]:
    if isinstance(tools, Tool) or not isinstance(tools, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise UsageError(f"the tools are {tools!r}: pass a list of them")
    kept = tuple(tools)
    for tool in kept:
        if not isinstance(tool, Tool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise UsageError(f"{tool!r} is no tool: decorate a typed function with @tool")
    names = [tool.spec.name for tool in kept]
    for name in names:
        if name == NAME:
            raise UsageError(f"a tool may not be named {name!r}: that is the run's own ledger tool")
        if names.count(name) > 1:
            raise UsageError(f"two tools are named {name!r}: give one of them another name")
    return kept


def _check_parts(model: object, budget: object, journal: object) -> None:
    """See that the parts are what they are taken for, before the first of them is needed."""
    if not callable(getattr(model, "reply", None)):
        raise UsageError(f"the model is {model!r}: pass an object, such as Builtin()")
    if budget is not None and not isinstance(budget, Budget):
        raise UsageError(f"the budget is {budget!r}: pass Budget(turns=10)")
    if journal is not None and not callable(getattr(journal, "append", None)):
        raise UsageError(f"the journal is {journal!r}: pass SqliteJournal(Path({str(journal)!r}))")


def _check_prices(setup: Setup) -> None:
    """See that what is limited in USD has a price."""
    if setup.budget.usd is None and (setup.within is None or setup.within.budget.usd is None):
        return
    info = setup.model.info
    if not info.free and info.prices is None:
        raise UsageError(
            f"the price of the model {info.name!r} is unknown, so a limit in USD cannot be kept: "
            "give its prices, or limit tokens instead"
        )
    for tool in setup.tools:
        if tool.bound.usd is None:
            raise UsageError(
                f"the tool {tool.spec.name!r} has no bound in USD, so a limit in USD cannot be "
                "kept: give it one (Cost), or limit tokens instead"
            )


def _known(style: Style | None) -> Style | None:
    if style is not None and style not in get_args(Style):
        raise UsageError(f"the style is {style!r}: pass one of {', '.join(get_args(Style))}")
    return style


def _positive(name: str, value: float) -> float:
    if not isinstance(value, (int, float)) or not 0 < value < float("inf"):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise UsageError(f"{name} is {value!r}: pass a number over 0")
    return value


def _schedule(schedule: str | Schedule, max_width: int) -> Schedule:
    if isinstance(schedule, str):
        return parse(schedule, max_width=max_width)
    if not callable(getattr(schedule, "width", None)):
        raise UsageError(
            f"the schedule is {schedule!r}: pass a text like 'descending' or a Schedule"
        )
    return schedule
