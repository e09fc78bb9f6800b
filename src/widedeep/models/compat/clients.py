"""Which connections are requests sent over? Those of the event loop they are made in."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from widedeep.models.certificates import tls
from widedeep.models.loops import ByLoop

if TYPE_CHECKING:
    from httpx2 import AsyncClient

SHARED = 8
"""Requests at once for which one client is fastest: it looks through all its connections."""

CONNECT = 20.0
"""Seconds that a connection may take to be made; how long a reply takes is the agent's business."""


@dataclass(slots=True)
class _Client:
    http: AsyncClient
    busy: int = 0


class Clients:
    """HTTP clients by event loop; an ending loop closes its own.

    Args:
        secure: whether they speak TLS.
    """

    def __init__(self, *, secure: bool) -> None:
        self._secure = secure
        self._by_loop: ByLoop[list[_Client]] = ByLoop(list[_Client], _close)

    @asynccontextmanager
    async def client(self) -> AsyncGenerator[AsyncClient]:
        """Lend the client with the least to do."""
        there = await self._by_loop.get()
        chosen = min(there, key=lambda one: one.busy, default=None)
        if chosen is None or chosen.busy >= SHARED:
            chosen = self._opened()
            there.append(chosen)
        chosen.busy += 1
        try:
            yield chosen.http
        finally:
            chosen.busy -= 1

    async def aclose(self) -> None:
        """Close the clients of the running loop."""
        await self._by_loop.aclose()

    def _opened(self) -> _Client:
        from httpx2 import AsyncClient, Timeout

        timeout = Timeout(None, connect=CONNECT)
        return _Client(AsyncClient(verify=tls() if self._secure else False, timeout=timeout))


async def _close(clients: list[_Client]) -> None:
    for one in clients:
        await one.http.aclose()
