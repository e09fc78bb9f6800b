"""Which options do commands take, and what does their help say?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from cyclopts import Group, Parameter

from widedeep.defaults import MAX_TURNS, MAX_WIDTH, TURN_DEADLINE

_RESEARCH = Group("Research", sort_key=1)
_LIMITS = Group("Limits", sort_key=2)
_OUTPUT = Group("Output", sort_key=3)
_PLACES = Group("Places", sort_key=4)


def _flag(group: Group, text: str) -> Parameter:
    return Parameter(group=group, help=text, negative=(), show_default=False)


JsonFlag = Annotated[bool, _flag(_OUTPUT, "Print one JSON object.")]
QuietFlag = Annotated[bool, _flag(_OUTPUT, "Show no progress.")]
StoreOption = Annotated[
    str | None,
    Parameter(
        group=_PLACES,
        metavar="DIR",
        help="Where runs and indexes are kept. Default: the user's data directory.",
    ),
]
ConfigOption = Annotated[
    str | None,
    Parameter(
        group=_PLACES,
        metavar="FILE",
        help="A TOML file of settings. Default: config.toml in the user's config directory.",
    ),
]
ModelOption = Annotated[
    str | None,
    Parameter(group=_RESEARCH, metavar="NAME", help="What decides the calls. Default: builtin."),
]
MaxTurnsOption = Annotated[
    str | None,
    Parameter(group=_LIMITS, metavar="N", help=f"Turns that may call tools. Default: {MAX_TURNS}."),
]
MaxCallsOption = Annotated[
    str | None,
    Parameter(group=_LIMITS, metavar="N", help="Calls executed in all. Default: no limit."),
]
StyleOption = Annotated[
    Literal["short", "brief", "report"],
    Parameter(
        group=_OUTPUT,
        metavar="NAME",
        show_default=False,
        show_choices=False,
        help="How much is told: short, brief, or report, which has the evidence for each "
        "sub-question, what is open, and dated sources. Default: brief.",
    ),
]
BudgetTokensOption = Annotated[
    str | None,
    Parameter(group=_LIMITS, metavar="N", help="Tokens it may use in all. Default: no limit."),
]
BudgetUsdOption = Annotated[
    str | None,
    Parameter(group=_LIMITS, metavar="USD", help="What it may cost in all. Default: no limit."),
]
BudgetSecondsOption = Annotated[
    str | None,
    Parameter(
        group=_LIMITS,
        metavar="SECONDS",
        help="What it may take in all; the last quarter (at most 60 s) is for the answer. "
        "Default: no limit.",
    ),
]
AcceptFlag = Annotated[bool, _flag(_RESEARCH, "Go on although the corpus is not what it was.")]
EventsFlag = Annotated[bool, _flag(_OUTPUT, "Print every event as it happens, one JSON a line.")]
OutOption = Annotated[
    str | None,
    Parameter(group=_OUTPUT, metavar="DIR", help="Also write answer.md and run.json there."),
]


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class AskOptions:
    """What `widedeep ask` can be told besides the question; limits are checked by the settings."""

    corpus: Annotated[
        tuple[str, ...],
        Parameter(
            group=_RESEARCH,
            metavar="PATH",
            negative=(),
            show_default=False,
            help="A file or folder to research in; `sample` is the packaged factbook, `run:ID` "
            "what an earlier run read. Repeatable.",
        ),
    ] = ()
    continues: Annotated[
        str | None,
        Parameter(
            name="--continue",
            group=_RESEARCH,
            metavar="RUN",
            help="Go on with the sources and ledger of an earlier run: its id, how it begins, or "
            "`last`. What is not told is as it was there, the corpus too.",
        ),
    ] = None
    accept_changes: AcceptFlag = False
    model: ModelOption = None
    policy: Annotated[
        str | None,
        Parameter(
            group=_RESEARCH,
            metavar="NAME",
            help="How the built-in rules go about it: builtin, or one-shot, which searches once "
            "and answers, to compare. Default: builtin.",
        ),
    ] = None
    schedule: Annotated[
        str | None,
        Parameter(
            group=_RESEARCH,
            metavar="TEXT",
            help="Calls wanted in each turn: descending, ascending, automatic, adaptive, "
            "constant:3, 25:3,50:2,100:1. Default: descending.",
        ),
    ] = None
    width_mode: Annotated[
        str | None,
        Parameter(
            group=_RESEARCH,
            metavar="NAME",
            help="How a language model keeps a width: hint asks for so many tool calls, schema "
            "lets it write nothing else, auto takes schema where it cannot call tools. "
            "Default: auto.",
        ),
    ] = None
    serial: Annotated[
        bool, _flag(_RESEARCH, "Run the calls of a turn one after another, to compare.")
    ] = False
    no_early_start: Annotated[
        bool, _flag(_RESEARCH, "Start no call before the model's reply is complete.")
    ] = False
    max_turns: MaxTurnsOption = None
    max_calls: MaxCallsOption = None
    budget_tokens: BudgetTokensOption = None
    budget_usd: BudgetUsdOption = None
    budget_seconds: BudgetSecondsOption = None
    max_width: Annotated[
        str | None,
        Parameter(
            group=_LIMITS,
            metavar="N",
            help=f"The largest target of a schedule. Default: {MAX_WIDTH}.",
        ),
    ] = None
    turn_deadline: Annotated[
        str | None,
        Parameter(
            group=_LIMITS,
            metavar="SECONDS",
            help=f"What the calls of a turn may take. Default: {TURN_DEADLINE:g}.",
        ),
    ] = None
    style: StyleOption = "brief"
    language: Annotated[
        str | None,
        _text(_OUTPUT, "NAME", "The language of the answer. Default: as the model chooses."),
    ] = None
    dry_run: Annotated[
        bool, _flag(_OUTPUT, "Ask nothing: print what the run may take and cost, and why.")
    ] = False
    json: JsonFlag = False
    events: EventsFlag = False
    out: OutOption = None
    quiet: Annotated[bool, _flag(_OUTPUT, "Show no progress and no summary.")] = False
    store: StoreOption = None
    config: ConfigOption = None


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeOptions:
    """What `widedeep runs resume` can be told; the rest is as the run was started."""

    model: ModelOption = None
    accept_changes: AcceptFlag = False
    max_turns: MaxTurnsOption = None
    max_calls: MaxCallsOption = None
    budget_tokens: BudgetTokensOption = None
    budget_usd: BudgetUsdOption = None
    budget_seconds: BudgetSecondsOption = None
    style: StyleOption = "brief"
    json: JsonFlag = False
    events: EventsFlag = False
    out: OutOption = None
    quiet: Annotated[bool, _flag(_OUTPUT, "Show no progress and no summary.")] = False
    store: StoreOption = None
    config: ConfigOption = None


def _text(group: Group, metavar: str, help: str) -> Parameter:
    return Parameter(group=group, metavar=metavar, help=help, negative=(), show_default=False)


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class EvalOptions:
    """What `widedeep eval` can be told besides the questions."""

    corpus: Annotated[
        tuple[str, ...],
        _text(_RESEARCH, "PATH", "What to research in. Default: the folder's own. Repeatable."),
    ] = ()
    model: Annotated[
        str | None, _text(_RESEARCH, "NAME", "What decides the calls. Default: builtin.")
    ] = None
    schedule: Annotated[
        tuple[str, ...],
        _text(
            _RESEARCH,
            "TEXT",
            "Calls wanted in each turn. Repeatable: each is an arm, and the others are compared "
            "with the first. Default: descending.",
        ),
    ] = ()
    max_turns: Annotated[
        str | None,
        _text(_LIMITS, "N", f"Turns of a run that may call tools. Default: {MAX_TURNS}."),
    ] = None
    max_calls: Annotated[str | None, _text(_LIMITS, "N", "Calls of a run. Default: no limit.")] = (
        None
    )
    max_width: Annotated[
        str | None, _text(_LIMITS, "N", f"The largest width asked for. Default: {MAX_WIDTH}.")
    ] = None
    budget_turns: Annotated[
        str | None, _text(_LIMITS, "N", "Turns of all runs together. Default: no limit.")
    ] = None
    budget_calls: Annotated[
        str | None, _text(_LIMITS, "N", "Calls of all runs together. Default: no limit.")
    ] = None
    budget_tokens: Annotated[
        str | None, _text(_LIMITS, "N", "Tokens of all runs together. Default: no limit.")
    ] = None
    budget_usd: Annotated[
        str | None, _text(_LIMITS, "USD", "What all runs together may cost. Default: no limit.")
    ] = None
    budget_seconds: Annotated[
        str | None, _text(_LIMITS, "SECONDS", "What this command may take. Default: no limit.")
    ] = None
    limit: Annotated[
        str | None, _text(_LIMITS, "N", "Ask N of the questions, drawn by the seed. Default: all.")
    ] = None
    seed: Annotated[str, _text(_LIMITS, "N", "What draws questions and resamples. Default: 1.")] = (
        "1"
    )
    parallel: Annotated[str, _text(_LIMITS, "N", "Runs at the same time. Default: 8.")] = "8"
    out: Annotated[
        str | None,
        _text(
            _OUTPUT,
            "DIR",
            "Where results, report.md and report.json are kept. Default: a directory in the store.",
        ),
    ] = None
    json: JsonFlag = False
    quiet: QuietFlag = False
    store: StoreOption = None
    config: ConfigOption = None
