"""THE LOOP: ask, run the batch, learn, until the model answers or must."""

from __future__ import annotations

from widedeep.agent.asking import ask, nudge, open_turn
from widedeep.agent.bounds import affords_answer
from widedeep.agent.continuing import open_history
from widedeep.agent.ending import Ending, conclude
from widedeep.agent.learning import add_late, perform, refuse
from widedeep.agent.resuming import go_on
from widedeep.agent.state import RunState
from widedeep.costs import FREE
from widedeep.errors import JournalError, ModelError
from widedeep.events import RunEnded, RunInterrupted
from widedeep.messages import Answer


async def loop(run: RunState) -> Ending:
    """Research until there is an answer; what ends the search makes the next request the last."""
    while (width := open_turn(run)) is not None:
        reply, batch = await ask(run, width)
        if reply.calls:
            await perform(run, batch, reply, width)
        elif reply.text.strip():
            return Ending(run.stopping or "answer", reply)
        elif run.stopping is None and not nudge(run):
            return Ending("empty_reply")
    add_late(run)
    while affords_answer(run):
        reply, batch = await ask(run, None)
        if reply.calls:
            await refuse(run, batch, reply)
        if reply.text.strip():
            return Ending(run.stopping or "answer", reply)
        if not nudge(run):
            return Ending("empty_reply")
    return Ending(run.stopping or "empty_reply")


async def research(run: RunState) -> Answer:
    """Run the loop inside the border of a run: whatever happens, what was found is kept.

    A run whose record holds its answer is over: that is the answer.

    Raises:
        JournalError: the run cannot be recorded, so it must not go on.
    """
    if run.answer is not None:
        return run.answer
    async with _Border(run):
        await _begin(run)
        answer = await _whole(run)
        run.emit(RunEnded(answer))
    return answer


class _Border:
    """While a run goes on: whatever ends it ends its calls, and what cut it off is on record."""

    def __init__(self, run: RunState) -> None:
        self._run = run

    async def __aenter__(self) -> None: ...

    async def __aexit__(self, _: object, error: BaseException | None, __: object) -> None:
        run = self._run
        run.runner.end("The run ended.")
        if error is not None and not isinstance(error, JournalError):
            run.emit(RunInterrupted(type(error).__name__))
        run.open = False
        run.spend.keep(FREE)
        await run.journal.flush()


async def _whole(run: RunState) -> Answer:
    """Return the answer of the run, also when the model or we ourselves fail."""
    try:
        ending = await loop(run)
        run.runner.end("The run ended.")
        if ending.reply is not None:
            run.learn(ending.reply.ledger)
        return conclude(run, ending)
    except ModelError as error:
        late = run.stopping == "max_seconds" and run.over()
        ending = Ending("max_seconds" if late else "model_error", note=f"The model failed: {error}")
    except JournalError:
        raise
    except Exception as error:  # border: a run
        ending = Ending("error", note=f"The run failed: {type(error).__name__}: {error}")
    run.runner.end("The run ended.")
    return conclude(run, ending)


async def _begin(run: RunState) -> None:
    """Start the run, or let it go on where its record ends."""
    run.open_now()
    if run.on_record:
        await go_on(run)
    else:
        run.begin()
    open_history(run)
    await run.journal.flush()
