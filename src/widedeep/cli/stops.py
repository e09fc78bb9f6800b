"""What do Ctrl-C and SIGTERM do to a run?

The first Ctrl-C asks for the answer now. The second, and SIGTERM, end the run: within a second
the process is gone, and the journal keeps what was found.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from widedeep.cli.output import remark

if TYPE_CHECKING:
    from widedeep.agent import Run
    from widedeep.report.live import View

GRACE = 0.8
"""Seconds that a stopped run has to end by itself."""

INTERRUPTED = 130


class Stops:
    """How often the user has asked to stop, and what that did to the run."""

    def __init__(self, run: Run, view: View) -> None:
        self._run = run
        self._view = view
        self._asked = False
        self.stopped = False

    def interrupt(self) -> None:
        """Take one Ctrl-C."""
        if self._asked:
            self.stop()
            return
        self._asked = True
        self._view.say("answering now with what is known; Ctrl-C again to end without an answer")
        self._run.answer_now()

    def stop(self) -> None:
        """End the run, and the process too if that takes too long."""
        if self.stopped:
            os._exit(INTERRUPTED)
        self.stopped = True
        self._view.close()
        run = self._run.id
        remark(f"interrupted; what was found is kept; go on: widedeep runs resume {run}")
        deadline = threading.Timer(GRACE, os._exit, (INTERRUPTED,))
        deadline.daemon = True
        deadline.start()
        self._run.stop()


@contextmanager
def listening(run: Run, view: View) -> Generator[Stops]:
    """Let signals steer the run until the block ends; only in the main thread."""
    stops = Stops(run, view)
    loop = asyncio.get_running_loop()
    main = threading.current_thread() is threading.main_thread()
    if main:
        loop.add_signal_handler(signal.SIGINT, stops.interrupt)
        loop.add_signal_handler(signal.SIGTERM, stops.stop)
    try:
        yield stops
    finally:
        if main:
            loop.remove_signal_handler(signal.SIGINT)
            loop.remove_signal_handler(signal.SIGTERM)
