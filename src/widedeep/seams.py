"""Which protocols the parts of widedeep meet at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from widedeep.costs import Cost, Prices
from widedeep.defaults import MAX_OUTPUT
from widedeep.events import Event, Record
from widedeep.messages import (
    Calls,
    Json,
    Message,
    Reply,
    ToolCall,
    ToolOutput,
    ToolSpec,
    Width,
    WidthUsed,
)


@dataclass(frozen=True, slots=True)
class Request:
    """One model request: the durable history, then the tail that is never part of it.

    `width` is what is wanted now (nobody parses the hint in the tail); `choice` none = the model
    must answer; `max_output` is in tokens. `key` is an idempotency key, stable over retries.
    """

    turn: int
    history: Sequence[Message]
    tail: str | None
    tools: tuple[ToolSpec, ...]
    width: Width
    choice: Literal["auto", "none"] = "auto"
    max_output: int = MAX_OUTPUT
    key: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """More of the reply's text."""

    text: str


@dataclass(frozen=True, slots=True)
class Reasoning:
    """More of the reply's reasoning."""

    text: str


@dataclass(frozen=True, slots=True)
class CallReady:
    """The call at `position` (from 0) is whole: the provider showed its end and it validates."""

    position: int
    call: ToolCall


@dataclass(frozen=True, slots=True)
class Restarted:
    """All deltas of this request so far are void; it is being sent again.

    `billed`: the provider may charge for what it had sent.
    """

    reason: str
    billed: bool = False


Delta = Text | Reasoning | CallReady | Restarted


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What is known of a model; `context` in tokens, None = unknown.

    `free`: it costs nothing, which is a known 0 and not an unknown price (`prices` None).
    `keeps_ledger`: it writes the ledger with its replies and needs no tool for it. `notes`: whether
    it can be offered that tool, which is in no count of calls. `members`: of
    which models one answers, as the reply then says; what holds of them all stands here.
    """

    name: str
    context: int | None = None
    free: bool = False
    keeps_ledger: bool = False
    notes: bool = True
    prices: Prices | None = None
    members: tuple[ModelInfo, ...] = ()

    def answering(self, name: str | None) -> ModelInfo:
        """Return what is known of the member that answered; without one of that name, this."""
        return next((info for info in self.members if info.name == name), self)


class Model(Protocol):
    """What decides the calls and writes the answer: an LLM, or rules."""

    @property
    def info(self) -> ModelInfo: ...

    async def reply(self, request: Request, on: Callable[[Delta], None]) -> Reply:
        """Answer one request; `on` is told of progress and never waits.

        What `on` raises is not caught: a retry that the budget does not hold ends there.

        Raises:
            ModelError: no reply could be had.
        """
        ...


@dataclass(frozen=True, slots=True)
class Context:
    """What a call may know of its surroundings.

    `deadline` is on the event loop's clock; `key` is an idempotency key, stable over retries.
    """

    run_id: str
    call_id: str
    key: str
    deadline: float


@runtime_checkable
class Tool(Protocol):
    """Something the model can have done in the world.

    `deadline` is seconds a call may take; `limit` is how many of a run's calls may run at once
    (None = any); `order` serial = the calls of a batch run one after another, in call order.
    `endable`: a call really ends at its deadline, which a thread's does not. `bound`: what a call
    takes at worst.
    """

    @property
    def spec(self) -> ToolSpec: ...
    @property
    def effects(self) -> Literal["read", "write"]: ...
    @property
    def order(self) -> Literal["any", "serial"]: ...
    @property
    def deadline(self) -> float: ...
    @property
    def limit(self) -> int | None: ...
    @property
    def endable(self) -> bool: ...
    @property
    def bound(self) -> Cost: ...

    def validate(self, arguments: Json) -> Mapping[str, Any]:
        """Return the arguments as the tool takes them, or raise ValueError naming what is wrong."""
        ...

    def key(self, arguments: Json) -> str | None:
        """Return what makes two calls equal; None = a result is never reused."""
        ...

    async def call(self, arguments: Mapping[str, Any], context: Context) -> ToolOutput:
        """Do it. Whatever it raises becomes an error result of this call alone."""
        ...


@dataclass(frozen=True, slots=True)
class State:
    """What a schedule may know before a turn.

    `used`: share (0 to 1) of each limited budget used so far, by its name. `widths` and `outcomes`:
    of each batch so far. `new_evidence`: quotes
    and ledger facts per executed call in the last two turns, None when the run has none of these.
    `open`: open ledger items, None when unknown.
    """

    turn: int
    used: Mapping[str, float] = field(default_factory=dict[str, float])
    widths: tuple[WidthUsed, ...] = ()
    outcomes: tuple[Calls, ...] = ()
    new_evidence: float | None = None
    open: int | None = None


class Schedule(Protocol):
    """Turn state -> width."""

    def width(self, state: State) -> Width: ...


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for. `purpose`: one clause on why; `reasoning`: the turn's."""

    text: str
    purpose: str | None = None
    reasoning: str | None = None
    filters: Json | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found: `id` of its document, `passage` its place in it (from 0)."""

    id: str
    title: str | None
    text: str
    score: float
    passage: int
    url: str | None = None


class Retriever(Protocol):
    """Search over a corpus."""

    async def search(self, query: Query, k: int) -> list[Hit]:
        """Return at most `k` hits, best first."""
        ...


class Library(Protocol):
    """Documents that can be read as a whole, passage by passage."""

    async def passages(self, id: str) -> list[Hit]:
        """Return the passages of document `id` in order; empty when there is no such document."""
        ...


class Journal(Protocol):
    """The append-only record of events."""

    def append(self, run_id: str, event: Event) -> None:
        """Take an event; it is written soon, in order."""
        ...

    async def flush(self) -> None:
        """Return when all that was appended is safe on disk.

        Raises:
            JournalError: it cannot be written.
        """
        ...

    def read(self, run_id: str) -> Iterable[Record]:
        """Return the records of a run in order."""
        ...
