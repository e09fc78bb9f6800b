"""What a batch teaches the run: numbered sources, results in the history, and whether to go on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace

from widedeep.agent.state import RunState
from widedeep.budget import search_seconds
from widedeep.events import BatchEnded, SourcesMet
from widedeep.evidence import PATIENCE
from widedeep.messages import (
    Found,
    Outcome,
    Reply,
    Results,
    Source,
    ToolOutput,
    ToolResult,
    User,
    Width,
)
from widedeep.prompts import fill
from widedeep.tools.batch import Batch
from widedeep.tools.output import cut, frame, shown
from widedeep.tools.runner import Settled

CUT = "Not run: the reply was cut off before its end. Ask again if still needed."
SAME = "Same call as"
REPEATED = 3
"""How often a call is asked for before that is worth saying."""

NO_TOOLS = "Not run: no tools may be called now. Answer from what is known."


async def perform(run: RunState, batch: Batch, reply: Reply, width: Width) -> None:
    """Run the calls of a reply, add their results to the history and apply the stop rule."""
    refusal = CUT if reply.stop != "end" else None
    await _settle(run, batch, reply, width, refusal if run.stopping is None else NO_TOOLS)
    finish(run, reply)


def finish(run: RunState, reply: Reply) -> None:
    """Do what a turn does once its batch has ended."""
    add_late(run)
    run.learn(reply.ledger)
    if run.novelty.turn(new=run.brought_something()):
        run.close_search("nothing_new", f"The last {PATIENCE} turns brought nothing new.")


async def refuse(run: RunState, batch: Batch, reply: Reply) -> None:
    """Answer every call of a reply that may hold none."""
    await _settle(run, batch, reply, Width(0, 0), NO_TOOLS)


async def _settle(
    run: RunState, batch: Batch, reply: Reply, width: Width, refusal: str | None
) -> None:
    loop = asyncio.get_running_loop()
    began = loop.time()
    settled = await batch.settle(reply.calls, _deadline(run), refusal)
    seconds = loop.time() - began
    results = tuple(_counted(run, _result(run, one)) for one in settled)
    executed = batch.orphans + sum(one.executed for one in settled)
    _tell_sources(run)
    run.history.append(Results(results))
    run.emit(BatchEnded(run.turn, width, results, executed, seconds))


def _deadline(run: RunState) -> float:
    """Return the seconds that the calls of this turn have."""
    limit = run.setup.budget.seconds
    if limit is None:
        return run.setup.turn_deadline
    return max(0.0, min(run.setup.turn_deadline, search_seconds(limit) - run.seconds()))


def add_late(run: RunState) -> None:
    """Add what late calls brought as words of their own; each has its result already."""
    for settled in run.runner.take_late():
        turn, _, position = settled.call.id.partition(".")
        told = settled.call.id in run.shown
        result = _result(run, settled)
        text = _above(result.sources) if told else result.text
        _tell_sources(run)
        message = User(fill("late", position=position, turn=turn, text=text))
        run.append(message, late=settled.call.id)


def _result(run: RunState, settled: Settled) -> ToolResult:
    """Number the sources of a settled call and write what the model reads of it."""
    call, outcome = settled.call, settled.outcome
    if settled.output is None:
        text = settled.note
        if settled.foreign:
            text = frame(shown(text, run.setup.text_limit), run.delimiter)
        if settled.same_as:
            text = f"{SAME} {settled.same_as}: {text}"
        return ToolResult(call, outcome, text, (), settled.seconds, settled.same_as)
    origin = settled.same_as or call.id
    output, notice = cut(settled.output, run.setup.text_limit)
    sources = _meet(run, output, call.tool, origin)
    if outcome is Outcome.DUPLICATE and origin in run.shown:
        text = f"{SAME} {origin}: {_above(sources)}"
        return ToolResult(call, outcome, text, sources, settled.seconds, settled.same_as)
    run.shown.add(origin)
    framed = frame(_written(output, sources) + notice, run.delimiter)
    return ToolResult(call, outcome, framed, sources, settled.seconds, settled.same_as)


def _counted(run: RunState, result: ToolResult) -> ToolResult:
    """Count how often a call was asked for; from the third time on its result says so."""
    origin = result.same_as or result.call.id
    run.asked[origin] += 1
    times = run.asked[origin]
    if result.outcome is not Outcome.DUPLICATE or times < REPEATED:
        return result
    return replace(result, text=f"{result.text}\n{fill('asked_again', times=times)}")


def _above(sources: Iterable[Source]) -> str:
    numbers = ", ".join(f"[{n}]" for n in dict.fromkeys(source.n for source in sources))
    return "its result stands above" + (f", {numbers}." if numbers else ".")


def _meet(run: RunState, output: ToolOutput, tool: str, origin: str) -> tuple[Source, ...]:
    """Give the output's sources their numbers; a text without sources is a source itself."""
    found = output.sources
    if found is None:
        whole = Found(f"{tool} {origin}", output.text, "result", f"Result of {tool}, call {origin}")
        found = (whole,) if output.text.strip() else ()
    return tuple(run.sources.meet(one, run.turn) for one in found)


def _tell_sources(run: RunState) -> None:
    fresh = run.sources.take_fresh()
    if fresh:
        run.emit(SourcesMet(run.turn, fresh))


def _written(output: ToolOutput, sources: tuple[Source, ...]) -> str:
    if output.sources is None:
        return f"[{sources[0].n}] {output.text}" if sources else "The tool returned no text."
    parts = [output.text] if output.text else []
    for source in sources:
        title = f"{source.title} ({source.id})" if source.title else source.id
        parts.append(f"[{source.n}] {title}\n{source.text}")
    return "\n\n".join(parts) or "Nothing was found."
