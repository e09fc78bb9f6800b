"""How is a task ended whose coroutine will not end?"""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Coroutine, Generator
from typing import Any, TypeVar

T = TypeVar("T")

GRACE = 1.0
"""Seconds that a cancelled call has for tidying up before it is left alone."""


def cancel_twice(task: asyncio.Task[Any]) -> None:
    """Cancel a task, and once more after a moment: then `Released` lets go."""
    task.cancel()
    asyncio.get_running_loop().call_later(GRACE, _insist, task)


def _insist(task: asyncio.Task[Any]) -> None:
    if not task.done():
        _over.add(task)
        task.cancel()


_over: weakref.WeakSet[asyncio.Task[Any]] = weakref.WeakSet()
"""Tasks that had their moment to end."""


class Released(Generator[Any, Any, T]):
    """Awaits a coroutine, but lets go of one that goes on after its task was cancelled twice.

    A task cannot end while the coroutine in it swallows its cancellation; then neither can a run
    or the process. Once `cancel_twice` insists, the task ends and leaves the coroutine behind. All
    other cancellations pass: a coroutine's timeouts and task groups cancel their own task too.
    """

    __slots__ = ("_coroutine",)

    def __init__(self, coroutine: Coroutine[Any, Any, T]) -> None:
        self._coroutine = coroutine

    def __await__(self) -> Generator[Any, Any, T]:
        return self

    def send(self, value: Any) -> Any:
        """Let the coroutine take its next step."""
        return self._coroutine.send(value)

    def throw(self, error: Any, value: Any = None, traceback: Any = None) -> Any:
        """Raise what it waited for raised, unless that is the end of its time."""
        if isinstance(error, asyncio.CancelledError) and asyncio.current_task() in _over:
            _left.append(self._coroutine)
            raise error
        return self._coroutine.throw(error if value is None else value)


_left: list[Coroutine[Any, Any, Any]] = []
"""Coroutines that were left behind: collecting one would wake it, and it refuses to end."""
