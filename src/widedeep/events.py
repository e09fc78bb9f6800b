"""What can happen in a run: one frozen dataclass a kind, one union."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from widedeep.costs import Budget, Cost, Prices, Terms
from widedeep.messages import (
    Answer,
    Json,
    LedgerEntry,
    Message,
    Outcome,
    Reply,
    Source,
    StoppedBy,
    ToolCall,
    ToolOutput,
    ToolResult,
    ToolSpec,
    Width,
)


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A question is being researched; `date` (ISO, the user's day) is the one prompts show.

    `recipe`: what whoever made the agent needs to make it again; `continues`: the run followed up.
    `prices`: the model's, as known then; None = unknown, or it is free.
    """

    run_id: str
    question: str
    model: str
    schedule: str
    budget: Budget
    tools: tuple[ToolSpec, ...]
    date: str
    version: str
    recipe: Json = field(default_factory=dict[str, Any])
    terms: Terms | None = None
    continues: str | None = None
    prices: Prices | None = None
    kind: Literal["run_started"] = "run_started"


@dataclass(frozen=True, slots=True)
class Continued:
    """The run goes on with all that earlier `runs`, oldest first, left: they may be deleted.

    `turn` was their last; requests carry the first `trimmed` batches in short.
    """

    runs: tuple[str, ...]
    turn: int
    history: tuple[Message, ...]
    sources: tuple[Source, ...]
    ledger: tuple[LedgerEntry, ...]
    trimmed: int = 0
    kind: Literal["continued"] = "continued"


@dataclass(frozen=True, slots=True)
class RunResumed:
    """The run goes on after it was cut off or interrupted.

    What was under way then: the `calls` (their ids), and the `request` if the model was being
    asked. Each is charged; calls of `read` tools and the request are made again.
    """

    model: str
    calls: tuple[str, ...]
    request: bool
    version: str
    kind: Literal["run_resumed"] = "run_resumed"


@dataclass(frozen=True, slots=True)
class Appended:
    """The durable history grew by a message from our side.

    In `Replied` and `BatchEnded` it grows too. `late`: the call whose late result is told.
    """

    message: Message
    late: str | None = None
    kind: Literal["appended"] = "appended"


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A turn starts, `answering` without tools. `used` is the share of the most-used budget."""

    turn: int
    width: Width
    used: float
    answering: bool
    kind: Literal["turn_started"] = "turn_started"


@dataclass(frozen=True, slots=True)
class RequestSent:
    """Intent: the first `history` messages are sent, then `tail`; `bound`: its cost if limited."""

    turn: int
    history: int
    tail: str | None
    choice: Literal["auto", "none"]
    bound: Cost | None = None
    kind: Literal["request_sent"] = "request_sent"


@dataclass(frozen=True, slots=True)
class RequestRestarted:
    """The reply is streamed anew, what came is void; `billed`: it is charged at its bound."""

    turn: int
    reason: str
    billed: bool = False
    kind: Literal["request_restarted"] = "request_restarted"


@dataclass(frozen=True, slots=True)
class Replied:
    """Result: the whole reply, `seconds` after the request, its calls with their ids.

    Unless it is empty the history grew by it. `cost` is None where nobody limits it.
    """

    turn: int
    reply: Reply
    seconds: float
    cost: Cost | None = None
    kind: Literal["replied"] = "replied"


@dataclass(frozen=True, slots=True)
class RequestFailed:
    """Result: no reply could be had."""

    turn: int
    error: str
    seconds: float
    kind: Literal["request_failed"] = "request_failed"


@dataclass(frozen=True, slots=True)
class BoundExceeded:
    """The provider billed more for a reply than it was to cost at most."""

    turn: int
    bound: Cost
    cost: Cost
    kind: Literal["bound_exceeded"] = "bound_exceeded"


@dataclass(frozen=True, slots=True)
class CallStarted:
    """Intent: a call starts now; `early`: before the whole reply; `bound`: of its cost, if any."""

    turn: int
    call: ToolCall
    effects: Literal["read", "write"]
    early: bool
    bound: Cost | None = None
    kind: Literal["call_started"] = "call_started"


@dataclass(frozen=True, slots=True)
class CallSettled:
    """Result: what a started call came to (also one that settles after its turn).

    `output` is set for `ok` only, `error` says why else. `seconds` runs from its start.
    """

    call_id: str
    outcome: Outcome
    seconds: float
    output: ToolOutput | None = None
    error: str | None = None
    kind: Literal["call_settled"] = "call_settled"


@dataclass(frozen=True, slots=True)
class CallOrphaned:
    """A call that started early and that the reply does not hold; its result stays cached.

    From here on it is called `renamed`: the reply's own call may have its id.
    """

    call_id: str
    renamed: str
    kind: Literal["call_orphaned"] = "call_orphaned"


@dataclass(frozen=True, slots=True)
class SourcesMet:
    """Sources of a turn got their numbers, or more of their text was read."""

    turn: int
    sources: tuple[Source, ...]
    kind: Literal["sources_met"] = "sources_met"


@dataclass(frozen=True, slots=True)
class BatchEnded:
    """Every call of the turn has its result, and the history grew by these results.

    `seconds` run from the moment the reply was complete.
    """

    turn: int
    width: Width
    results: tuple[ToolResult, ...]
    executed: int
    seconds: float
    kind: Literal["batch_ended"] = "batch_ended"


@dataclass(frozen=True, slots=True)
class Trimmed:
    """From here on requests carry the oldest `batches` as ledger and source numbers only."""

    turn: int
    batches: int
    kind: Literal["trimmed"] = "trimmed"


@dataclass(frozen=True, slots=True)
class LedgerChanged:
    """Ledger entries that were added or changed."""

    turn: int
    entries: tuple[LedgerEntry, ...]
    kind: Literal["ledger_changed"] = "ledger_changed"


@dataclass(frozen=True, slots=True)
class Stopping:
    """The next request is the answering one, and why; `whose` limit it is."""

    turn: int
    reason: StoppedBy
    why: str
    whose: str = "run"
    kind: Literal["stopping"] = "stopping"


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The answer is there."""

    answer: Answer
    kind: Literal["run_ended"] = "run_ended"


@dataclass(frozen=True, slots=True)
class RunInterrupted:
    """The run was stopped without an answer; it can be resumed."""

    reason: str
    kind: Literal["run_interrupted"] = "run_interrupted"


Event = (
    RunStarted
    | Continued
    | RunResumed
    | Appended
    | TurnStarted
    | RequestSent
    | RequestRestarted
    | Replied
    | RequestFailed
    | BoundExceeded
    | CallStarted
    | CallSettled
    | CallOrphaned
    | SourcesMet
    | BatchEnded
    | Trimmed
    | LedgerChanged
    | Stopping
    | RunEnded
    | RunInterrupted
)


@dataclass(frozen=True, slots=True)
class Record:
    """One event as the journal holds it: `seq` from 1 in a run, `at` in seconds since 1970 UTC."""

    run_id: str
    seq: int
    at: float
    event: Event
