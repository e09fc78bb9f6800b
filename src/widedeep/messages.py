"""Which types every provider, tool and report agrees on (frozen, no behaviour)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from widedeep.costs import Cost, Usage

Json = Mapping[str, Any]
"""A JSON object: tool arguments or a JSON Schema."""


class Outcome(StrEnum):
    """How a call ended. Every requested call has exactly one outcome."""

    OK = "ok"
    ERROR = "error"
    TIMEOUT = "timeout"
    LATE = "late"
    DUPLICATE = "duplicate"
    DEFERRED = "deferred"
    REFUSED = "refused"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"


Status = Literal["answered", "partial", "no_evidence", "failed"]
StoppedBy = Literal[
    "answer",
    "max_turns",
    "max_calls",
    "max_tokens",
    "max_usd",
    "max_seconds",
    "nothing_new",
    "user",
    "empty_reply",
    "cut_reply",
    "model_error",
    "error",
]
SourceKind = Literal["page", "passage", "snippet", "file", "result", "computation"]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class ToolSpec:
    """A tool as the model is told of it; `schema` is a JSON Schema object."""

    name: str
    description: str
    schema: Json


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool call as the model wrote it.

    `arguments` is None when `raw`, the argument text, is not a JSON object. `id` is ours
    (`turn.position`, both from 1; empty until the loop numbers the reply). `provider_id` is
    opaque: it may be absent or repeated.
    """

    tool: str
    arguments: Json | None
    id: str = ""
    raw: str | None = None
    provider_id: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """Something citable that a tool met, before it has a number.

    `id` is the corpus row's id or the url, `text` what was really read of it.
    """

    id: str
    text: str
    kind: SourceKind = "passage"
    title: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A numbered source: `text` is what this result showed of it, `turn` when it was first met."""

    n: int
    id: str
    text: str
    kind: SourceKind
    title: str | None
    url: str | None
    turn: int


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What a tool gives back.

    `sources`: the citable things met, in order; empty = nothing was found; None = the text itself
    is one source. `data` is for programs and is never shown to the model. `cost`: what the call
    took; None = charge the tool's bound.
    """

    text: str = ""
    sources: tuple[Found, ...] | None = None
    data: Any = None
    cost: Cost | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A call's one result: `text` is what the model reads; a duplicate shares that of `same_as`."""

    call: ToolCall
    outcome: Outcome
    text: str
    sources: tuple[Source, ...] = ()
    seconds: float | None = None
    same_as: str | None = None


@dataclass(frozen=True, slots=True)
class Quote:
    """Words kept from source `n`."""

    n: int
    text: str


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One sub-question, candidate or constraint of the run and what speaks for or against it."""

    id: str
    text: str
    state: Literal["open", "supported", "refuted"] = "open"
    quotes: tuple[Quote, ...] = ()


@dataclass(frozen=True, slots=True, weakref_slot=True)
class System:
    """What the run's model is told once, before the question."""

    text: str
    role: Literal["system"] = "system"


@dataclass(frozen=True, slots=True, weakref_slot=True)
class User:
    """Words to the model that are not the result of a call; `asks`: they are a question."""

    text: str
    asks: bool = False
    role: Literal["user"] = "user"


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Assistant:
    """A reply of the model as it stands in the history; `provider` is sent back unchanged.

    `model` is who wrote it, where several may; what `provider` holds is for that one alone.
    """

    text: str
    calls: tuple[ToolCall, ...] = ()
    reasoning: str | None = None
    provider: Any = None
    model: str | None = None
    role: Literal["assistant"] = "assistant"


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Results:
    """The results of one batch: one for every call, in call order."""

    results: tuple[ToolResult, ...]
    role: Literal["results"] = "results"


Message = System | User | Assistant | Results


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model answered.

    `stop` is `length` or `cut` when the reply is not whole. `abstains`: the policy says that the
    evidence does not hold an answer. `ledger` is written by the built-in policy. `model` is who
    answered, where several may.
    """

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    stop: Literal["end", "length", "cut"] = "end"
    reasoning: str | None = None
    short_answer: str | None = None
    abstains: bool = False
    ledger: tuple[LedgerEntry, ...] = ()
    usage: Usage = field(default_factory=Usage)
    provider: Any = None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Width:
    """Calls wanted in a turn: `target` (None = the model decides) and `cap` (None = no cap)."""

    target: int | None
    cap: int | None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class WidthUsed:
    """What became of one turn's width."""

    turn: int
    target: int | None
    cap: int | None
    requested: int
    executed: int


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls of a run by outcome; the outcomes sum to `requested`."""

    requested: int = 0
    executed: int = 0
    ok: int = 0
    error: int = 0
    timeout: int = 0
    late: int = 0
    duplicate: int = 0
    deferred: int = 0
    refused: int = 0
    cancelled: int = 0
    interrupted: int = 0


@dataclass(frozen=True, slots=True)
class Seconds:
    """Times of a run in seconds.

    `serial`: model time plus what the calls would have taken one after another. `critical_path`:
    model time plus the slowest call of each turn.
    """

    wall: float
    critical_path: float
    serial: float


@dataclass(frozen=True, slots=True)
class Citation:
    """Source `n` as the answer cites it, with the best passage as `quote`; checked or not."""

    n: int
    source: str
    title: str | None
    quote: str
    verified: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """The final text of a run with its citations, its status and what it took.

    `quotes` speak most to the question, best first; `continues` is the run that it follows up.
    `prices` is who says what the model's tokens cost.
    """

    run_id: str
    question: str
    status: Status
    stopped_by: StoppedBy
    text: str
    short_answer: str | None
    citations: tuple[Citation, ...]
    sources: tuple[Source, ...]
    turns: int
    calls: Calls
    width: tuple[WidthUsed, ...]
    usage: Usage
    cost_usd: float | None
    seconds: Seconds
    model: str
    schedule: str
    notes: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()
    continues: str | None = None
    prices: str | None = None
