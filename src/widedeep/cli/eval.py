"""What does `widedeep eval` do?"""

from __future__ import annotations

import asyncio
import hashlib
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

from cyclopts import Parameter

from widedeep.cli import hiding
from widedeep.cli.given import schedule, shared, whole
from widedeep.cli.options import EvalOptions
from widedeep.errors import UsageError
from widedeep.models.named import known_name

if TYPE_CHECKING:
    from widedeep.cli.wiring import Plan
    from widedeep.costs import Budget
    from widedeep.evals import Arm, Result, Sample, Task
    from widedeep.evals.log import Configuration, Log
    from widedeep.evals.purse import Purse
    from widedeep.evals.report import Report
    from widedeep.journal import SqliteJournal
    from widedeep.messages import Answer
    from widedeep.retrieval import Index

INTERRUPTED = 130
PARTIAL = 3
MOST_AT_ONCE = 256

Where = Annotated[
    str,
    Parameter(help="A folder with queries.jsonl, qrels.tsv and corpus.jsonl, or a .jsonl file."),
]


@dataclass(frozen=True, slots=True)
class Checked:
    """An evaluation whose every option can be."""

    task: Task
    plans: dict[str, Plan]
    corpus: tuple[str, ...]
    limit: int | None
    seed: int
    parallel: int
    out: Path | None
    budget: Budget


def evaluate(where: Where, /, *, options: EvalOptions | None = None) -> int:
    """Ask every question of a task and grade the answers; the help is in `app`."""
    from widedeep.cli import wiring
    from widedeep.cli.evaluating import left
    from widedeep.cli.progress import indexing, warn
    from widedeep.evals.log import alone
    from widedeep.evals.purse import Purse

    options = options or EvalOptions()
    checked = _check(where, options)
    store = next(iter(checked.plans.values())).settings.store
    with indexing(quiet=options.quiet) as progress:
        index = wiring.open_corpus(checked.corpus, store, progress)
    warn(index, quiet=options.quiet)
    configurations = {
        name: _configuration(checked.task, plan, index) for name, plan in checked.plans.items()
    }
    out = wiring.writable(checked.out or _place(store, checked.task, configurations), "--out")
    with alone(out):
        earlier = _earlier(out, configurations)
        try:
            purse = Purse(checked.budget, out / wiring.JOURNAL)
            arms = asyncio.run(
                _run(checked, index, configurations, out, purse=purse, quiet=options.quiet)
            )
        except KeyboardInterrupt:
            from widedeep.cli.output import remark

            remark(f"interrupted; the same command with --out {str(out)!r} goes on from here")
            return INTERRUPTED
        arms |= _answered(earlier, checked.task)
        configurations |= {name: earlier[name].configuration for name in arms if name in earlier}
        _tell(checked, arms, configurations, out, options)
    return PARTIAL if left(purse, out) else 0


def _check(where: str, options: EvalOptions) -> Checked:
    """Check all that was told before any work is done."""
    from widedeep.cli import wiring
    from widedeep.evals.datasets import load, take

    limit = None if options.limit is None else whole("--limit", options.limit, 1, 10**9)
    seed = whole("--seed", options.seed, 0, 2**31)
    parallel = whole("--parallel", options.parallel, 1, MOST_AT_ONCE)
    task = load(wiring.place(where, "WHERE"))
    own = () if task.corpus is None else (str(task.corpus),)
    if not (options.corpus or own):
        raise UsageError(f"{where!r} has no corpus.jsonl to research in: pass --corpus PATH")
    corpus = wiring.existing(options.corpus or own)
    plans = _plans(options, corpus)
    out = None if options.out is None else wiring.place(options.out, "--out")
    budget = shared(options)
    return Checked(take(task, limit, seed), plans, corpus, limit, seed, parallel, out, budget)


def _plans(options: EvalOptions, corpus: tuple[str, ...]) -> dict[str, Plan]:
    """Return what each arm does, by its schedule."""
    from widedeep.cli import wiring

    given = {
        f"limits.{key}": getattr(options, key) for key in ("max_turns", "max_calls", "max_width")
    }
    read = wiring.read_settings(options.config, options.store, {"model": options.model, **given})
    made = read.settings
    known_name(made.model, made)
    wiring.ready_store(read)
    plans: dict[str, Plan] = {}
    for text in options.schedule or (None,):
        widths = schedule(read, text)
        if str(widths) in plans:
            raise UsageError(
                f"--schedule {text!r} is given twice: each arm has a schedule of its own"
            )
        plans[str(widths)] = wiring.Plan(
            made.model_copy(update={"schedule": text or made.schedule}),
            widths,
            corpus,
            serial=False,
            early_start=True,
            out=None,
        )
    return plans


