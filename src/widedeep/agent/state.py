"""What a run knows at any moment, and how an event enters it."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime

import widedeep
from widedeep.budget import Spend
from widedeep.errors import JournalError
from widedeep.events import (
    Appended,
    BatchEnded,
    CallSettled,
    CallStarted,
    Event,
    LedgerChanged,
    Replied,
    RequestFailed,
    RunStarted,
    Stopping,
)
from widedeep.evidence import Novelty, Sources
from widedeep.journal import MemoryJournal
from widedeep.messages import (
    Budget,
    Calls,
    LedgerEntry,
    Message,
    Outcome,
    StoppedBy,
    ToolSpec,
    Usage,
    Width,
    WidthUsed,
)
from widedeep.seams import Journal, Model, Schedule, State, Tool
from widedeep.tools.runner import Runner
from widedeep.tools.running import Surroundings, cancel_twice


@dataclass(frozen=True, slots=True)
class Setup:
    """What an agent's runs have in common; see `Agent`."""

    model: Model
    tools: tuple[Tool, ...]
    schedule: Schedule
    budget: Budget
    journal: Journal | None
    turn_deadline: float
    model_deadline: float
    serial: bool
    early_start: bool
    text_limit: int
    max_output: int


@dataclass(slots=True)
class Tally:
    """What the events of a run add up to."""

    turns: list[Calls] = field(default_factory=list[Calls])
    widths: list[WidthUsed] = field(default_factory=list[WidthUsed])
    model_seconds: float = 0.0
    call_seconds: dict[str, float] = field(default_factory=dict[str, float])
    batch_seconds: dict[int, float] = field(default_factory=dict[int, float])
    usages: list[Usage] = field(default_factory=list[Usage])
    facts: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    failures: Counter[str] = field(default_factory=Counter[str])


class RunState:
    """The history, the evidence, the spend and the calls of one run."""

    def __init__(self, setup: Setup, question: str) -> None:
        self.setup = setup
        self.question = question
        self.id = f"{datetime.now().astimezone():%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
        self.delimiter = f"result-{hashlib.sha256(self.id.encode()).hexdigest()[:8]}"
        self.history: list[Message] = []
        self.sources = Sources()
        self.novelty = Novelty()
        self.spend = Spend(setup.budget)
        self.tally = Tally()
        self.turn = 0
        self.empty_replies = 0
        self.shown: set[str] = set()
        self.stopping: StoppedBy | None = None
        self.why = ""
        self.asking: asyncio.Task[object] | None = None
        self.open = False
        self.started = 0.0
        self.free_specs: tuple[ToolSpec, ...] = ()
        self.listeners: list[Callable[[Event], None]] = []
        self.journal = setup.journal or MemoryJournal()
        self.runner = Runner(
            setup.tools,
            Surroundings(self.id, self._emit_from_call, self.journal.flush),
            self.spend,
            serial=setup.serial,
            early_start=setup.early_start,
        )

    def begin(self) -> None:
        """Record that the run has started."""
        self.open = True
        self.started = asyncio.get_running_loop().time()
        setup = self.setup
        self.emit(
            RunStarted(
                run_id=self.id,
                question=self.question,
                model=setup.model.info.name,
                schedule=str(setup.schedule),
                budget=setup.budget,
                tools=self.offered,
                date=self.date,
                version=widedeep.__version__,
            )
        )

    @property
    def offered(self) -> tuple[ToolSpec, ...]:
        """The tools as the model is told of them; `note` where it keeps the ledger with it."""
        specs = tuple(tool.spec for tool in self.setup.tools)
        return (*specs, *self.free_specs)

    @property
    def date(self) -> str:
        """The day the run started, where the user is."""
        return f"{self.id[:4]}-{self.id[4:6]}-{self.id[6:8]}"

    def emit(self, event: Event) -> None:
        """Journal an event, count it and tell who listens."""
        self.journal.append(self.id, event)
        self._count(event)
        for listener in self.listeners:
            listener(event)

    def _emit_from_call(self, event: Event) -> None:
        """Emit from a call, which never raises: the loop's next event meets the same error."""
        try:
            self.emit(event)
        except JournalError:
            return

    def append(self, message: Message) -> None:
        """Add a message to the durable history."""
        self.history.append(message)
        self.emit(Appended(message))

    def learn(self, entries: Iterable[LedgerEntry]) -> None:
        """Take ledger entries that were added or changed."""
        changed, facts = self.novelty.changed(entries)
        if changed:
            self.tally.facts.append((self.turn, facts))
            self.emit(LedgerChanged(self.turn, changed))

    def close_search(self, reason: StoppedBy, why: str) -> None:
        """Make the next request the answering one; the first reason stands."""
        if self.stopping is None:
            self.stopping, self.why = reason, why
            self.emit(Stopping(self.turn, reason, why))

    def answer_now(self) -> None:
        """End the request or the batch under way, unless the answer is being written."""
        if not self.open or self.stopping is not None:
            return
        self.close_search("user", "The user wants the answer now.")
        if self.asking is not None:
            cancel_twice(self.asking)
        self.runner.end("Cancelled: the user wants the answer now.")

    def schedule_state(self) -> State:
        """Return what the schedule may know before the coming turn."""
        ledger = self.novelty.ledger
        return State(
            turn=self.turn,
            used=self.spend.used(),
            widths=tuple(self.tally.widths),
            outcomes=tuple(self.tally.turns),
            new_evidence=self._new_evidence(),
            open=sum(entry.state == "open" for entry in ledger) if ledger else None,
        )

    def _new_evidence(self) -> float | None:
        if not self.novelty.ledger:
            return None
        facts = sum(count for turn, count in self.tally.facts if turn >= self.turn - 2)
        calls = sum(width.executed for width in self.tally.widths[-2:])
        return facts / calls if calls else 0.0

    def _count(self, event: Event) -> None:
        tally = self.tally
        match event:
            case CallStarted() | Appended():
                pass
            case Replied(_, reply, seconds):
                tally.model_seconds += seconds
                tally.usages.append(reply.usage)
            case RequestFailed(_, _, seconds):
                tally.model_seconds += seconds
            case CallSettled(call_id, outcome, seconds, _, error):
                tally.call_seconds[call_id] = seconds
                if outcome in (Outcome.ERROR, Outcome.TIMEOUT) and error:
                    tally.failures[f"A call failed: {error}"] += 1
            case BatchEnded(turn, width, results, executed, seconds):
                counted = [one.outcome for one in results if one.call.tool not in self.runner.free]
                tally.turns.append(_calls(counted, executed))
                tally.widths.append(_used(turn, width, len(counted), executed))
                tally.batch_seconds[turn] = seconds
            case _:
                pass


def _used(turn: int, width: Width, requested: int, executed: int) -> WidthUsed:
    return WidthUsed(turn, width.target, width.cap, requested, executed)


def _calls(outcomes: list[Outcome], executed: int) -> Calls:
    counts = Counter(outcome.value for outcome in outcomes)
    return Calls(requested=len(outcomes), executed=executed, **counts)
