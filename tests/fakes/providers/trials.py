"""Is any request of an adapter refused, whatever the history?

assert_never_refused(fake.chat, lambda url: Compat("m", Server(url)), examples=300)
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from hypothesis import given, settings

from tests.fakes.providers.histories import Turn, conversations, hold, requests
from tests.fakes.providers.script import Asked, Said, Script
from tests.fakes.providers.server import Server
from widedeep.seams import Delta, Model, Request


class Serve(Protocol):
    """`fake.chat` and its like."""

    def __call__(self, script: Script, **options: Any) -> Server: ...


class _Trial:
    """A model and the fake that it asks, which says what the conversation at hand has."""

    def __init__(self, serve: Serve, options: dict[str, Any]) -> None:
        self.loop = asyncio.new_event_loop()
        self.server = serve(self._answer, **options)
        self.passed = 0
        self._script: list[Said] = []

    def _answer(self, asked: Asked) -> Said:
        return self._script.pop(0) if self._script else Said("ok")

    def ask(self, model: Model, request: Request) -> None:
        self.loop.run_until_complete(model.reply(request, _unheard))
        self._passed(1)

    def hold(self, model: Model, turns: Sequence[Turn]) -> None:
        self._script[:] = [turn.said for turn in turns]
        self.loop.run_until_complete(hold(model, turns))
        self._passed(len(turns))

    def _passed(self, requests: int) -> None:
        assert [asked.error for asked in self.server.invalid] == []
        self.server.requests.clear()
        self.passed += requests


def _unheard(delta: Delta) -> None:
    """Take a delta; this is about requests."""


def assert_never_refused(
    serve: Serve, open_model: Callable[[str], Model], examples: int, **options: Any
) -> int:
    """Ask with random histories and hold random conversations; return how many requests passed.

    Args:
        serve: what makes the fake server.
        open_model: what makes the model, from the URL of the server; its `aclose` is called, if it
            has one.
        examples: how many histories, half as many conversations.
        options: of the fake server.

    Raises:
        AssertionError: a request was refused; hypothesis shows the smallest such history.
        ModelError: likewise, as the adapter tells it.
    """
    trial = _Trial(serve, options)
    with trial.server as server:
        model = open_model(server.url)

        @settings(max_examples=examples)
        @given(requests())
        def ask(request: Request) -> None:
            trial.ask(model, request)

        @settings(max_examples=examples // 2)
        @given(conversations())
        def held(turns: tuple[Turn, ...]) -> None:
            trial.hold(model, turns)

        try:
            ask()
            held()
        finally:
            close = getattr(model, "aclose", None)
            if close is not None:
                trial.loop.run_until_complete(close())
            trial.loop.run_until_complete(trial.loop.shutdown_asyncgens())
            trial.loop.close()
    return trial.passed