def _configuration(task: Task, plan: Plan, index: Index) -> Configuration:
    """Return all that an arm's results depend on."""
    from widedeep.evals.circumstances import code

    limits = plan.settings.limits
    return {
        "task": task.fingerprint,
        "corpus": index.fingerprint[:16],
        "model": plan.settings.model,
        "schedule": str(plan.schedule),
        "max_turns": limits.max_turns,
        "max_calls": limits.max_calls,
        "turn_deadline": limits.turn_deadline,
        "code": code(),
    }


def _place(store: Path, task: Task, configurations: dict[str, Configuration]) -> Path:
    """Return where results of these configurations are kept: others have another place."""
    shared = {**next(iter(configurations.values())), "schedule": None}
    mark = hashlib.sha256(repr(sorted(shared.items(), key=str)).encode()).hexdigest()[:8]
    return store / "evals" / f"{_slug(task.name)}-{mark}"


def _earlier(out: Path, configurations: Mapping[str, Configuration]) -> dict[str, Log]:
    """Return the arms that other commands left in the directory: one report is over all of them.

    Raises:
        TaskError: what is there is of other questions, code or limits.
    """
    from widedeep.evals.log import logs

    found = logs(out, next(iter(configurations.values())), "schedule")
    return {name: log for name, log in found.items() if name not in configurations}


def _answered(earlier: Mapping[str, Log], task: Task) -> dict[str, tuple[Result, ...]]:
    """Return what earlier arms have of these questions; one that has none is no arm."""
    asked = {
        name: tuple(log.results[one.id] for one in task.samples if one.id in log.results)
        for name, log in earlier.items()
    }
    return {name: results for name, results in asked.items() if results}


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9.!,_-]+", "-", text).strip("-") or "task"


async def _run(
    checked: Checked,
    index: Index,
    configurations: dict[str, Configuration],
    out: Path,
    *,
    purse: Purse,
    quiet: bool,
) -> dict[str, tuple[Result, ...]]:
    from widedeep.cli import wiring
    from widedeep.cli.evaluating import board
    from widedeep.evals.runner import run

    journal = wiring.journal(out)
    try:
        arms = [
            _arm(plan, index, journal, out, configurations[name], purse=purse)
            for name, plan in checked.plans.items()
        ]
        with board(list(checked.plans), len(checked.task.samples), quiet=quiet) as show:
            return await run(checked.task, arms, at_once=checked.parallel, on=show)
    finally:
        journal.close()


def _arm(
    plan: Plan,
    index: Index,
    journal: SqliteJournal,
    out: Path,
    configuration: Configuration,
    *,
    purse: Purse,
) -> Arm:
    from widedeep.cli import wiring
    from widedeep.evals.log import open_log
    from widedeep.evals.runner import Arm
    from widedeep.evals.without import Without

    every = wiring.agent(plan, index, journal, within=purse.spend)

    async def ask(sample: Sample) -> Answer | None:
        agent = every
        if sample.removed:
            kept = Without(index, frozenset(sample.removed))
            # An agent only searches and reads, and that is all that is left of the index.
            agent = wiring.agent(plan, cast("Index", kept), journal, within=purse.spend)
        answer = await purse.ask(agent, sample.question)
        return None if answer is None else hiding.shape(answer)

    name = str(configuration["schedule"])
    return Arm(name, ask, open_log(out / f"results-{_slug(name)}.jsonl", configuration))


def _tell(
    checked: Checked,
    arms: dict[str, tuple[Result, ...]],
    configurations: dict[str, Configuration],
    out: Path,
    options: EvalOptions,
) -> None:
    """Write the report and print it."""
    from widedeep.cli.evaluating import table
    from widedeep.cli.output import remark, terminal, write, write_json
    from widedeep.evals.circumstances import here_and_now
    from widedeep.evals.report import report, report_object, text

    made = report(
        checked.task,
        arms,
        configurations,
        here_and_now(),
        seed=checked.seed,
        limit=checked.limit,
    )
    _save(made, out)
    if options.json:
        write_json(report_object(made))
    elif console := terminal(sys.stdout):
        console.print(table(made))
    else:
        write(text(made))
    if not options.quiet:
        remark(f"report.md and report.json are in {str(out)!r}")


def _save(made: Report, out: Path) -> None:
    from widedeep.cli.output import to_json, write_file
    from widedeep.evals.report import document, report_object

    try:
        write_file(out / "report.md", document(made))
        write_file(out / "report.json", to_json(report_object(made)) + "\n")
    except OSError as error:
        raise UsageError(
            f"--out {str(out)!r}: cannot be written to ({error.strerror}); name another directory"
        ) from None
