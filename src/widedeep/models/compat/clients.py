"""Which connections are requests sent over? Those of the event loop they are made in."""

from __future__ import annotations

import asyncio
import ssl
import weakref
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from httpx2 import AsyncClient

SHARED = 8
"""Requests at once for which one client is fastest: it looks through all its connections."""

CONNECT = 20.0
"""Seconds that a connection may take to be made; how long a reply takes is the agent's business."""


@dataclass(slots=True)
class _Client:
    client: AsyncClient
    holding: AsyncGenerator[None]
    busy: int = 0


class Clients:
    """HTTP clients by event loop; an ending loop closes its own.

    Args:
        secure: whether they speak TLS.
    """

    def __init__(self, *, secure: bool) -> None:
        self._secure = secure
        self._by_loop: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, list[_Client]]
        self._by_loop = weakref.WeakKeyDictionary()

    @asynccontextmanager
    async def client(self) -> AsyncGenerator[AsyncClient]:
        """Lend the client with the least to do."""
        there = self._by_loop.setdefault(asyncio.get_running_loop(), [])
        chosen = min(there, key=lambda one: one.busy, default=None)
        if chosen is None or chosen.busy >= SHARED:
            chosen = await self._open()
            there.append(chosen)
        chosen.busy += 1
        try:
            yield chosen.client
        finally:
            chosen.busy -= 1

    async def _open(self) -> _Client:
        from httpx2 import AsyncClient, Timeout

        timeout = Timeout(None, connect=CONNECT)
        client = AsyncClient(verify=_tls() if self._secure else False, timeout=timeout)
        holding = self._hold(client)
        await anext(holding)
        return _Client(client, holding)

    async def _hold(self, client: AsyncClient) -> AsyncGenerator[None]:
        """Hold a client open; a loop that ends closes its generators, and so its clients.

        They hold the loop themselves, so it must be forgotten here or it would never be.
        """
        try:
            yield
        finally:
            self._by_loop.pop(asyncio.get_running_loop(), None)
            await client.aclose()

    async def close(self) -> None:
        """Close the clients of the running loop."""
        for one in self._by_loop.pop(asyncio.get_running_loop(), []):
            await one.holding.aclose()


@cache
def _tls() -> ssl.SSLContext:
    """Return what certificates are checked with; reading them takes longer than many turns."""
    from httpx2 import create_ssl_context

    return create_ssl_context()
