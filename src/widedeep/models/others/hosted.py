"""How is a provider's model asked through pydantic-ai?"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable, Generator, Mapping
from contextlib import AsyncExitStack, contextmanager
from typing import Any, NamedTuple, cast

import httpx2
from pydantic_ai import messages as ai
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from widedeep.costs import Prices
from widedeep.messages import Reply, ToolSpec
from widedeep.models.loops import ByLoop
from widedeep.models.others.failures import told
from widedeep.models.others.replies import reply_of
from widedeep.models.others.runs import Run, Runs
from widedeep.models.others.streams import Progress
from widedeep.models.others.wire import DIALECTS, SENDING, Client, Wire
from widedeep.seams import Delta, ModelInfo, Request


class _Connected(NamedTuple):
    """What belongs to one event loop."""

    http: Client
    model: Model[Any]


async def _disconnect(one: _Connected) -> None:
    await one.http.aclose()


class Hosted:
    """A provider's model.

    Args:
        name: what the model is called, with its prefix.
        build: makes pydantic-ai's model on an HTTP client, which belongs to one event loop.
        key: what no error may show.
        settings: more of pydantic-ai's model settings.
        prices: what it takes for its tokens; None = unknown.
        context: tokens that it takes; None = as pydantic-ai knows it.
    """

    def __init__(
        self,
        name: str,
        build: Callable[[Client], Model[Any]],
        *,
        transport: httpx2.AsyncBaseTransport | None = None,
        key: str | None = None,
        settings: Mapping[str, Any] | None = None,
        prices: Prices | None = None,
        context: int | None = None,
    ) -> None:
        self._build = build
        self._transport = transport
        self._first = [self._connected()]
        self._by_loop = ByLoop(self._connect, _disconnect)
        self._key = key
        self._settings = dict(settings or {})
        self._prefix = name.partition(":")[0]
        self._runs = Runs(name)
        self._tools: tuple[tuple[ToolSpec, ...], ModelRequestParameters] | None = None
        context = context or self._first[0].model.context_window
        self.info = ModelInfo(name, context=context, prices=prices)

    async def reply(self, request: Request, on: Callable[[Delta], None]) -> Reply:
        """Stream one reply.

        Raises:
            TransientError: asking again may help.
            ContextError: the request is too long.
            ModelError: the provider refuses it.
        """
        model, run = (await self._by_loop.get()).model, self._runs.of(request.history)
        parameters = self._parameters(request.tools)
        messages = run.messages(request.history, request.tail)
        if not isinstance(run, Wire):
            messages = model.prepare_messages(messages, parameters)
        progress = Progress(on)
        async with AsyncExitStack() as stack:
            with told(self._key), _sending(run):
                chosen = self._chosen(model, request)
                opening = model.request_stream(messages, chosen, parameters)
                stream = await stack.enter_async_context(opening)
            async for event in self._events(stream):
                progress.see(event)
            return reply_of(stream.get(), self.info.name)

    async def aclose(self) -> None:
        """Close the connections of the running event loop, which otherwise end with it."""
        await self._by_loop.aclose()

    async def _events(self, stream: StreamedResponse) -> AsyncIterator[ai.ModelResponseStreamEvent]:
        """Yield a stream's events; only what it raises itself is told as the provider's failure.

        It opened with the first of the reply's events, so what fails now may be charged.
        """
        events = aiter(stream)
        while True:
            with told(self._key, billed=True):
                try:
                    event = await anext(events)
                except StopAsyncIteration:
                    return
            yield event

    def _connect(self) -> _Connected:
        """Return what a loop asks with: the first one has what told the context."""
        try:
            return self._first.pop()
        except IndexError:
            return self._connected()

    def _connected(self) -> _Connected:
        http = Client(self._transport)
        return _Connected(http, self._build(http))

    def _parameters(self, tools: tuple[ToolSpec, ...]) -> ModelRequestParameters:
        if self._tools is None or self._tools[0] != tools:
            made = [
                ToolDefinition(
                    name=tool.name,
                    parameters_json_schema=dict(tool.schema),
                    description=tool.description,
                )
                for tool in tools
            ]
            self._tools = tools, ModelRequestParameters(function_tools=made)
        return self._tools[1]

    def _chosen(self, model: Model[Any], request: Request) -> ModelSettings:
        """Return the settings of a request."""
        settings: dict[str, Any] = {"max_tokens": request.max_output, **self._settings}
        if request.tools and request.choice == "none":
            settings["tool_choice"] = "none"
        elif request.width.cap == 1 and "parallel_tool_calls" not in model.unsupported_settings:
            settings["parallel_tool_calls"] = False
        if self._prefix == "openai":
            settings |= {"openai_store": False, "openai_prompt_cache_key": _run_key(request)}
        elif self._prefix == "anthropic":
            settings["anthropic_cache_instructions"] = True
        ignored = model.unsupported_settings
        if self._prefix not in DIALECTS and "max_retries" not in ignored:
            settings["max_retries"] = 0
        if request.key and "extra_headers" not in ignored:
            settings["extra_headers"] = {"Idempotency-Key": request.key}
        return cast("ModelSettings", settings)


@contextmanager
def _sending(run: Run) -> Generator[None]:
    """Have the request that is sent meanwhile carry the run's history."""
    token = SENDING.set(run if isinstance(run, Wire) else None)
    try:
        yield
    finally:
        SENDING.reset(token)


def _run_key(request: Request) -> str:
    """Return what is the same in all requests of a run and sends them to the same cache."""
    start = "\n".join(getattr(message, "text", "") for message in request.history[:2])
    return hashlib.sha256(start.encode(errors="replace")).hexdigest()[:32]
