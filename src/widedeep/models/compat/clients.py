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
class _Lane:
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
        self._lanes: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, list[_Lane]]
        self._lanes = weakref.WeakKeyDictionary()

    @asynccontextmanager
    async def client(self) -> AsyncGenerator[AsyncClient]:
        """Lend the client with the least to do."""
        lanes = self._lanes.setdefault(asyncio.get_running_loop(), [])
        lane = min(lanes, key=lambda one: one.busy, default=None)
        if lane is None or lane.busy >= SHARED:
            lane = await _open(secure=self._secure)
            lanes.append(lane)
        lane.busy += 1
        try:
            yield lane.client
        finally:
            lane.busy -= 1

    async def close(self) -> None:
        """Close the clients of the running loop."""
        for lane in self._lanes.pop(asyncio.get_running_loop(), []):
            await lane.holding.aclose()


async def _open(*, secure: bool) -> _Lane:
    from httpx2 import AsyncClient, Timeout

    timeout = Timeout(None, connect=CONNECT)
    client = AsyncClient(verify=_tls() if secure else False, timeout=timeout)
    holding = _hold(client)
    await anext(holding)
    return _Lane(client, holding)


@cache
def _tls() -> ssl.SSLContext:
    """Return what certificates are checked with; reading them takes longer than many turns."""
    from httpx2 import create_ssl_context

    return create_ssl_context()


async def _hold(client: AsyncClient) -> AsyncGenerator[None]:
    """Hold a client open; a loop that ends closes its generators, and so the client."""
    try:
        yield
    finally:
        await client.aclose()
