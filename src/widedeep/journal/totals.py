"""What did all runs of a journal take together? Counted from their events, ended or not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from widedeep.costs import Cost
from widedeep.journal.reading import opened

_TURNS = (
    "SELECT count(*) FROM events WHERE kind = 'turn_started' AND body LIKE '%\"answering\":false%'"
)
_CALLS = "SELECT count(*) FROM events WHERE kind = 'call_started'"
_TOKENS = """
SELECT coalesce(sum(coalesce(json_extract(body, '$.reply.usage.input'), 0)
                  + coalesce(json_extract(body, '$.reply.usage.output'), 0)), 0)
FROM events WHERE kind = 'replied' AND json_valid(body)"""
_USD = """
SELECT coalesce(sum(json_extract(body, '$.cost.usd')), 0)
     + (SELECT coalesce(sum(json_extract(body, '$.output.cost.usd')), 0)
        FROM events WHERE kind = 'call_settled' AND json_valid(body))
FROM events WHERE kind = 'replied' AND json_valid(body)"""


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
    if not path.exists():
        return Total(0, 0, Cost(0, 0.0))
    with opened(path) as connection:
        turns, calls, tokens, usd = (
            connection.execute(select).fetchone()[0] for select in (_TURNS, _CALLS, _TOKENS, _USD)
        )
    return Total(int(turns), int(calls), Cost(int(tokens), float(usd)))
