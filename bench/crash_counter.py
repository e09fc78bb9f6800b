"""Who was paid how often? A server on loopback that counts every purchase it is asked for."""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import dataclass
from typing import Any, Self

HOST = "127.0.0.1"


@dataclass(slots=True)
class Purchase:
    """Something bought in a case: the thing, its idempotency key, and if the buyer has the reply.

    `session` counts the processes of the case, from 0.
    """

    case: str
    session: int
    thing: str
    key: str
    seen: bool = False


class Counter:
    """Counts purchases while its block lasts, in a thread of its own."""

    def __init__(self) -> None:
        self.port = 0
        self._purchases: dict[str, list[Purchase]] = {}
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True, name="counter")

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def of(self, case: str) -> list[Purchase]:
        """Return what was bought in a case so far."""
        return list(self._purchases.get(case, ()))

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._answer, HOST, 0))
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take one purchase, reply after the seconds it takes, and see whether that arrives."""
        try:
            wanted = await _posted(reader)
            seconds = wanted.pop("seconds")
            bought = Purchase(**wanted)
            self._purchases.setdefault(bought.case, []).append(bought)
            await asyncio.sleep(seconds)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
            await writer.drain()
            bought.seen = await reader.read(1) == b"+"
        except (OSError, asyncio.IncompleteReadError):
            return  # the buyer was killed
        finally:
            writer.close()


async def _posted(reader: asyncio.StreamReader) -> dict[str, Any]:
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(head.partition(b"Content-Length: ")[2].split(b"\r\n")[0])
    return json.loads(await reader.readexactly(length))


async def buy(port: int, **wanted: Any) -> None:
    """Buy something and tell the server that its reply has arrived.

    Args:
        port: of the server.
        **wanted: the fields of `Purchase` but for `seen`, and the `seconds` it takes.
    """
    reader, writer = await asyncio.open_connection(HOST, port)
    body = json.dumps(wanted).encode()
    writer.write(b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    head = await reader.readuntil(b"\r\n\r\n")
    await reader.readexactly(2)
    assert b"200" in head
    writer.write(b"+")
    await writer.drain()
    writer.close()
