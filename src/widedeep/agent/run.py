"""How a run is followed and steered while it goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Self

from widedeep.agent.loop import research
from widedeep.agent.resuming import restore
from widedeep.agent.state import RunState, Setup
from widedeep.events import Continued, Event, Record
from widedeep.messages import Answer


class Run:
    """One question being researched: iterate for its events, steer it, await its answer.

    It starts with the first iteration or with `answer`, whichever comes first, and goes on when
    nobody follows it any more; `async with` ends it with its block.
    """

    def __init__(
        self,
        setup: Setup,
        question: str,
        run_id: str | None = None,
        earlier: Continued | None = None,
    ) -> None:
        self._state = RunState(setup, question, run_id, earlier)
        self._task: asyncio.Task[Answer] | None = None

    @classmethod
    def resumed(
        cls,
        setup: Setup,
        question: str,
        records: Sequence[Record],
        earlier: Continued | None = None,
    ) -> Self:
        """Return a run that goes on where its record ends.

        Raises:
            KeyError: the record holds a call of a tool that the agent has not.
        """
        run = cls(setup, question, records[0].run_id, earlier)
        restore(run._state, records)
        return run

    @property
    def id(self) -> str:
        """The run's id, under which the journal keeps it."""
        return self._state.id

    async def answer(self) -> Answer:
        """Return the answer when it is there; to be cancelled here does not end the run.

        Raises:
            JournalError: the run cannot be recorded.
        """
        return await asyncio.shield(self._start())

    async def __aenter__(self) -> Self:
        """Start the run; leaving the block ends it if it still goes on."""
        self._start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.ended()

    async def ended(self) -> None:
        """Stop the run and return when the journal says so."""
        self.stop()
        if self._task is not None:
            await asyncio.wait({self._task})

    async def __aiter__(self) -> AsyncIterator[Event]:
        events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._state.log.listeners.append(events.put_nowait)
        task = self._start()
        task.add_done_callback(lambda _: events.put_nowait(None))
        try:
            while (event := await events.get()) is not None:
                yield event
            await task
        finally:
            self._state.log.listeners.remove(events.put_nowait)

    def cancel(self, call_id: str) -> bool:
        """Cancel one running call by its id; False when it is not running."""
        return self._state.runner.cancel(call_id)

    def answer_now(self) -> None:
        """Stop what is going on and have the model answer from what is known."""
        self._state.answer_now()

    def stop(self) -> None:
        """End the run at once, without an answer; the journal keeps what was found."""
        if self._task is not None:
            self._task.cancel()

    def _start(self) -> asyncio.Task[Answer]:
        if self._task is None:
            self._task = asyncio.create_task(research(self._state), name=f"run {self.id}")
        return self._task
