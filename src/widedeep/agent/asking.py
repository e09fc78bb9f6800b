"""How the model is asked: the width, the hint, the request, and calls that start early."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from widedeep.agent.state import RunState
from widedeep.errors import ModelError
from widedeep.events import Replied, RequestFailed, RequestRestarted, RequestSent, TurnStarted
from widedeep.messages import Assistant, Reply, User, Width
from widedeep.prompts import fill
from widedeep.seams import CallReady, Delta, Request, Restarted
from widedeep.tools.batch import Batch
from widedeep.tools.running import describe

NO_WIDTH = Width(0, 0)
"""The width of the answering turn."""


def open_turn(run: RunState) -> Width | None:
    """Start a turn that may call tools and return its width; None when none may start."""
    limit = run.spend.exhausted()
    if limit is not None:
        run.close_search(limit, f"The limit of this run is reached: {_limit(run)}.")
    if run.stopping is not None:
        return None
    run.turn += 1
    state = run.schedule_state()
    width = _fitting(run.setup.schedule.width(state), run.spend.calls_left())
    run.spend.turns += 1
    used = max(state.used.values(), default=0.0)
    run.emit(TurnStarted(run.turn, width, used, answering=False))
    return width


async def ask(run: RunState, width: Width | None) -> tuple[Reply, Batch]:
    """Send one request; None as width makes it the answering one.

    The calls of the reply have their ids, and the reply is in the history.

    Raises:
        ModelError: no reply could be had.
    """
    answering = width is None
    width = width or NO_WIDTH
    if answering:
        run.turn += 1
        used = max(run.spend.used().values(), default=0.0)
        run.emit(TurnStarted(run.turn, width, used, answering=True))
    batch = Batch(run.runner, run.turn, width)
    reply = await _reply(run, _request(run, width, answering=answering), batch)
    if reply.text or reply.calls:
        run.history.append(Assistant(reply.text, reply.calls, reply.reasoning, reply.provider))
    return reply, batch


def nudge(run: RunState) -> bool:
    """Tell the model that its reply was empty, once; False at the second time."""
    run.empty_replies += 1
    if run.empty_replies > 1:
        return False
    run.append(User(fill("nudge")))
    return True


async def _reply(run: RunState, request: Request, batch: Batch) -> Reply:
    """Have the model reply, starting calls while it streams; every way out is journaled."""
    loop = asyncio.get_running_loop()

    def on(delta: Delta) -> None:
        if isinstance(delta, CallReady) and request.choice == "auto":
            batch.offer(delta.position, delta.call)
        elif isinstance(delta, Restarted):
            run.emit(RequestRestarted(run.turn, delta.reason))
            batch.restart()

    run.emit(RequestSent(run.turn, len(request.history), request.tail, request.choice))
    began = loop.time()
    run.asking = asyncio.ensure_future(run.setup.model.reply(request, on))
    try:
        async with asyncio.timeout(run.setup.model_deadline):
            reply = await run.asking
    except BaseException as error:
        run.emit(RequestFailed(run.turn, _reason(error), loop.time() - began))
        batch.restart()
        batch.adopt(())
        if isinstance(error, TimeoutError):
            limit = run.setup.model_deadline
            raise ModelError(f"no reply within {limit:g} s") from error
        if isinstance(error, asyncio.CancelledError) and _stopped_by_user(run):
            return Reply()
        raise
    finally:
        run.asking = None
    seconds = loop.time() - began
    if run.stopping == "user" and reply.stop != "end":
        reply = Reply(usage=reply.usage)
    reply = replace(reply, calls=batch.adopt(reply.calls))
    run.emit(Replied(run.turn, reply, seconds))
    return reply


def _reason(error: BaseException) -> str:
    cancelled = isinstance(error, asyncio.CancelledError)
    return "The request was cancelled." if cancelled else describe(error)


def _stopped_by_user(run: RunState) -> bool:
    """Say whether only the request was cancelled, by `answer_now`, and not the run."""
    task = asyncio.current_task()
    return run.stopping == "user" and (task is None or not task.cancelling())


def _request(run: RunState, width: Width, *, answering: bool) -> Request:
    return Request(
        turn=run.turn,
        history=tuple(run.history),
        tail=_closing(run) if answering else _hint(run, width),
        tools=run.offered,
        width=width,
        choice="none" if answering else "auto",
        max_output=run.setup.max_output,
    )


def _closing(run: RunState) -> str:
    return fill("answer_now", why=run.why)


def _hint(run: RunState, width: Width) -> str | None:
    """Return the text that tells the model the width wanted now and where the budget stands."""
    if not run.setup.tools:
        return None
    limit = run.setup.budget.turns
    place = f"Turn {run.turn} of {limit}." if limit else f"Turn {run.turn}."
    left = run.spend.calls_left()
    if left is not None:
        place += f" {left} of {run.setup.budget.calls} calls left."
    if width.note:
        place += f" {width.note}"
    cap = width.cap if left is None or width.cap is None else min(width.cap, left)
    if width.target == 1 or cap == 1:
        return fill("hint_one", place=place)
    if width.target is None:
        return fill("hint_automatic", place=place, cap=cap)
    name = "hint_exact" if cap == width.target else "hint_many"
    return fill(name, place=place, target=width.target, cap=cap)


def _fitting(width: Width, calls_left: int | None) -> Width:
    """Return the width with no more wanted than the budget still allows."""
    if calls_left is None or width.target is None:
        return width
    return replace(width, target=min(width.target, calls_left))


def _limit(run: RunState) -> str:
    budget = run.setup.budget
    turns = f"{run.spend.turns} of {budget.turns} turns" if budget.turns else ""
    calls = f"{run.spend.calls} of {budget.calls} calls" if budget.calls else ""
    return " and ".join(part for part in (turns, calls) if part) + " used"
