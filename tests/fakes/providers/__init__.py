"""Strict fake providers on loopback: they refuse what the real ones refuse.

    from tests.fakes import providers as fake
    from tests.fakes.providers import Failed, Gate, Habit, Said, Used

    script = [
        Failed(429, retry_after="2"),
        Said(calls=[("search", {"query": "x"}), ("search", {"query": "y"})]),
        Said(text="done", cut=40),
    ]
    async with fake.chat(script, habit=Habit.INDEX_ZERO | Habit.CRLF, key="sk-1") as server:
        ...  # ask at server.url, which ends in /v1
    assert server.invalid == []  # requests that were refused; server.requests: all of them

One answer a request, in order; a function of the request, or `itertools.repeat(Said("ok"))`, may
stand for the list. A request that is refused takes no answer. `with` instead of `async with` runs
the server in a thread, for code that brings its own event loop. A `Gate` holds a stream back: it
sends an event only when the test lets it.

`script.py` has what can be said, in which habits, and what goes wrong; `server.py` speaks HTTP;
one file a dialect says which requests are refused, and one how replies are written.
"""

from collections.abc import Sequence

from tests.fakes.providers.chat import Chat
from tests.fakes.providers.chat_checks import Rules
from tests.fakes.providers.gemini import Gemini
from tests.fakes.providers.messages import Messages
from tests.fakes.providers.responses import Responses
from tests.fakes.providers.script import (
    FRAMING,
    Asked,
    Dropped,
    Failed,
    Gate,
    Habit,
    Raw,
    Said,
    Script,
    Used,
    huge,
    page,
)
from tests.fakes.providers.server import Server

__all__ = [
    "FRAMING",
    "Asked",
    "Dropped",
    "Failed",
    "Gate",
    "Habit",
    "Raw",
    "Rules",
    "Said",
    "Script",
    "Server",
    "Used",
    "chat",
    "gemini",
    "huge",
    "messages",
    "page",
    "responses",
]


def chat(
    script: Script,
    *,
    habit: Habit = Habit.NORMAL,
    key: str | None = None,
    context: int = 1_000_000,
    rules: Rules | None = None,
    models: Sequence[str] = (),
) -> Server:
    """Return a Chat Completions server; `models`: those it knows, none = any."""
    dialect = Chat(rules or Rules(), models, {})
    return Server(dialect, script, habit=habit, key=key, context=context)


def responses(
    script: Script,
    *,
    habit: Habit = Habit.NORMAL,
    key: str | None = None,
    context: int = 1_000_000,
    models: Sequence[str] = (),
    unsupported: Sequence[str] = (),
) -> Server:
    """Return an OpenAI Responses server; `unsupported`: parameters that it refuses."""
    dialect = Responses(models, unsupported)
    return Server(dialect, script, habit=habit, key=key, context=context)


def messages(
    script: Script,
    *,
    habit: Habit = Habit.NORMAL,
    key: str | None = None,
    context: int = 1_000_000,
    models: Sequence[str] = (),
) -> Server:
    """Return an Anthropic Messages server; its `url` does not end in /v1, as the SDK wants it."""
    return Server(Messages(models), script, habit=habit, key=key, context=context)


def gemini(
    script: Script,
    *,
    habit: Habit = Habit.NORMAL,
    key: str | None = None,
    context: int = 1_000_000,
    models: Sequence[str] = (),
    signs: bool = True,
) -> Server:
    """Return a Gemini server; `signs`: it signs calls and wants them signed, as Gemini 3 does."""
    return Server(Gemini(models, signs), script, habit=habit, key=key, context=context)
