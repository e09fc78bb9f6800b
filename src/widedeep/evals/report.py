"""How is an evaluation written down: as JSON, as Markdown, as rows of a table?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from widedeep.evals.circumstances import Circumstances
from widedeep.evals.log import Configuration
from widedeep.evals.statistics import LEVEL, RESAMPLES, Interval
from widedeep.evals.summary import METRICS, Difference, Summary, by_kind, compare, summarise
from widedeep.evals.tasks import Result, Task

SCHEMA = 1

LABELS = {metric.name: metric.label for metric in METRICS}
_SHARES = {metric.name for metric in METRICS if metric.name not in {"turns", "calls", "documents"}}
_COMPARED = ("answered", "exact", "f1", "all_found", "ev3", "ev10", "calls", "turns")
_LEGEND = (
    "EM and F1 are those of the short answer (SQuAD's normalisation, aliases count); open: the "
    "answer is neither yes or no nor in the question; all gold: every gold document was met; ev3, "
    "ev10: a right answer stands in the best 3 or 10 quoted sentences, of at most 250 words; "
    "rightly: abstained where there is no answer."
)


@dataclass(frozen=True, slots=True)
class Report:
    """An evaluation that is done: the first arm is the one that the others are compared with."""

    task: Task
    arms: Mapping[str, tuple[Result, ...]]
    configurations: Mapping[str, Configuration]
    summaries: Mapping[str, Summary]
    kinds: Mapping[str, Mapping[str, Summary]]
    differences: tuple[Difference, ...]
    seed: int
    limit: int | None
    circumstances: Circumstances


def report(
    task: Task,
    arms: Mapping[str, tuple[Result, ...]],
    configurations: Mapping[str, Configuration],
    circumstances: Circumstances,
    *,
    seed: int = 1,
    limit: int | None = None,
) -> Report:
    """Count what was measured; `limit` is the number of samples drawn by `seed`, None = all."""
    return Report(
        task=task,
        arms=arms,
        configurations=configurations,
        summaries={name: summarise(results, seed) for name, results in arms.items()},
        kinds={name: by_kind(results, seed) for name, results in arms.items()},
        differences=compare(arms, next(iter(arms)), seed),
        seed=seed,
        limit=limit,
        circumstances=circumstances,
    )


def report_object(made: Report) -> dict[str, Any]:
    """Return the report as one JSON object of schema 1; results come last, question by question."""
    return {
        "schema": SCHEMA,
        "task": {
            "name": made.task.name,
            "samples": len(made.task.samples),
            "fingerprint": made.task.fingerprint,
            "limit": made.limit,
        },
        "seed": made.seed,
        "level": LEVEL,
        "resamples": RESAMPLES,
        "circumstances": asdict(made.circumstances),
        "arms": [
            {
                "name": name,
                "configuration": dict(made.configurations[name]),
                **asdict(summary),
                "not_run": len(made.task.samples) - summary.n,
                "kinds": {kind: asdict(one) for kind, one in made.kinds[name].items()},
                "results": [asdict(each) for each in made.arms[name]],
            }
            for name, summary in made.summaries.items()
        ],
        "differences": [asdict(each) for each in made.differences],
    }


def rows(summaries: Mapping[str, Summary]) -> list[list[str]]:
    """Return metrics as rows and summaries as columns, with intervals; the heads come first.

    A metric that applies to none of them has no row.
    """
    there = [m for m in LABELS if any(m in each.metrics for each in summaries.values())]
    return [
        ["", *summaries],
        ["questions", *(str(each.n) for each in summaries.values())],
        *(
            [LABELS[m], *(_interval(m, s.metrics.get(m)) for s in summaries.values())]
            for m in there
        ),
    ]


def text(made: Report) -> str:
    """Return the table of arms as plain text in columns."""
    cells = rows(made.summaries)
    widest = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widest)).rstrip() for row in cells)


def document(made: Report) -> str:
    """Return the report as Markdown."""
    parts = [f"# Evaluation of {_code(made.task.name)}", _circumstances(made), _LEGEND]
    parts += ["## Arms", _table(rows(made.summaries)), _statuses(made)]
    if made.differences:
        base = made.differences[0].base
        parts += [f"## Difference to {_code(base)}, question by question"]
        parts += [_table(_differences(made.differences))]
    for name, kinds in made.kinds.items():
        if kinds:
            parts += [f"## {_code(name)} by kind of question", _table(rows(kinds))]
    return "\n\n".join(parts) + "\n"


def _differences(differences: Sequence[Difference]) -> list[list[str]]:
    shown = [each for each in differences if each.metric in _COMPARED]
    return [["arm", "metric", "difference", "better", "worse", "p"]] + [
        [
            _code(each.arm),
            LABELS[each.metric],
            _interval(each.metric, each.interval, sign="+"),
            str(each.wins),
            str(each.losses),
            f"{each.p:.3f}",
        ]
        for each in shown
    ]


def _circumstances(made: Report) -> str:
    at = made.circumstances
    packages = ", ".join(f"{name} {number}" for name, number in at.packages.items())
    drawn = "all" if made.limit is None else f"{len(made.task.samples)} drawn by the seed"
    arms = [
        f"- {_code(name)}: " + ", ".join(f"{key} {value}" for key, value in configuration.items())
        for name, configuration in made.configurations.items()
    ]
    return "\n".join(
        (
            f"- questions: {drawn}, fingerprint {made.task.fingerprint}{_left_out(made.task)}",
            f"- widedeep {at.widedeep} (code {at.code}), Python {at.python}, {packages}",
            f"- {at.system}, {at.machine}, {at.cores} cores, {at.at}",
            f"- seed {made.seed}, {RESAMPLES:,} resamples",
            f"- {LEVEL:.0%} intervals: Wilson's for shares, else bootstrap percentiles",
            *arms,
        )
    )


def _left_out(task: Task) -> str:
    count = sum(bool(sample.removed) for sample in task.samples)
    return f"; for {count} of them some documents are left out of the corpus" if count else ""


def _statuses(made: Report) -> str:
    lines: list[str] = []
    for name, summary in made.summaries.items():
        statuses = ", ".join(f"{count} {status}" for status, count in summary.statuses.items())
        turns = " ".join(f"{width:.1f}" for width in summary.widths) or "none"
        left = len(made.task.samples) - summary.n
        unasked = f"; {left} questions were not run and are in no figure" if left else ""
        lines.append(f"- {_code(name)}: {statuses}; calls turn by turn: {turns}{unasked}")
    return "\n".join(lines)


def _table(cells: Sequence[Sequence[str]]) -> str:
    head, *body = cells
    heads = [_code(each) if each else "" for each in head]
    lines = [heads, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _interval(metric: str, one: Interval | None, sign: str = "") -> str:
    if one is None:
        return "-"
    mean, low, high = (_figure(metric, value, sign) for value in (one.mean, one.low, one.high))
    return f"{mean} [{low}, {high}]"


def _figure(metric: str, value: float, sign: str = "") -> str:
    return f"{value:{sign}.{3 if metric in _SHARES else 1}f}"


def _code(text: str) -> str:
    return "`" + " ".join(text.replace("`", "'").replace("|", "/").split()) + "`"
