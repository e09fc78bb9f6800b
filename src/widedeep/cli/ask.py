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
from widedeep.cli.options import AskOptions
from widedeep.errors import UsageError, WidedeepError

if TYPE_CHECKING:
    from widedeep.agent import Agent, Run
    from widedeep.cli.wiring import Plan
    from widedeep.messages import Answer
    from widedeep.report.live import View
    from widedeep.report.styles import Ledger, Style
    from widedeep.retrieval import Index

STATUS = {"answered": 0, "failed": 1, "partial": 3, "no_evidence": 4}
INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Told:
    """An answer, and how it is to be told."""

    answer: Answer
    style: Style
    ledger: Ledger


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
    style = _style(options.style)
    plan = wiring.plan(options)
    with indexing(quiet=options.quiet) as progress:
        index = wiring.open_corpus(plan.corpus, plan.settings.store, progress)
    warn(index, quiet=options.quiet)
    answer = asyncio.run(researched(lambda agent: agent.stream(asked), plan, index, options))
    return INTERRUPTED if answer is None else told(answer, plan.out, options)


def told(answer: Answer, out: Path | None, options: AskOptions) -> int:
    """Write and print an answer and return the exit status that tells how it went."""
    try:
        if out is not None:
            _save(answer, out)
    finally:
        if not options.events:
            _show(answer, options)
    return STATUS[answer.status]


def _read(question: str) -> str:
    """Return the question in clean UTF-8, from stdin if so asked."""
    if question == DASH:
        question = _stdin()
    return words(question, "question", "pass what you want to know")


def _style(named: str) -> Style:
    """Return the style that the user named."""
    from widedeep.report.styles import STYLES

    for style in STYLES:
        if style == named:
            return style
    raise UsageError(f"--style {named!r}: there is no such style; take one of {', '.join(STYLES)}")


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


def _show(told: Told, options: AskOptions) -> None:
    """Print the answer on stdout."""
    from widedeep.cli.output import terminal, write, write_json
    from widedeep.report.json import answer_object
    from widedeep.report.terminal import fit

    if options.json:
        write_json(answer_object(told.answer))
    elif console := terminal(sys.stdout):
        fit(console).print(_drawn(told, brief=options.quiet))
    else:
        write(_written(told, brief=options.quiet))


def _drawn(told: Told, *, brief: bool) -> RenderableType:
    """Return the answer for a terminal, in its style."""
    from widedeep.report import terminal

    match told.style:
        case "short":
            return terminal.short_block(told.answer, brief=brief)
        case "brief":
            return terminal.answer_block(told.answer, brief=brief)
        case "report":
            return terminal.report_block(told.answer, told.ledger, brief=brief)


def _written(told: Told, *, brief: bool) -> str:
    """Return the answer for a pipe, in its style; a report is Markdown."""
    from widedeep.report import markdown, plain

    match told.style:
        case "short":
            return plain.short_text(told.answer, brief=brief)
        case "brief":
            return plain.answer_text(told.answer, brief=brief)
        case "report":
            return markdown.document(told.answer, "report", told.ledger)


def _save(told: Told, folder: Path) -> None:
    """Write answer.md and run.json."""
    from widedeep.cli.output import to_json, write_file
    from widedeep.report.json import answer_object
    from widedeep.report.markdown import document

    try:
        write_file(folder / "answer.md", document(told.answer, told.style, told.ledger))
        write_file(folder / "run.json", to_json(answer_object(told.answer)) + "\n")
    except OSError as error:
        raise WidedeepError(
            f"--out {str(folder)!r}: cannot be written to ({error.strerror}); "
            f"the answer is kept: widedeep runs show {told.answer.run_id}"
        ) from None
