"""An event loop on which waiting takes no time: the clock jumps to the next thing that is due."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Jumping(selectors.DefaultSelector):
    """Instead of waiting for the next deadline, gives threads a moment and moves the clock."""

    def __init__(self, grace: float) -> None:
        super().__init__()
        self.grace = grace
        self.now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        if timeout is None:
            return super().select()
        ready = super().select(min(timeout, self.grace))
        if not ready:
            self.now += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop on virtual time; `grace` is the real seconds threads get before each jump."""

    def __init__(self, grace: float = 0.0) -> None:
        self._jumping = _Jumping(grace)
        super().__init__(self._jumping)

    def time(self) -> float:
        """Return the virtual seconds since the loop was made."""
        return self._jumping.now


def run(coroutine: Coroutine[Any, Any, T], grace: float = 0.0) -> T:
    """Run a coroutine to its end on a virtual clock."""
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(grace)) as runner:
        return runner.run(coroutine)
