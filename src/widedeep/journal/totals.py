"""What did all runs of a journal take together? Counted from their events, ended or not.

What a record does not tell the cost of counts at its bound, as it does while a run goes on: a
request that failed, an attempt that may be billed, a call that tells no cost or has no end.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from widedeep.costs import FREE, Cost, plus
from widedeep.journal.reading import empty, opened

_FIELDS = (
    "answering",
    "bound",
    "billed",
    "cost",
    "request",
    "call.id",
    "call_id",
    "renamed",
    "output.cost",
)
_EVENTS = """
SELECT run_id, kind, json_extract(body, '$.answering', '$.bound', '$.billed', '$.cost',
    '$.request', '$.call.id', '$.call_id', '$.renamed', '$.output.cost')
FROM events WHERE json_valid(body) AND kind IN ('turn_started', 'request_sent',
    'request_restarted', 'request_failed', 'replied', 'run_resumed', 'call_started',
    'call_orphaned', 'call_settled')
ORDER BY run_id, seq"""


@dataclass(frozen=True, slots=True)
class Total:
    """What runs took: turns that may call tools, calls that began, tokens and USD."""

    turns: int
    calls: int
    cost: Cost


def total(path: Path) -> Total:
    """Return what all runs of a journal took, as far as their records say.

    Raises:
        JournalError: the file cannot be read.
    """
    turns, calls, cost = 0, 0, FREE
    if not path.exists():
        return Total(turns, calls, cost)
    with opened(path) as connection:
        rows = () if empty(connection) else connection.execute(_EVENTS)
        for _, events in groupby(rows, itemgetter(0)):
            run = _Run()
            for _, kind, told in events:
                run.take(kind, dict(zip(_FIELDS, json.loads(told), strict=True)))
            turns, calls = turns + run.turns, calls + run.calls
            cost = plus(cost, run.cost())
    return Total(turns, calls, cost)


class _Run:
    """What one run took, by the rules by which a resumed run knows what it has spent."""

    def __init__(self) -> None:
        self.turns = 0
        self.calls = 0
        self._spent = FREE
        self._bound = FREE
        self._asked = False
        self._open: dict[str, Cost] = {}

    def take(self, kind: str, told: Mapping[str, Any]) -> None:
        """Count an event, of which `told` holds what matters here."""
        match kind:
            case "turn_started":
                self.turns += not told["answering"]
                self._asked = False
            case "request_sent":
                self._asked, self._bound = True, _cost(told["bound"])
            case "request_restarted" if told["billed"]:
                self._spend(self._bound)
            case "request_failed":
                self._asked = False
                self._spend(self._bound)
            case "replied":
                self._asked = False
                self._spend(_cost(told["cost"]))
            case "run_resumed" if told["request"]:
                self._asked = False
                self._spend(self._bound)
            case _:
                self._call(kind, told)

    def _call(self, kind: str, told: Mapping[str, Any]) -> None:
        match kind:
            case "call_started":
                self.calls += 1
                self._spend(self._open.pop(told["call.id"], FREE))
                self._open[told["call.id"]] = _cost(told["bound"])
            case "call_orphaned" if told["call_id"] in self._open:
                self._open[told["renamed"]] = self._open.pop(told["call_id"])
            case "call_settled":
                bound = self._open.pop(told["call_id"], FREE)
                self._spend(_cost(told["output.cost"], bound))
            case _:
                pass

    def cost(self) -> Cost:
        """Return what the run took, with what was under way at the end of its record."""
        cost = plus(self._spent, self._bound if self._asked else FREE)
        for bound in self._open.values():
            cost = plus(cost, bound)
        return cost

    def _spend(self, cost: Cost) -> None:
        self._spent = plus(self._spent, cost)


def _cost(told: Mapping[str, Any] | None, otherwise: Cost = FREE) -> Cost:
    return otherwise if told is None else Cost(told["tokens"], told["usd"])
