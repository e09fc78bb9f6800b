"""Runs of a scripted model, and what came of their calls."""

from tests.fakes import clock
from widedeep import Agent, Budget, MemoryJournal
from widedeep.events import BatchEnded
from widedeep.models.scripted import Scripted


def research(script, tools, *, grace=0.0, question="How many?", first=0.0, each=0.0, **options):
    """Return the answer and the events of a run on the virtual clock."""
    options.setdefault("schedule", "constant:8!")
    options.setdefault("max_width", 64)
    model = script if hasattr(script, "reply") else Scripted(script, first=first, each=each)
    agent = Agent(model, tools, **options)

    async def follow():
        run = agent.stream(question)
        events = [event async for event in run]
        return await run.answer(), events

    return clock.run(follow(), grace)


def results(events, turn=1):
    """Return the results of a turn's batch."""
    return next(e for e in events if isinstance(e, BatchEnded) and e.turn == turn).results


def outcomes(events, turn=1):
    """Return the outcomes of a turn's batch, in call order."""
    return [str(result.outcome) for result in results(events, turn)]


def of(events, kind):
    """Return the events of a kind."""
    return [event for event in events if isinstance(event, kind)]


__all__ = ["Budget", "MemoryJournal", "Scripted", "of", "outcomes", "research", "results"]
