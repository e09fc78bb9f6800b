"""What does `widedeep runs resume` do?"""

from __future__ import annotations

import asyncio
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from widedeep.cli.ask import INTERRUPTED, researched, told
from widedeep.cli.options import AskOptions, ResumeOptions
from widedeep.cli.runs import RunName, recorded
from widedeep.errors import UsageError
from widedeep.events import Record, RunEnded, RunStarted

if TYPE_CHECKING:
    from widedeep.retrieval import Index


def resume_run(run: RunName, /, *, options: ResumeOptions | None = None) -> int:
    """Go on with a run that was cut off or interrupted; a finished one prints its answer."""
    from widedeep.cli import wiring
    from widedeep.cli.progress import indexing, warn

    options = options or ResumeOptions()
    start, records = _started(recorded(options.store, options.config, run))
    asked = _as_asked(options)
    ended = records[-1].event
    if isinstance(ended, RunEnded):
        return told(ended.answer, wiring.out_folder(asked), asked)
    plan = wiring.plan_again(start, asked)
    with indexing(quiet=options.quiet) as progress:
        index = wiring.open_corpus(plan.corpus, plan.settings.store, progress)
    warn(index, quiet=options.quiet)
    _check(start, index, options)
    again = researched(lambda agent: agent.resume(start.run_id), plan, index, asked)
    answer = asyncio.run(again)
    return INTERRUPTED if answer is None else told(answer, plan.out, asked)


def _started(records: list[Record]) -> tuple[RunStarted, list[Record]]:
    start = records[0].event if records else None
    if not isinstance(start, RunStarted):
        raise UsageError("the record of this run has no beginning: see `widedeep runs list`")
    return start, records


def _check(start: RunStarted, index: Index, options: ResumeOptions) -> None:
    """See that the corpus is what the run began with, or that a change is accepted."""
    if start.recipe.get("fingerprint") != index.fingerprint and not options.accept_changes:
        raise UsageError(
            f"the corpus of run {start.run_id!r} has changed since it began: bring it back as it "
            "was, or pass --accept-changes"
        )


def _as_asked(options: ResumeOptions) -> AskOptions:
    shared = {field.name for field in fields(AskOptions)}
    values: dict[str, Any] = {
        field.name: getattr(options, field.name)
        for field in fields(ResumeOptions)
        if field.name in shared
    }
    return AskOptions(**values)
