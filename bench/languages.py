"""What becomes of questions that are not in English: right, wrong or honestly abstained?

    python bench/languages.py [--languages de es] [--schedule descending] [--show]

Thirty questions a language (one fact, two hops, comparisons, unanswerable ones) on twelve short
documents about invented places and people, in bench/languages. `right`: the short answer is exactly
a right one, or there is none and a right one stands in the first three quoted sentences (`quoted`).
`wrong`: it answers something else, or anything where there is no answer. `abstained`: it says that
there is no evidence; `close`: and a right answer stands in the first three sentences that it quotes
all the same. `found`: share of the gold documents met. When a run fails, the exit status is 1.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.policy_runs import STORE

from widedeep.agent import Agent
from widedeep.evals.circumstances import code
from widedeep.evals.datasets import load
from widedeep.evals.runner import Arm, run
from widedeep.evals.tasks import Result, Task
from widedeep.models.builtin import Builtin
from widedeep.retrieval import open_index
from widedeep.tools.corpus import corpus_tools

HERE = Path(__file__).resolve().parent / "languages"
HEAD = "language kind questions right quoted wrong abstained close found".split()
KINDS = ("one", "two", "comparison", "unanswerable")


def main() -> int:
    options = _options()
    rows: list[list[str]] = []
    failed = 0
    for language in options.languages:
        task = load(HERE / f"{language}.jsonl")
        results = asyncio.run(_asked(task, HERE / language, options.schedule))
        rows += [_row(language, kind, results) for kind in (*KINDS, None)]
        failed += sum(result.status == "failed" for result in results)
        if options.show:
            _show(task, results)
    _table(rows)
    print(
        f"\nPython {platform.python_version()}, widedeep {version('widedeep')} (code {code()}), "
        f"{platform.machine()}, {os.cpu_count()} cores; failed runs: {failed}"
    )
    return 1 if failed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    known = sorted(path.stem for path in HERE.glob("*.jsonl"))
    parser.add_argument("--languages", nargs="+", default=known, choices=known)
    parser.add_argument("--schedule", default="descending")
    parser.add_argument("--show", action="store_true", help="print every question and its answer")
    return parser.parse_args()


async def _asked(task: Task, corpus: Path, schedule: str) -> tuple[Result, ...]:
    agent = Agent(Builtin(), corpus_tools(open_index([corpus], STORE)), schedule=schedule)
    arm = Arm(schedule, lambda sample: agent.run(sample.question))
    return (await run(task, [arm]))[schedule]


def verdict(result: Result) -> str:
    """Return what became of a question: right, quoted (and right), wrong, abstained or failed."""
    if result.status == "failed":
        return "failed"
    if result.scores.abstained:
        return "abstained"
    if result.scores.exact == 1:
        return "right"
    return "quoted" if result.short_answer is None and result.scores.ev3 == 1 else "wrong"


def _row(language: str, kind: str | None, every: Sequence[Result]) -> list[str]:
    results = [result for result in every if kind in {None, result.kind}]
    counts = [verdict(result) for result in results]
    close = sum(result.scores.abstained and result.scores.ev3 == 1 for result in results)
    found = [one for r in results if (one := r.scores.recall) is not None]
    return [
        language,
        kind or "all",
        str(len(results)),
        str(counts.count("right") + counts.count("quoted")),
        str(counts.count("quoted")),
        str(counts.count("wrong")),
        str(counts.count("abstained")),
        str(close),
        f"{sum(found) / len(found):.2f}" if found else "-",
    ]


def _show(task: Task, results: Sequence[Result]) -> None:
    for sample, result in zip(task.samples, results, strict=True):
        right = " | ".join(sample.answers) or "nothing"
        print(f"{verdict(result):<10} {sample.question} -> {result.short_answer} / {right}")
    print()


def _table(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(HEAD, *rows, strict=True)]
    for row in (HEAD, *rows):
        print("  ".join(map(str.ljust, row, widths)).rstrip())


if __name__ == "__main__":
    sys.exit(main())
