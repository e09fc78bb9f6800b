"""Runs that are killed: a warm process that forks one child for each job that it is told of.

A job is a line of JSON on standard input; when its child is gone, its exit status is a line on
standard output (negative: the signal that ended it).
"""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crash_counter import buy
from crash_scripts import SCRIPTS, Calls, Restarting, Script, tools

from widedeep import Agent, Budget, SqliteJournal
from widedeep.events import Appended, Event
from widedeep.journal import decode, encode, reading
from widedeep.messages import Reply, ToolCall, User
from widedeep.seams import CallReady, Delta, ModelInfo, Request, Restarted

BREATH = 0.003
"""Seconds that a call takes to be streamed."""


@dataclass(frozen=True, slots=True)
class Job:
    """One process of a case: it starts the run, or goes on with what is on record.

    It kills itself after the `count`-th of the things that `point` names, or is killed after
    `seconds`. `slow`: seconds that each commit takes longer, as on a slow disk.
    """

    case: str
    session: int
    script: str
    path: str
    port: int
    point: str | None = None
    count: int = 0
    seconds: float | None = None
    slow: float = 0.0


class Fuse:
    """Kills the process when something has happened so many times."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._left = job.count

    def burn(self, point: str) -> None:
        """Tell that one of these has happened."""
        if point == self._job.point:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


class Journal(SqliteJournal):
    """The journal itself, with fuses after an event is taken and after a commit."""

    def __init__(self, job: Job, fuse: Fuse) -> None:
        self._fuse = fuse
        self._slow = job.slow
        super().__init__(Path(job.path))

    def append(self, run_id: str, event: Event) -> None:
        super().append(run_id, event)
        self._fuse.burn("event")

    def _commit(self, connection: Any, items: list[Any]) -> None:
        if self._slow and items:
            select.select([], [], [], self._slow)
        super()._commit(connection, items)
        if items:
            self._fuse.burn("commit")


class Model:
    """Replies by turn, streamed call by call; each request is paid for."""

    def __init__(self, script: Script, pay: Callable[[str, str, float], Any]) -> None:
        self.info = ModelInfo("by turn")
        self._script = script
        self._pay = pay

    async def reply(self, request: Request, on: Callable[[Delta], None]) -> Reply:
        """Reply as the script says for the request's turn."""
        name = f"request {request.turn}"
        await self._pay(name, name, 0.004)
        step = self._script.steps[request.turn - 1]
        if isinstance(step, str):
            return Reply(step)
        if isinstance(step, Restarting):
            await self._stream(step.first, on)
            on(Restarted("the connection broke"))
            step = step.then
        return Reply(calls=await self._stream(step, on))

    async def _stream(self, step: Calls, on: Callable[[Delta], None]) -> tuple[ToolCall, ...]:
        calls = tuple(ToolCall(name, arguments) for name, arguments in step)
        for place, call in enumerate(calls):
            await asyncio.sleep(BREATH)
            on(CallReady(place, call))
        return calls


class Purse:
    """Pays for what is done in a job, once it knows the job."""

    job: Job
    fuse: Fuse

    async def pay(self, thing: str, key: str, seconds: float) -> None:
        """Buy a thing under a key."""
        job = self.job
        about = {"case": job.case, "session": job.session, "thing": thing, "key": key}
        await buy(job.port, **about, seconds=seconds)
        self.fuse.burn("reply")


PURSE = Purse()
TOOLS = tools(PURSE.pay)
"""Made before the children are forked, for what that takes."""


def work(job: Job) -> None:
    """Do a job to its end, if it comes to that."""
    PURSE.job, PURSE.fuse = job, Fuse(job)
    script = SCRIPTS[job.script]()
    journal = Journal(job, PURSE.fuse)
    agent = Agent(
        Model(script, PURSE.pay),
        TOOLS,
        journal=journal,
        schedule=script.schedule,
        budget=Budget(turns=script.turns),
        turn_deadline=script.deadline,
    )

    async def research() -> None:
        runs = reading.runs(Path(job.path))
        run = agent.resume(runs[0].run_id) if runs else agent.stream("How many inhabitants?")
        answer = await run.answer()
        assert answer.stopped_by != "error", answer.notes

    asyncio.run(research())
    journal.close()


def child(job: Job) -> None:
    """Do a job and leave, without any of what the parent would do at its end."""
    status = 1
    try:
        work(job)
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def fork(job: Job) -> int:
    """Fork a child for a job, kill it when its time is over, and return how it ended."""
    alive, held = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(alive)
        child(job)
    os.close(held)
    if job.seconds is not None and not select.select([alive], [], [], job.seconds)[0]:
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    os.close(alive)
    return os.waitstatus_to_exitcode(status)


def main() -> None:
    """Warm up, then fork a child for each line."""
    decode(json.loads(encode(Appended(User("What a first use takes is taken before.")))))
    for line in sys.stdin:
        print(fork(Job(**json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
