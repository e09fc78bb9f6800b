"""How is a run followed to its end: shown, printed as events, steered by signals?"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from widedeep.cli import hiding
from widedeep.cli.output import write_json
from widedeep.cli.stops import listening
from widedeep.events import Event

if TYPE_CHECKING:
    from widedeep.agent import Run
    from widedeep.messages import Answer
    from widedeep.report.live import View

TICK = 0.1
"""Seconds between two pictures of the live view."""


class Stream:
    """Prints each event as one JSON object on a line."""

    def __init__(self) -> None:
        self._seq = 0

    def take(self, event: Event) -> None:
        """Print an event with its number and the time."""
        from widedeep.journal import encode

        self._seq += 1
        body = json.loads(encode(event))
        head = {"seq": self._seq, "at": time.time(), "kind": event.kind}
        write_json({**head, **body}, indent=None)


async def follow(run: Run, view: View, stream: Stream | None) -> Answer | None:
    """Return the run's answer, None when the user ended it; unfollowed no run goes on."""
    with listening(run, view) as stops:
        try:
            async with _ticking(view):
                await _pass_on(run, view, stream)
            return hiding.shape(await run.answer())
        except asyncio.CancelledError:
            if not stops.stopped:
                raise
            return None
        finally:
            view.close()
            await run.ended()


async def _pass_on(run: Run, view: View, stream: Stream | None) -> None:
    """Give each event to the view and the stream."""
    async for each in run:
        event = hiding.shape(each)
        view.take(event)
        if stream is not None:
            stream.take(event)


@asynccontextmanager
async def _ticking(view: View) -> AsyncGenerator[None]:
    """Let the view show how time passes."""

    async def tick() -> None:
        while True:
            await asyncio.sleep(TICK)
            view.tick()

    task = asyncio.create_task(tick(), name="view")
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
