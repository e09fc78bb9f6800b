"""Which of a thing that belongs to an event loop is this loop's?"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class ByLoop(Generic[T]):
    """One value for each event loop; an ending loop closes its own.

    Args:
        make: makes one, when a loop first asks for it.
        close: closes one, in its loop.
    """

    def __init__(self, make: Callable[[], T], close: Callable[[T], Awaitable[None]]) -> None:
        self._make = make
        self._close = close
        self._held: dict[asyncio.AbstractEventLoop, tuple[T, AsyncGenerator[None]]] = {}

    async def get(self) -> T:
        """Return the value of the running loop."""
        loop = asyncio.get_running_loop()
        held = self._held.get(loop)
        if held is None:
            self._forget_closed()
            value = self._make()
            held = self._held[loop] = (value, self._hold(loop, value))
            await anext(held[1])
        return held[0]

    async def aclose(self) -> None:
        """Close the value of the running loop, if there is one."""
        held = self._held.get(asyncio.get_running_loop())
        if held is not None:
            await held[1].aclose()

    def __len__(self) -> int:
        return len(self._held)

    async def _hold(self, loop: asyncio.AbstractEventLoop, value: T) -> AsyncGenerator[None]:
        """Hold a value; a loop that ends closes its generators, and so the value.

        A generator keeps its loop alive, so that only leaving here lets go of both.
        """
        try:
            yield
        finally:
            self._held.pop(loop, None)
            await self._close(value)

    def _forget_closed(self) -> None:
        """Let go of loops that were closed without ending their generators."""
        for loop in list(self._held):
            if loop.is_closed():
                self._held.pop(loop, None)
