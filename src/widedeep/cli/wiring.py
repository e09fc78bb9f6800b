"""How do options become an agent? All is checked before any work is done."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from widedeep import settings
from widedeep.cli import hiding
from widedeep.cli.modes import moded, width_modes
from widedeep.errors import JournalError, UsageError
from widedeep.models.named import known_name, open_model
from widedeep.models.servers import BUILTIN
from widedeep.settings import Limits, Settings, place

if TYPE_CHECKING:
    from widedeep.agent import Agent
    from widedeep.budget import Spend
    from widedeep.cli.options import AskOptions
    from widedeep.cli.progress import Progress
    from widedeep.costs import Style
    from widedeep.events import RunStarted
    from widedeep.journal import SqliteJournal
    from widedeep.messages import Json
    from widedeep.retrieval import Index
    from widedeep.seams import Model, Schedule

JOURNAL = "journal.sqlite"
"""The journal's name in a store."""

LIMITS = tuple(Limits.model_fields)
SAMPLE = "sample"
POLICIES = ("builtin", "one-shot")

_NO_CORPUS = (
    "nothing to research in: pass --corpus PATH (a file or folder of .txt .md .html .pdf .json "
    ".jsonl; repeatable) or --corpus sample (the packaged factbook)"
)


@dataclass(frozen=True, slots=True)
class Plan:
    """A run that has been checked and can begin."""

    settings: Settings
    schedule: Schedule
    corpus: tuple[str, ...]
    serial: bool
    early_start: bool
    out: Path | None
    policy: str = POLICIES[0]
    style: Style | None = None
    language: str | None = None


def read_settings(
    config: str | None, store: str | None, options: Mapping[str, Any] | None = None
) -> settings.Configuration:
    """Return the settings of a command that takes `--config` and `--store`."""
    made = settings.load(config, options={"store": store, **(options or {})})
    hiding.hide(made.settings.hidden())
    return made


def plan(options: AskOptions) -> Plan:
    """Check all that `ask` was told.

    Raises:
        UsageError: the first value that cannot be, with its fix.
    """
    from widedeep.cli import given

    limits = {f"limits.{name}": getattr(options, name) for name in LIMITS}
    named = {"model": options.model, "schedule": options.schedule}
    configuration = read_settings(options.config, options.store, {**named, **limits})
    made = moded(configuration.settings, options.width_mode)
    widths = given.schedule(configuration)
    policy = known_policy(options.policy, known_name(made.model, made))
    _check_outputs(options)
    corpus = _corpora(options, ready_store(configuration))
    out = out_folder(options)
    early = not options.no_early_start
    spoken = given.language(options.language, made.model)
    return Plan(made, widths, corpus, options.serial, early, out, policy, options.style, spoken)


def _check_outputs(options: AskOptions) -> None:
    if options.json and options.events:
        raise UsageError("--json and --events both write to stdout: pass one of them")


def out_folder(options: AskOptions) -> Path | None:
    """Return where the answer is also to be written, made and writable."""
    return None if options.out is None else writable(place(options.out, "--out"), "--out")


def known_policy(policy: str | None, model: str) -> str:
    """Return the policy that was chosen; only the built-in model has several."""
    chosen = POLICIES[0] if policy is None else policy
    if chosen not in POLICIES:
        known = ", ".join(POLICIES)
        raise UsageError(f"--policy {policy!r}: there is no such policy; take one of {known}")
    if chosen != POLICIES[0] and model != BUILTIN:
        raise UsageError(f"--policy {chosen!r}: is the built-in model's; leave out --model {model}")
    return chosen


def _corpora(options: AskOptions, store: Path) -> tuple[str, ...]:
    """Return the corpora named, those of earlier runs as files of the store."""
    from widedeep.cli import earlier

    named = [
        earlier.corpus_of(path, options.store, options.config, store)
        if path.startswith(earlier.PREFIX)
        else path
        for path in options.corpus
    ]
    return existing(named)


def existing(paths: Sequence[str], option: str = "--corpus") -> tuple[str, ...]:
    """Return the corpora named, if all of them are there; `option` is what names them."""
    if not paths:
        raise UsageError(_NO_CORPUS)
    return tuple(path if path == SAMPLE else _existing(path, option) for path in paths)


def _existing(path: str, option: str) -> str:
    if not path.strip():
        raise UsageError(f"{option} {path!r}: is empty; pass a file, a folder or `sample`")
    there = place(path, option)
    if not there.exists():
        raise UsageError(f"{option} {path!r}: no such file or folder; check the path")
    return str(there)


def ready_store(configuration: settings.Configuration) -> Path:
    """Return the store, made and writable."""
    origin = configuration.origins.get("store", "default store")
    return writable(configuration.settings.store, origin)


