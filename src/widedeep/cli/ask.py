"""What does `widedeep ask` do?"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from widedeep.cli.app import DASH
from widedeep.cli.given import words
from widedeep.cli.options import AskOptions, ResumeOptions
from widedeep.errors import JournalError, UsageError, WidedeepError

if TYPE_CHECKING:
    from widedeep.agent import Agent, Run
    from widedeep.cli.wiring import Plan
    from widedeep.events import RunStarted
    from widedeep.messages import Answer
    from widedeep.report.live import View
    from widedeep.report.styles import Ledger
    from widedeep.retrieval import Index

STATUS = {"answered": 0, "failed": 1, "partial": 3, "no_evidence": 4}
INTERRUPTED = 130


def ask(
    question: Annotated[str, Parameter(help="What you want to know; `-` reads it from stdin.")],
    /,
    *,
    options: AskOptions | None = None,
) -> int:
    """Research a question and print the answer with its sources; the help is in `app`."""
    from widedeep.cli import wiring
    from widedeep.cli.progress import indexing, warn

    options = options or AskOptions()
    asked = _read(question)
    earlier = _earlier(options)
    plan = wiring.plan(options) if earlier is None else wiring.plan_again(earlier, options)
    if options.dry_run:
        return _estimate(plan, options)
    with indexing(quiet=options.quiet) as progress:
        index = wiring.open_corpus(plan.corpus, plan.settings.store, progress)
    warn(index, quiet=options.quiet)
    before = None if earlier is None else earlier.run_id
    if earlier is not None and not options.corpus:
        check_corpus(earlier, index, options)
    start = researched(lambda agent: agent.stream(asked, continues=before), plan, index, options)
    answer = asyncio.run(start)
    return INTERRUPTED if answer is None else told(answer, plan.out, options)


def _earlier(options: AskOptions) -> RunStarted | None:
    """Return how the run began that the question follows up."""
    if options.continues is None:
        return None
    from widedeep.agent.continuing import left_by
    from widedeep.cli.runs import begun

    start, records = begun(options.store, options.config, options.continues)
    left_by(records)
    return start


def check_corpus(start: RunStarted, index: Index, options: AskOptions | ResumeOptions) -> None:
    """See that the corpus is what a run began with, or that a change is accepted."""
    if start.recipe.get("fingerprint") != index.fingerprint and not options.accept_changes:
        raise UsageError(
            f"the corpus of run {start.run_id!r} has changed since it began: bring it back as it "
            "was, or pass --accept-changes"
        )


def told(answer: Answer, out: Path | None, options: AskOptions) -> int:
    """Write and print an answer and return the exit status that tells how it went."""
    ledger = _ledger(answer, options) if options.style == "report" else ()
    try:
        if out is not None:
            _save(answer, ledger, out, options)
    finally:
        if not options.events:
            _show(answer, ledger, options)
    return STATUS[answer.status]


def _ledger(answer: Answer, options: AskOptions) -> Ledger:
    """Return the run's sub-questions as its record has them last."""
    from widedeep.cli import wiring
    from widedeep.journal import reading
    from widedeep.report.timeline import follow

    store = wiring.read_settings(options.config, options.store).settings.store
    try:
        timeline = follow(reading.read(store / wiring.JOURNAL, answer.run_id))
    except JournalError:  # the answer is there: tell it with the quotes that it cites
        return ()
    return tuple(timeline.ledger.values())


def _estimate(plan: Plan, options: AskOptions) -> int:
    from widedeep.cli import estimate
    from widedeep.cli.output import write, write_json

    made = estimate.estimate(plan)
    if options.json:
        write_json(estimate.object_of(made))
    else:
        write(estimate.told(made))
    return 0


def _read(question: str) -> str:
    """Return the question in clean UTF-8, from stdin if so asked."""
    if question == DASH:
        question = _stdin()
    return words(question, "question", "pass what you want to know")


def _stdin() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8", "replace") if sys.stdin else ""
    except OSError as error:
        raise UsageError(
            f"stdin: cannot be read ({error.strerror}); pass the question as an argument"
        ) from None


async def researched(
    start: Callable[[Agent], Run], plan: Plan, index: Index, options: AskOptions
) -> Answer | None:
    """Return the answer of a run that is shown while it goes on; None when it was ended."""
    from widedeep.cli import wiring
    from widedeep.cli.following import Stream, follow

    journal = wiring.journal(plan.settings.store)
    try:
        run = start(wiring.agent(plan, index, journal, wiring.recipe_of(plan, index)))
        return await follow(run, _view(options), Stream() if options.events else None)
    finally:
        journal.close()


def _view(options: AskOptions) -> View:
    """Return what shows the run on stderr; events on the same terminal want it plain."""
    from widedeep.cli.output import terminal
    from widedeep.report.live import Lines, Silent, Terminal

    if options.quiet:
        return Silent()
    console = terminal(sys.stderr)
    if console is None or (options.events and sys.stdout.isatty()):
        return Lines(sys.stderr)
    return Terminal(console, keys="Ctrl-C to answer now")


def _show(answer: Answer, ledger: Ledger, options: AskOptions) -> None:
    """Print the answer on stdout."""
    from widedeep.cli.output import terminal, write, write_json
    from widedeep.report.json import answer_object
    from widedeep.report.plain import styled_text
    from widedeep.report.terminal import fit, styled_block

    if options.json:
        write_json(answer_object(answer))
    elif console := terminal(sys.stdout):
        fit(console).print(styled_block(answer, options.style, ledger, brief=options.quiet))
    else:
        write(styled_text(answer, options.style, ledger, brief=options.quiet))


def _save(answer: Answer, ledger: Ledger, folder: Path, options: AskOptions) -> None:
    """Write answer.md and run.json."""
    from widedeep.cli.output import to_json, write_file
    from widedeep.report.json import answer_object
    from widedeep.report.markdown import document

    try:
        write_file(folder / "answer.md", document(answer, options.style, ledger))
        write_file(folder / "run.json", to_json(answer_object(answer)) + "\n")
    except OSError as error:
        raise WidedeepError(
            f"--out {str(folder)!r}: cannot be written to ({error.strerror}); "
            f"the answer is kept: widedeep runs show {answer.run_id}"
        ) from None
