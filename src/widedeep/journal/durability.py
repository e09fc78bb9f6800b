"""Which events must survive that the machine itself goes down?"""

from __future__ import annotations

from widedeep.events import (
    CallStarted,
    Event,
    Replied,
    RunEnded,
    RunInterrupted,
    RunResumed,
    RunStarted,
)


def durable(event: Event) -> bool:
    """Say whether a commit with this event is synced in full: it was paid for, or it writes."""
    if isinstance(event, CallStarted):
        return event.effects == "write"
    if isinstance(event, Replied):
        return event.cost is None or event.cost.usd != 0.0
    return isinstance(event, RunStarted | RunResumed | RunEnded | RunInterrupted)
