"""How is a server that speaks Chat Completions asked, and its reply read as it comes?"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, cast

from widedeep.errors import ModelError, TransientError
from widedeep.messages import Reply
from widedeep.models.compat.clients import Clients
from widedeep.models.compat.encoding import Tools, encode
from widedeep.models.compat.failures import failure, in_stream, lost, unsent
from widedeep.models.compat.habits import REFUSED, learned
from widedeep.models.compat.schema import Schema
from widedeep.models.compat.server import Server
from widedeep.models.saying import shown
from widedeep.net import asked_to_wait
from widedeep.seams import Delta, ModelInfo, Request

if TYPE_CHECKING:
    from httpx2 import AsyncClient, Response

LARGEST = 64_000_000
"""Bytes of a reply that is not streamed, or of one event of a stream, at most."""

LINGER = 0.2
"""Seconds that the end of a stream is waited for when the reply itself has ended."""

DONE = "[DONE]"
"""What ends a stream."""

Chunk = Mapping[str, Any]


class Compat:
    """A model behind a server that speaks OpenAI's Chat Completions.

    A request is one attempt; `Patient` asks again. A field that the server refuses is left out from
    then on.

    Args:
        model: the model's name at the server.
        server: the server and its habits.
        info: what is known of the model; None = its name alone.
    """

    def __init__(self, model: str, server: Server, info: ModelInfo | None = None) -> None:
        self.info = info or ModelInfo(model)
        self.server = server
        self._model = model
        self._url = f"{server.url.rstrip('/')}/chat/completions"
        tools = Tools(server.returns, self.info.name)
        self._dialect: Tools | Schema = Schema() if server.constrained else tools
        self._clients = Clients(secure=server.url.startswith("https:"))
        self._met = False

    async def reply(self, request: Request, on: Callable[[Delta], None]) -> Reply:
        """Answer one request, telling `on` of each call that is whole while it streams.

        Raises:
            ContextError: the request is more than the model takes.
            TransientError: asking again may help.
            ModelError: it will not.
        """
        draft = self._dialect.draft(request, self.server, on)
        begun = False
        try:
            async with aclosing(self._chunks(request)) as chunks:
                async for chunk in chunks:
                    begun = True
                    draft.chunk(chunk)
        except TransientError as error:
            error.billed = error.billed or begun
            raise
        if not draft.whole:
            raise TransientError(f"{self.server.label} broke off its reply", billed=begun)
        return draft.reply()

    async def aclose(self) -> None:
        """Close the connections of the running event loop; others end with their loops."""
        await self._clients.aclose()

    def body(self, request: Request) -> bytes:
        """Return the body of a request: what was encoded before is joined, not made again."""
        head: dict[str, Any] = {"model": self._model, **self.server.body, **self._streaming()}
        opened = encode(head).encode(errors="replace")[:-1]
        return b"".join((opened, b",", *self._dialect.fields(request, self.server), b"}"))

    def _streaming(self) -> dict[str, Any]:
        if not self.server.stream:
            return {"stream": False}
        options = {"stream_options": {"include_usage": True}} if self.server.usage else {}
        return {"stream": True, **options}

    async def _chunks(self, request: Request) -> AsyncGenerator[Chunk]:
        """Send a request and give the JSON objects of its reply as they come."""
        from httpx2 import HTTPError, InvalidURL

        try:
            async with self._clients.client() as client, self._sent(client, request) as response:
                async for chunk in self._read(response):
                    yield chunk
        except HTTPError as error:
            raise lost(self.server, error) from error
        except InvalidURL as error:
            raise ModelError(f"{self._url!r}: {error}; check the URL") from error

    @asynccontextmanager
    async def _sent(self, client: AsyncClient, request: Request) -> AsyncGenerator[Response]:
        """Send a request, also without a field that the server does not know, till it is taken."""
        from httpx2 import HTTPError

        response = None
        while response is None:
            content, headers, server = self.body(request), self._headers(request), self.server
            sent = client.build_request("POST", self._url, content=content, headers=headers)
            try:
                response = await client.send(sent, stream=True)
            except HTTPError as error:
                raise unsent(self.server, error, met=self._met) from error
            self._met = True
            response = await self._accepted(response, server)
        try:
            yield response
        finally:
            await response.aclose()

    def _headers(self, request: Request) -> dict[str, str]:
        headers = {"content-type": "application/json", "accept": "text/event-stream"}
        if self.server.key:
            headers["authorization"] = f"Bearer {self.server.key}"
        if request.key:
            headers["idempotency-key"] = request.key
        return headers

    async def _accepted(self, response: Response, server: Server) -> Response | None:
        """Return a response that holds a reply; None when the request is to be sent otherwise.

        `server` is what the server was taken to be when the request was made: what another request
        has taught since is not taken for a second refusal.

        Raises:
            ModelError: the request was refused.
        """
        if response.status_code == 200:
            return response
        try:
            said = (await _body(response)).decode(errors="replace")
        finally:
            await response.aclose()
        better = learned(server, said) if response.status_code in REFUSED else None
        if better is None:
            wait = asked_to_wait(response.headers, time.time())
            raise failure(self.server, response.status_code, said, wait)
        if self.server is server:
            self.server = better
        return None

    async def _read(self, response: Response) -> AsyncGenerator[Chunk]:
        """Give the JSON objects of a reply, streamed or in one piece."""
        from httpx2 import EventSource

        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "text/event-stream":
            yield self._object((await _body(response)).decode(errors="replace"), kind)
            return
        events = aiter(EventSource(response, max_event_size=LARGEST))
        async for event in events:
            if event.data == DONE:
                yield {"done": True}
                await _drain(events)
                return
            if event.data.strip():
                yield self._object(event.data, kind)

    def _object(self, text: str, kind: str) -> Chunk:
        """Return the JSON object that a text is.

        Raises:
            ModelError: it is none, or tells an error.
        """
        try:
            value: object = json.loads(text.removeprefix("\ufeff"))
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            server = self.server
            what = shown(f"{server.label} sent {kind} that is no JSON: {text}", server.key)
            raise TransientError(what)
        chunk = cast("Chunk", value)
        if chunk.get("error"):
            raise in_stream(self.server, chunk["error"])
        return chunk


async def _drain(events: AsyncIterator[object]) -> None:
    """Read what follows the end, for a moment: a connection that is read out is used again."""
    with suppress(TimeoutError):
        async with asyncio.timeout(LINGER):
            async for _ in events:
                pass


async def _body(response: Response) -> bytes:
    """Return a body that did not come in a stream, as far as it may be read."""
    parts: list[bytes] = []
    size = 0
    async for part in response.aiter_bytes():
        parts.append(part)
        size += len(part)
        if size > LARGEST:
            raise ModelError(f"the server sent a reply of over {LARGEST:,} bytes")
    return b"".join(parts)
