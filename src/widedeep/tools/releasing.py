"""How is a task ended whose coroutine will not end?"""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from typing import Any, Generic, TypeVar

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


class Released(Generic[T]):
    """Awaits a coroutine, but lets go of one that goes on after its task was cancelled twice.

    A task cannot end while the coroutine in it swallows its cancellation; then neither can a run
    or the process. Once `cancel_twice` insists, the task ends and leaves the coroutine behind. All
    other cancellations pass: a coroutine's timeouts and task groups cancel their own task too.
    """

    __slots__ = ("_coroutine",)

    def __init__(self, coroutine: Coroutine[Any, Any, T]) -> None:
        self._coroutine = coroutine

    def __await__(self) -> Generator[Any, Any, T]:
        coroutine, task = self._coroutine, asyncio.current_task()
        step: Callable[[], Any] = partial(coroutine.send, None)
        while True:
            try:
                waited = step()
            except StopIteration as stop:
                return stop.value
            try:
                step = partial(coroutine.send, (yield waited))
            except BaseException as error:  # passes through: what a future raises is the tool's
                if isinstance(error, asyncio.CancelledError) and task in _over:
                    _left.append(coroutine)
                    raise
                step = partial(coroutine.throw, error)


_left: list[Coroutine[Any, Any, Any]] = []
"""Coroutines that were left behind: collecting one would wake it, and it refuses to end."""
