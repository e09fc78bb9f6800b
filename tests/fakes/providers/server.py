"""How does a fake provider answer a request?"""

import asyncio
import itertools
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Protocol, Self

from tests.fakes.providers.caching import PromptCache, tokens
from tests.fakes.providers.http import Response, read, send
from tests.fakes.providers.refusing import RefusedError
from tests.fakes.providers.script import (
    Answer,
    Asked,
    Dropped,
    Failed,
    Habit,
    Raw,
    Said,
    Script,
    Used,
    dumped,
)
from tests.fakes.providers.sse import Event, escaped, framed

JSON = "application/json"


class Dialect(Protocol):
    """What the four providers do differently."""

    base: str
    habits: Habit
    escapes: str  # the characters that are written as \uXXXX although JSON need not

    def get(self, path: str) -> Any:
        """Return what a GET of the path gives, or None."""
        ...

    def authorize(self, asked: Asked, key: str) -> None:
        """Refuse a request without the key."""
        ...

    def check(self, asked: Asked) -> None:
        """Refuse a request that the real API would refuse."""
        ...

    def too_long(self, tokens: int, context: int) -> RefusedError: ...

    def blocks(self, body: Any) -> list[Any]:
        """Return what the model reads, in the order in which it is cached."""
        ...

    def breakpoints(self, body: Any) -> list[int] | None:
        """Return after how many blocks the request is cached; None = after any."""
        ...

    def streams(self, asked: Asked) -> bool: ...

    def failure(self, refusal: RefusedError) -> Any:
        """Return the JSON body of an error."""
        ...

    def whole(self, asked: Asked, said: Said, used: Used, habit: Habit) -> Any:
        """Return the reply as one JSON value."""
        ...

    def events(self, asked: Asked, said: Said, used: Used, habit: Habit) -> list[Event]:
        """Return the reply as a stream."""
        ...


class Server:
    """A provider on loopback; `async with` runs it in this loop, `with` in a thread of its own.

    `requests` are all that came, `invalid` those that were refused. `context` is in tokens of four
    bytes; `key` None = none is asked for.
    """

    def __init__(
        self,
        dialect: Dialect,
        script: Script,
        *,
        habit: Habit = Habit.NORMAL,
        key: str | None = None,
        context: int = 1_000_000,
    ) -> None:
        unknown = habit & ~dialect.habits
        if unknown:
            raise ValueError(f"{type(dialect).__name__} has no habit {unknown!r}")
        self.requests: list[Asked] = []
        self._dialect = dialect
        self.habit = habit
        self._key = key
        self._context = context
        self._next = script if callable(script) else _one_by_one(iter(script))
        self._cache = PromptCache()
        self._numbers = itertools.count(1)
        self._tasks: set[asyncio.Task[None]] = set()
        self._bugs: list[Exception] = []
        self._thread: tuple[asyncio.AbstractEventLoop, threading.Thread] | None = None

    @property
    def invalid(self) -> list[Asked]:
        return [asked for asked in self.requests if asked.error is not None]

    async def __aenter__(self) -> Self:
        self._listening = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = self._listening.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}{self._dialect.base}"
        return self

    async def __aexit__(self, *error: object) -> None:
        self._listening.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._listening.wait_closed()
        if self._bugs and error[0] is None:
            raise self._bugs[0]

    def __enter__(self) -> Self:
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=loop.run_forever, daemon=True)
        thread.start()
        self._thread = loop, thread
        return asyncio.run_coroutine_threadsafe(self.__aenter__(), loop).result()

    def __exit__(self, *error: object) -> None:
        assert self._thread is not None
        loop, thread = self._thread
        try:
            asyncio.run_coroutine_threadsafe(self.__aexit__(*error), loop).result()
        finally:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            while (asked := await read(reader)) is not None and await self._answer(
                asked, reader, writer
            ):
                pass
        except asyncio.CancelledError:
            pass  # the test is over
        except Exception as bug:
            self._bugs.append(bug)
            raise
        finally:
            self._tasks.discard(task)
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _answer(
        self, asked: Asked, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        asked.peer = writer.get_extra_info("peername")
        """Answer a request; tell whether the connection stays open."""
        asked.number = next(self._numbers)
        self.requests.append(asked)
        response = self._response(asked)
        if response is None:
            return False
        asked.status = response.status
        try:
            return await send(response, reader, writer)
        except ConnectionError:
            asked.left = True
            if response.gate:
                response.gate.left.set()
            return False

    def _response(self, asked: Asked) -> Response | None:
        try:
            found = self._dialect.get(asked.path) if asked.method == "GET" else None
            if self._key is not None:
                self._dialect.authorize(asked, self._key)
            if found is not None:
                return _json(200, found)
            used = self._checked(asked)
            answer = self._next(asked)
        except RefusedError as refusal:
            asked.error = refusal.message
            return _json(refusal.status, self._dialect.failure(refusal))
        match answer:
            case Dropped():
                return None
            case Raw():
                return Response(answer.status, answer.content_type, [answer.body], {})
            case Failed():
                refusal = RefusedError(answer.message, status=answer.status)
                after = {"retry-after": answer.retry_after} if answer.retry_after else {}
                headers = {**after, **answer.headers}
                return _json(answer.status, self._dialect.failure(refusal), headers)
            case Said():
                return self._said(asked, answer, answer.used or used)

    def _checked(self, asked: Asked) -> Used:
        """Check a request; return what it takes, without the reply."""
        try:
            asked.body = json.loads(asked.raw)
        except ValueError:
            raise RefusedError("We could not parse the JSON body of your request.") from None
        self._dialect.check(asked)
        read = [dumped(block) for block in self._dialect.blocks(asked.body)]
        size = tokens(read)
        if size > self._context:
            raise self._dialect.too_long(size, self._context)
        breakpoints = self._dialect.breakpoints(asked.body)
        cached, written = self._cache.used(read, breakpoints)
        return Used(size, 0, tokens(read[:cached]), tokens(read[cached:written]))

    def _said(self, asked: Asked, said: Said, used: Used) -> Response:
        habit = self.habit if said.habit is None else said.habit
        if said.used is None:
            reply = [said.reasoning, said.text, *map(dumped, said.calls)]
            thought = tokens(reply[:1])
            used = Used(used.input, tokens(reply), used.cached, used.cache_write, thought)
        if self._dialect.streams(asked) and Habit.STREAM_IGNORED not in habit:
            events = self._dialect.events(asked, said, used, habit)
            sent = framed(events, habit, self._dialect.escapes)
            kind = said.content_type or "text/event-stream"
        else:
            whole = self._dialect.whole(asked, said, used, habit)
            sent = [escaped(dumped(whole), self._dialect.escapes).encode()]
            kind = said.content_type or JSON
        closes = Habit.UNTIL_CLOSE in habit
        return Response(200, kind, sent, {}, said.cut, said.gate, closes)


def _one_by_one(answers: Iterator[Answer]) -> Callable[[Asked], Answer]:
    def following(asked: Asked) -> Answer:
        for answer in answers:
            return answer
        raise RefusedError(f"The script of the fake has nothing for request {asked.number}.")

    return following


def _json(status: int, value: Any, headers: Mapping[str, str] | None = None) -> Response:
    return Response(status, JSON, [dumped(value).encode()], headers or {})
