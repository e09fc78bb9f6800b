"""What is written down of a run as it goes on: the journal, who listens, and the sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from widedeep.agent.notes import NAME
from widedeep.costs import Cost
from widedeep.errors import JournalError
from widedeep.events import (
    BatchEnded,
    BoundExceeded,
    CallOrphaned,
    CallSettled,
    Event,
    Replied,
    RequestFailed,
)
from widedeep.messages import Calls, Outcome, Usage, Width, WidthUsed
from widedeep.seams import Journal


class Log:
    """Takes the events of one run. It knows nothing of the run: an ended run leaves no cycle."""

    def __init__(self, run_id: str, journal: Journal) -> None:
        self.journal = journal
        self.tally = Tally()
        self.listeners: list[Callable[[Event], None]] = []
        self._run_id = run_id

    def emit(self, event: Event) -> None:
        """Journal an event, count it and tell who listens.

        Raises:
            JournalError: it cannot be recorded.
        """
        self.journal.append(self._run_id, event)
        self.tally.count(event)
        for listener in self.listeners:
            listener(event)

    def emit_from_call(self, event: Event) -> None:
        """Emit from a call, which never raises: the loop's next event meets the same error."""
        try:
            self.emit(event)
        except JournalError:
            return


class Tally:
    """What the events of a run add up to."""

    def __init__(self) -> None:
        self.turns: list[Calls] = []
        self.widths: list[WidthUsed] = []
        self.model_seconds = 0.0
        self.call_seconds: dict[str, float] = {}
        self.batch_seconds: dict[int, float] = {}
        self.usages: list[Usage] = []
        self.failures: Counter[str] = Counter()
        self.writers: Counter[str] = Counter()

    def count(self, event: Event) -> None:
        """Add what an event brings."""
        match event:
            case BoundExceeded(_, bound, cost):
                self.failures[_billed(bound, cost)] += 1
            case CallOrphaned(call_id, renamed):
                if call_id in self.call_seconds:
                    self.call_seconds[renamed] = self.call_seconds.pop(call_id)
            case CallSettled(call_id, outcome, seconds, _, error):
                self.call_seconds[call_id] = seconds
                if outcome in (Outcome.ERROR, Outcome.TIMEOUT) and error:
                    self.failures[f"A call failed: {error}"] += 1
            case Replied(_, reply, seconds):
                self.model_seconds += seconds
                self.usages.append(reply.usage)
                self.writers[reply.model or ""] += 1
            case RequestFailed(_, _, seconds):
                self.model_seconds += seconds
            case BatchEnded(turn, width, results, executed, seconds):
                counted = [one.outcome for one in results if one.call.tool != NAME]
                self.turns.append(_calls(counted, executed))
                self.widths.append(_used(turn, width, len(counted), executed))
                self.batch_seconds[turn] = seconds
            case _:
                pass


def _used(turn: int, width: Width, requested: int, executed: int) -> WidthUsed:
    return WidthUsed(turn, width.target, width.cap, requested, executed)


def _calls(outcomes: list[Outcome], executed: int) -> Calls:
    counts = Counter(outcome.value for outcome in outcomes)
    return Calls(requested=len(outcomes), executed=executed, **counts)


def _billed(bound: Cost, cost: Cost) -> str:
    usd = "" if cost.usd is None else f" ({cost.usd:.4f} USD)"
    most = f"{bound.tokens:,} tokens"
    return f"A request took {cost.tokens:,} tokens{usd} where at most {most} were set aside."
