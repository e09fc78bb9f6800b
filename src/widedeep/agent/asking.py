"""How the model is asked: the width of the turn, the request, and calls that start early."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from inspect import CORO_CREATED, getcoroutinestate
from math import inf
from typing import Any

from widedeep.agent.bounds import (
    affords,
    cost_of,
    exceeds,
    keep,
    measure,
    request_bound,
    sent_bytes,
)
from widedeep.agent.hints import closing, hint, used_up
from widedeep.agent.notes import free
from widedeep.agent.state import RunState
from widedeep.agent.trimming import fit, trim, view
from widedeep.budget import search_seconds
from widedeep.costs import FREE, Cost
from widedeep.errors import ContextError, ModelError
from widedeep.events import (
    BoundExceeded,
    Replied,
    RequestFailed,
    RequestRestarted,
    RequestSent,
    TurnStarted,
)
from widedeep.messages import Assistant, Reply, User, Width
from widedeep.prompts import fill
from widedeep.seams import CallReady, Delta, Request, Restarted
from widedeep.tools.batch import Batch
from widedeep.tools.releasing import Released, cancel_twice
from widedeep.tools.running import describe

NO_WIDTH = Width(0, 0)
"""The width of the answering turn."""


def open_turn(run: RunState) -> Width | None:
    """Start a turn that may call tools and return its width; None when none may start.

    A turn in which the run was cut off goes on, unless its request is to be made and does not fit.
    """
    _close_at_limit(run)
    if run.point is not None and not run.point.answering:
        if run.stopping is None or run.point.reply is not None:
            return run.point.width
        run.point = None
    if run.stopping is not None:
        return None
    run.turn += 1
    run.met = len(run.sources)
    state = run.schedule_state()
    width = _fitting(_checked(run.setup.schedule.width(state)), run.spend.calls_left())
    run.spend.count_turn()
    used = max(state.used.values(), default=0.0)
    run.emit(TurnStarted(run.turn, width, used, answering=False))
    return width


def _close_at_limit(run: RunState) -> None:
    """End the search when a limit leaves no room for a request, a call and the answer after it."""
    run.spend.room = None
    limit = None if run.point is not None else run.spend.exhausted(run.seconds())
    if limit is None and run.spend.priced:
        fits, reason, whose = keep(run)
        asked = run.point is not None and run.point.reply is not None
        limit = (reason, whose) if fits < 1 and not asked else None
        run.spend.room = None if fits == inf else max(0, int(fits))
    if limit is not None:
        run.close_search(limit[0], used_up(run, *limit), limit[1])


async def ask(run: RunState, width: Width | None) -> tuple[Reply, Batch]:
    """Send one request; None as width makes it the answering one.

    The calls of the reply have their ids, and the reply is in the history. A reply that is on
    record from before the run was cut off is not asked for again.

    Raises:
        ModelError: no reply could be had.
    """
    answering = width is None
    width = width or NO_WIDTH
    point, run.point = run.point, None
    if answering and point is None:
        run.turn += 1
        used = max(run.spend.used(run.seconds()).values(), default=0.0)
        run.emit(TurnStarted(run.turn, width, used, answering=True))
    batch = Batch(run.runner, run.turn, width, free(run))
    if point is not None:
        batch.recall(point.calls, point.orphans, adopted=point.reply is not None)
        if point.reply is not None:
            calls = () if point.settled else point.reply.calls
            return replace(point.reply, calls=calls), batch
    reply = await _fitting_reply(run, width, batch, answering=answering)
    if reply.text or reply.calls:
        run.history.append(
            Assistant(reply.text, reply.calls, reply.reasoning, reply.provider, reply.model)
        )
    return reply, batch


def nudge(run: RunState) -> bool:
    """Tell the model that its reply was empty, once; False at the second time."""
    run.empty_replies += 1
    if run.empty_replies > 1:
        return False
    run.append(User(fill("nudge")))
    return True


async def _fitting_reply(run: RunState, width: Width, batch: Batch, *, answering: bool) -> Reply:
    """Have the model reply; a request that is more than it takes is trimmed and sent again."""
    while True:
        fit(run)
        try:
            return await _reply(run, _request(run, width, answering=answering), batch)
        except ContextError:
            if not trim(run):
                raise


async def _reply(run: RunState, request: Request, batch: Batch) -> Reply:
    """Have the model reply, starting calls while it streams; every way out is journaled."""
    loop = asyncio.get_running_loop()

    def on(delta: Delta) -> None:
        if isinstance(delta, CallReady) and request.choice == "auto":
            batch.offer(delta.position, delta.call)
        elif isinstance(delta, Restarted):
            _restart(run, batch, delta, bound)

    answering = request.choice == "none"
    bound = request_bound(run) if run.spend.priced else None
    if bound is not None and not run.spend.take_request(bound):
        return _too_dear(run, bound, answering=answering)
    sent = sent_bytes(run) if bound else 0
    run.emit(RequestSent(run.turn, len(request.history), request.tail, request.choice, bound))
    began = loop.time()
    try:
        with _Failing(run, batch, bound or FREE):
            reply = await _patiently(run, run.setup.model.reply(request, on), answering=answering)
    except (ModelError, asyncio.CancelledError) as error:
        cancelled = isinstance(error, asyncio.CancelledError)
        if cancelled and _cancelled():
            raise
        if run.stopping == "user" and not answering:
            return Reply()
        if cancelled:
            raise ModelError("the request was cancelled") from error
        raise
    seconds = loop.time() - began
    if run.stopping == "user" and reply.stop != "end":
        reply = Reply(usage=reply.usage)
    reply = replace(reply, calls=batch.adopt(reply.calls))
    cost = cost_of(run.setup.model.info.answering(reply.model), reply.usage, bound)
    run.spend.settle(bound or FREE, cost)
    measure(run, reply.usage, sent)
    run.emit(Replied(run.turn, reply, seconds, cost))
    if bound is not None and exceeds(cost, bound):
        run.emit(BoundExceeded(run.turn, bound, cost))
    return reply


def _too_dear(run: RunState, bound: Cost, *, answering: bool) -> Reply:
    """End the search because a request that is to be made again does not fit.

    Raises:
        ModelError: it was to write the answer.
    """
    if answering:
        raise ModelError("the budget does not hold another attempt")
    _, reason, whose = run.spend.fitting(bound, FREE)
    run.close_search(reason, used_up(run, reason, whose), whose)
    return Reply()


def _restart(run: RunState, batch: Batch, delta: Restarted, bound: Cost | None) -> None:
    """Take what was streamed as void; an attempt that may be billed is charged at its bound.

    Raises:
        ModelError: the budget does not hold another attempt.
    """
    charged = bound is not None and delta.billed
    if bound is not None and charged and not affords(run, bound):
        raise ModelError(f"{delta.reason}; the budget does not hold another attempt")
    batch.restart()
    run.emit(RequestRestarted(run.turn, delta.reason, delta.billed))
    run.spend.settle(FREE, bound if bound is not None and charged else FREE)


class _Failing:
    """While a request is under way: whatever ends it without a reply is charged and recorded."""

    def __init__(self, run: RunState, batch: Batch, bound: Cost) -> None:
        self._run = run
        self._batch = batch
        self._bound = bound
        self._began = asyncio.get_running_loop().time()

    def __enter__(self) -> None: ...

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if error is None:
            return
        run = self._run
        run.spend.settle(self._bound, self._bound)
        seconds = asyncio.get_running_loop().time() - self._began
        run.emit(RequestFailed(run.turn, _reason(error), seconds))
        self._batch.restart()
        self._batch.adopt(())


def _reason(error: BaseException) -> str:
    cancelled = isinstance(error, asyncio.CancelledError)
    return "The request was cancelled." if cancelled else describe(error)


async def _patiently(run: RunState, reply: Coroutine[Any, Any, Reply], *, answering: bool) -> Reply:
    """Wait for a reply as long as a request may take; one that ignores its end is left behind."""
    patience, limited = _patience(run, answering=answering)

    async def asked() -> Reply:
        return await Released(reply)

    run.asking = task = asyncio.ensure_future(asked())
    try:
        await asyncio.wait({task}, timeout=patience)
    finally:
        run.asking = None
        if not task.done():
            cancel_twice(task)
        elif getcoroutinestate(reply) == CORO_CREATED:
            reply.close()  # cancelled before it began
    if task.done():
        return task.result()
    if limited and not answering:
        run.close_search("max_seconds", used_up(run, "max_seconds", run.spend.name))
        return Reply()
    raise ModelError(f"no reply within {patience:g} s")


def _patience(run: RunState, *, answering: bool) -> tuple[float, bool]:
    """Return the seconds that a request may take, and whether the run's limit says so."""
    limit, most = run.setup.budget.seconds, run.setup.model_deadline
    if limit is None:
        return most, False
    left = (limit if answering else search_seconds(limit)) - run.seconds()
    return (max(0.0, left), True) if left < most else (most, False)


def _cancelled() -> bool:
    """Say whether the run itself is being cancelled, and not only a request of it."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _request(run: RunState, width: Width, *, answering: bool) -> Request:
    return Request(
        turn=run.turn,
        history=view(run),
        tail=closing(run) if answering else hint(run, width),
        tools=run.offered,
        width=width,
        choice="none" if answering else "auto",
        max_output=run.setup.max_output,
        key=f"{run.id}/{run.turn}.{len(run.history)}.{run.trimmed}",
    )


def _checked(width: object) -> Width:
    """Return what a schedule gave, if it is a width; a schedule of the user's may err.

    Raises:
        TypeError: it is none.
    """
    if isinstance(width, Width):
        whole = [n is None or (type(n) is int and n >= 1) for n in (width.target, width.cap)]
        if all(whole):
            return width
    raise TypeError(f"the schedule gave {width!r}: give a Width of whole numbers from 1, or None")


def _fitting(width: Width, calls_left: int | None) -> Width:
    """Return the width with no more wanted than the budget still allows."""
    if calls_left is None or width.target is None:
        return width
    return replace(width, target=min(width.target, calls_left))
