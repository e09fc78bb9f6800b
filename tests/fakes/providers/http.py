"""How does a fake provider speak HTTP/1.1?"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

from tests.fakes.providers.script import Asked, Gate

REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found"}


@dataclass(frozen=True, slots=True)
class Response:
    """What is sent: the pieces of the body one after another."""

    status: int
    content_type: str
    pieces: list[bytes]
    headers: Mapping[str, str]
    cut: int | None = None
    gate: Gate | None = None
    until_close: bool = False


async def read(reader: asyncio.StreamReader) -> Asked | None:
    """Read a request, or None when the client is gone."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head[:-4].split("\r\n")
        method, target, _ = first.split(" ")
        headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines)
        }
        raw = await _body(reader, headers)
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    url = urlsplit(target)
    return Asked(0, method, unquote(url.path), headers, raw, dict(parse_qsl(url.query)))


async def _body(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
    if headers.get("transfer-encoding", "").lower() != "chunked":
        return await reader.readexactly(int(headers.get("content-length", 0)))
    parts: list[bytes] = []
    while size := int((await reader.readuntil(b"\r\n")).split(b";")[0], 16):
        parts.append(await reader.readexactly(size))
        await reader.readexactly(2)
    await reader.readuntil(b"\r\n")
    return b"".join(parts)


async def send(
    response: Response, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> bool:
    """Send a response; tell whether the connection stays open.

    Raises:
        ConnectionError: the client is gone.
    """
    chunked = not response.until_close
    headers = {"content-type": response.content_type, **response.headers}
    headers |= {"transfer-encoding": "chunked"} if chunked else {"connection": "close"}
    reason = REASONS.get(response.status, "Error")
    lines = [f"HTTP/1.1 {response.status} {reason}", *(f"{k}: {v}" for k, v in headers.items())]
    writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
    left = response.cut
    for piece in response.pieces:
        if response.gate:
            await _pass(response.gate, reader)
        sent = piece if left is None else piece[:left]
        if sent:
            writer.write(b"%x\r\n%s\r\n" % (len(sent), sent) if chunked else sent)
            await writer.drain()
        if response.gate:
            await response.gate.passed()
        if left is not None:
            left -= len(sent)
            if left == 0:
                return False
    if chunked:
        writer.write(b"0\r\n\r\n")
        await writer.drain()
    return chunked


async def _pass(gate: Gate, reader: asyncio.StreamReader) -> None:
    """Wait until the gate lets another event through, or the client is gone."""
    passing = asyncio.ensure_future(gate.passing())
    gone = asyncio.ensure_future(reader.read(1))  # nothing comes before the reply has ended
    try:
        await asyncio.wait({passing, gone}, return_when=asyncio.FIRST_COMPLETED)
        if gone.done():
            raise ConnectionResetError("the client closed the connection")
    finally:
        passing.cancel()
        gone.cancel()
        await asyncio.gather(passing, gone, return_exceptions=True)
