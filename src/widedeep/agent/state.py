"""What a run knows at any moment, and how an event enters it."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import widedeep
from widedeep.agent.record import Log
from widedeep.budget import Spend
from widedeep.events import (
    Appended,
    LedgerChanged,
    RunStarted,
    Stopping,
)
from widedeep.evidence import Novelty, Sources
from widedeep.journal import Unkept
from widedeep.messages import (
    Budget,
    LedgerEntry,
    Message,
    StoppedBy,
    ToolSpec,
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
        self.turn = 0
        self.empty_replies = 0
        self.shown: set[str] = set()
        self.stopping: StoppedBy | None = None
        self.why = ""
        self.asking: asyncio.Task[object] | None = None
        self.open = False
        self.started = 0.0
        self.free_specs: tuple[ToolSpec, ...] = ()
        self.log = Log(self.id, setup.journal or Unkept())
        self.emit, self.tally, self.journal = self.log.emit, self.log.tally, self.log.journal
        self.facts: list[tuple[int, int]] = []
        self.runner = Runner(
            setup.tools,
            Surroundings(self.id, self.log.emit_from_call, self.journal.flush),
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

    def append(self, message: Message) -> None:
        """Add a message to the durable history."""
        self.history.append(message)
        self.emit(Appended(message))

    def learn(self, entries: Iterable[LedgerEntry]) -> None:
        """Take ledger entries that were added or changed."""
        changed, facts = self.novelty.changed(entries)
        if changed:
            self.facts.append((self.turn, facts))
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
        facts = sum(count for turn, count in self.facts if turn >= self.turn - 2)
        calls = sum(width.executed for width in self.tally.widths[-2:])
        return facts / calls if calls else 0.0
