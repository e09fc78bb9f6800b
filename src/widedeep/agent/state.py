"""What a run knows at any moment, and how an event enters it."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime

import widedeep
from widedeep.agent.notes import spec
from widedeep.agent.record import Log
from widedeep.budget import Spend
from widedeep.costs import FREE, Budget, Cost, Style, Terms
from widedeep.events import (
    Appended,
    Continued,
    LedgerChanged,
    RunResumed,
    RunStarted,
    Stopping,
)
from widedeep.evidence import Novelty, Sources
from widedeep.journal import Unkept, delimiter_of
from widedeep.messages import (
    Answer,
    Json,
    LedgerEntry,
    Message,
    Reply,
    StoppedBy,
    ToolSpec,
    Width,
)
from widedeep.seams import Journal, Model, Schedule, State, Tool
from widedeep.tools.releasing import cancel_twice
from widedeep.tools.runner import Runner
from widedeep.tools.running import RunningCall, Surroundings

FIRST = 0.5
"""Tokens that a byte counts for before the first reply has told how many it really is."""


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
    recipe: Json
    within: Spend | None = None
    style: Style | None = None
    language: str | None = None


@dataclass(slots=True)
class Point:
    """Where in its last turn a run stood when it was cut off.

    `calls` are those of the turn that had started, by their place in the reply; `settled`: its
    batch had ended.
    """

    width: Width
    answering: bool
    asked: bool = False
    bound: Cost = FREE
    reply: Reply | None = None
    calls: dict[int, RunningCall] = field(default_factory=dict[int, RunningCall])
    orphans: int = 0
    settled: bool = False


class RunState:
    """The history, the evidence, the spend and the calls of one run."""

    def __init__(
        self,
        setup: Setup,
        question: str,
        run_id: str | None = None,
        earlier: Continued | None = None,
    ) -> None:
        self.setup = setup
        self.question = question
        self.earlier = earlier
        self.id = run_id or f"{datetime.now().astimezone():%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
        self.delimiter = delimiter_of(self.id)
        self.history: list[Message] = []
        self.sources = Sources()
        self.novelty = Novelty()
        self.spend = Spend(setup.budget, outer=setup.within)
        self.tokens_per_byte = FIRST
        self._sized = (0, 0)
        self.turn = 0
        self.met = 0
        self.trimmed = 0
        self.point: Point | None = None
        self.cuts: list[RunResumed] = []
        self.elapsed = 0.0
        self.on_record = False
        self.answer: Answer | None = None
        self.empty_replies = 0
        self.shown: set[str] = set()
        self.asked: Counter[str] = Counter()
        self.stopping: StoppedBy | None = None
        self.why = ""
        self.whose = self.spend.name
        self.asking: asyncio.Task[object] | None = None
        self.open = False
        self.started = 0.0
        info = setup.model.info
        ledger = info.keeps_ledger or not info.notes or not setup.tools
        self.free_specs: tuple[ToolSpec, ...] = () if ledger else (spec(),)
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

    def open_now(self) -> None:
        """Start the run's clock; what earlier sessions took counts, the time between them not."""
        self.open = True
        self.started = asyncio.get_running_loop().time() - self.elapsed

    def begin(self) -> None:
        """Record that the run has started."""
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
                recipe=setup.recipe,
                terms=Terms(
                    setup.turn_deadline,
                    setup.serial,
                    setup.early_start,
                    setup.text_limit,
                    setup.max_output,
                    setup.style,
                    setup.language,
                ),
                continues=self.continues,
                prices=setup.model.info.prices,
            )
        )

    @property
    def continues(self) -> str | None:
        """The run that the question follows up."""
        return None if self.earlier is None else self.earlier.runs[-1]

    @property
    def ledger(self) -> tuple[LedgerEntry, ...]:
        """The ledger without what stands in it as an earlier run left it."""
        before = () if self.earlier is None else self.earlier.ledger
        return tuple(entry for entry in self.novelty.ledger if entry not in before)

    @property
    def offered(self) -> tuple[ToolSpec, ...]:
        """The tools as the model is told of them; `note` where it keeps the ledger with it."""
        specs = tuple(tool.spec for tool in self.setup.tools)
        return (*specs, *self.free_specs)

    @property
    def date(self) -> str:
        """The day the run started, where the user is."""
        return f"{self.id[:4]}-{self.id[4:6]}-{self.id[6:8]}"

    def append(self, message: Message, late: str | None = None) -> None:
        """Add a message to the durable history; `late` is the call whose result it tells."""
        self.history.append(message)
        self.emit(Appended(message, late))

    def size(self, of: Callable[[Message], int]) -> int:
        """Return the sum of a size over the history; each message is sized once."""
        count, total = self._sized
        total += sum(of(message) for message in self.history[count:])
        self._sized = (len(self.history), total)
        return total

    def seconds(self) -> float:
        """Return how long the run has gone on, without the time between its sessions."""
        return asyncio.get_running_loop().time() - self.started

    def over(self) -> bool:
        """Say whether the run's limit of seconds is reached."""
        limit = self.setup.budget.seconds
        return limit is not None and self.seconds() >= limit

    def brought_something(self) -> bool:
        """Say whether this turn met a source or wrote in the ledger."""
        noted = any(turn == self.turn for turn, _ in self.facts)
        return noted or len(self.sources) > self.met

    def learn(self, entries: Iterable[LedgerEntry]) -> None:
        """Take ledger entries that were added or changed."""
        changed, facts = self.novelty.changed(entries)
        if changed:
            self.facts.append((self.turn, facts))
            self.emit(LedgerChanged(self.turn, changed))

    def close_search(self, reason: StoppedBy, why: str, whose: str = "run") -> None:
        """Make the next request the answering one; the first reason stands.

        `whose` says what a limit that was reached is of.
        """
        if self.stopping is None:
            self.stopping, self.why, self.whose = reason, why, whose
            self.emit(Stopping(self.turn, reason, why, whose))

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
        ledger = self.ledger
        return State(
            turn=self.turn - (0 if self.earlier is None else self.earlier.turn),
            used=self.spend.used(self.seconds()),
            widths=tuple(self.tally.widths),
            outcomes=tuple(self.tally.turns),
            new_evidence=self._new_evidence(),
            open=sum(entry.state == "open" for entry in ledger) if ledger else None,
        )

    def _new_evidence(self) -> float | None:
        if not self.ledger:
            return None
        facts = sum(count for turn, count in self.facts if turn >= self.turn - 2)
        calls = sum(width.executed for width in self.tally.widths[-2:])
        return facts / calls if calls else 0.0
