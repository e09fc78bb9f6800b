"""What does `widedeep runs resume` do?"""

from __future__ import annotations

import asyncio
from dataclasses import fields
from typing import Any

from widedeep.cli.ask import INTERRUPTED, check_corpus, researched, told
from widedeep.cli.options import AskOptions, ResumeOptions
from widedeep.cli.runs import RunName, begun
from widedeep.events import RunEnded


def resume_run(run: RunName, /, *, options: ResumeOptions | None = None) -> int:
    """Go on with a run that was cut off or interrupted; a finished one prints its answer."""
    from widedeep.cli import wiring
    from widedeep.cli.progress import indexing, warn

    options = options or ResumeOptions()
    start, records = begun(options.store, options.config, run)
    asked = _as_asked(options)
    ended = records[-1].event
    if isinstance(ended, RunEnded):
        return told(ended.answer, wiring.out_folder(asked), asked)
    plan = wiring.plan_again(start, asked)
    with indexing(quiet=options.quiet) as progress:
        index = wiring.open_corpus(plan.corpus, plan.settings.store, progress)
    warn(index, quiet=options.quiet)
    check_corpus(start, index, options)
    again = researched(lambda agent: agent.resume(start.run_id), plan, index, asked)
    answer = asyncio.run(again)
    return INTERRUPTED if answer is None else told(answer, plan.out, asked)


def _as_asked(options: ResumeOptions) -> AskOptions:
    shared = {field.name for field in fields(AskOptions)}
    values: dict[str, Any] = {
        field.name: getattr(options, field.name)
        for field in fields(ResumeOptions)
        if field.name in shared
    }
    return AskOptions(**values)