def writable(folder: Path, origin: str) -> Path:
    """Make a folder and prove that files can be written there; `origin` is what names it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(
            f"{origin} {str(folder)!r}: cannot be written to ({reason}); name another directory"
        ) from None
    return folder


def check_journal(store: Path) -> None:
    """See that what a store has for a journal is one, if it has any.

    Raises:
        UsageError: it is none, or a damaged one.
    """
    from widedeep.journal import reading

    file = store / JOURNAL
    try:
        if file.exists():
            reading.check(file)
    except JournalError as error:
        raise UsageError(str(error)) from None


def journal(store: Path) -> SqliteJournal:
    """Open the journal of a store.

    Raises:
        UsageError: what is there is no journal, or a damaged one.
    """
    from widedeep.journal import SqliteJournal

    file = store / JOURNAL
    check_journal(store)
    try:
        return SqliteJournal(file, secrets=hiding.secrets())
    except JournalError as error:
        raise UsageError(str(error)) from None


def open_corpus(paths: Sequence[str], store: Path, progress: Progress | None = None) -> Index:
    """Return the index of the corpora, built or updated if needed."""
    from widedeep.retrieval import open_index

    return open_index(paths, store, progress)


def agent(
    plan: Plan,
    index: Index,
    journal: SqliteJournal,
    recipe: Json | None = None,
    within: Spend | None = None,
) -> Agent:
    """Return the agent that a plan describes."""
    from widedeep.agent import Agent
    from widedeep.costs import Budget
    from widedeep.tools.corpus import corpus_tools

    limits = plan.settings.limits
    return Agent(
        _model(plan.settings, plan.policy),
        corpus_tools(index),
        schedule=plan.schedule,
        budget=Budget(
            limits.max_turns,
            limits.max_calls,
            limits.budget_tokens,
            limits.budget_usd,
            limits.budget_seconds,
        ),
        turn_deadline=limits.turn_deadline,
        serial=plan.serial,
        early_start=plan.early_start,
        max_width=limits.max_width,
        journal=journal,
        recipe=recipe,
        within=within,
        style=plan.style,
        language=plan.language,
    )


def recipe_of(plan: Plan, index: Index) -> dict[str, Any]:
    """Return what `plan_again` needs to make the agent of a run again."""
    limits = plan.settings.limits
    return {
        "corpus": list(plan.corpus),
        "fingerprint": index.fingerprint,
        "policy": plan.policy,
        "width_mode": width_modes(plan.settings),
        "serial": plan.serial,
        "early_start": plan.early_start,
        "language": plan.language,
        "settings": {
            "model": plan.settings.model,
            "schedule": str(plan.schedule),
            **{f"limits.{name}": getattr(limits, name) for name in LIMITS},
        },
    }


def plan_again(start: RunStarted, options: AskOptions) -> Plan:
    """Return the plan of a run that was made by `ask`; what is told now comes first.

    Raises:
        UsageError: what is told cannot be, or the run was not made by this command.
    """
    from widedeep.cli import given

    recipe = start.recipe
    if not (options.corpus or recipe.get("corpus")):
        fix = "pass --corpus PATH" if options.continues else "resume it there, with Agent.resume"
        raise UsageError(f"run {start.run_id!r} was not made by `widedeep ask`: {fix}")
    _check_outputs(options)
    told = {"model": options.model, "schedule": options.schedule}
    told |= {f"limits.{name}": getattr(options, name) for name in LIMITS}
    chosen = {**recipe.get("settings", {}), **{k: v for k, v in told.items() if v is not None}}
    chosen = {name: None if value is None else str(value) for name, value in chosen.items()}
    configuration = read_settings(options.config, options.store, chosen)
    known_name(configuration.settings.model, configuration.settings)
    made = moded(configuration.settings, options.width_mode or recipe.get("width_mode"))
    corpus = _corpora(options, ready_store(configuration)) if options.corpus else ()
    return Plan(
        made,
        given.schedule(configuration),
        corpus or existing(recipe["corpus"]),
        options.serial or bool(recipe.get("serial")),
        bool(recipe.get("early_start", True)) and not options.no_early_start,
        out_folder(options),
        known_policy(options.policy or recipe.get("policy"), made.model),
        options.style,
        given.language(options.language or recipe.get("language"), made.model),
    )


def _model(made: Settings, policy: str) -> Model:
    """Return the model of a run, with the policy that was chosen for it."""
    if made.model == BUILTIN:
        from widedeep.models.builtin import Builtin

        return Builtin(one_shot=policy == "one-shot")
    return open_model(made.model, made)
