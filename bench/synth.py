"""Does the adaptive schedule save calls, on many questions made from two corpora?

    python bench/synth.py [--sets sample 2wikimultihopqa] [--n 1000] [--seed 1] [--limit 200]
        [--arms constant:3! adaptive] [--turns 3 6] [--out DIR] [--show]

The questions are those that `widedeep synth` makes: a quarter each of one fact, two hops,
comparisons and unanswerable ones, for which the documents that would answer are left out. Every
arm is asked every question; whole corpus, BM25, at most 5 passages a call, 60 documents a question.
Results are kept question by question in DIR: the same command goes on where it was stopped, as
long as the code is the same.

`recall`: share of the gold documents met. `right`: answered and the short answer is exactly a right
one, of the questions that have an answer; `wrong`: answered and it is not. `rightly`: abstained
where there is no answer. Brackets hold 95 % bootstrap intervals; the sets weigh as much.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.policy_runs import DEEPEST, PASSAGES, STORE, Change, Rationed, Searched, World
from bench.synth_table import Measured, show

from widedeep import schedule
from widedeep.evals.circumstances import code
from widedeep.evals.datasets import load, take
from widedeep.evals.log import open_log
from widedeep.evals.runner import Arm, Ask, run
from widedeep.evals.synth import KINDS, make, writing
from widedeep.evals.tasks import Sample, Task
from widedeep.evals.without import Without
from widedeep.messages import Answer
from widedeep.retrieval import Index, open_index
from widedeep.seams import Hit, Query, Schedule, State
from widedeep.tools.corpus import Corpus, corpus_tools

ROOT = Path(__file__).resolve().parent.parent
SETS = ("sample", "2wikimultihopqa")
FIXED = ("constant:1!", "constant:3!", "constant:5!", "constant:8!", "descending", "ascending")
TURNS = (1, 2, 3, 6)
MOST_KNOWN = 4_000
"""Searches that are remembered; the arms repeat those of a question, and then they are done."""


@dataclass(frozen=True)
class Few:
    """A corpus that gives at most 5 passages a call, whatever is asked for."""

    corpus: Corpus

    async def search(self, query: Query, k: int) -> list[Hit]:
        return await self.corpus.search(query, min(k, PASSAGES))

    async def passages(self, id: str) -> list[Hit]:
        return await self.corpus.passages(id)


@dataclass(frozen=True)
class Made:
    """Questions made from one corpus, which can be asked."""

    task: Task
    corpus: Searched
    met: dict[str, set[str]] = field(default_factory=dict)

    def ask(self, widths: Schedule, turns: int) -> Ask:
        """Return what asks one question, without the documents that it removes."""

        async def ask(sample: Sample) -> Answer:
            left = Few(Without(self.corpus, frozenset(sample.removed)))
            tools = tuple(Rationed(tool, self.met) for tool in corpus_tools(left))
            world = World(self.task.name, self.task, Change(), self.corpus, tools)
            answer = await world.ask(widths, turns, {})(sample)
            assert answer is not None, "nothing limits the bench as a whole"
            self.forget(answer.run_id)
            return answer

        return ask

    def forget(self, run_id: str) -> None:
        self.met.pop(run_id, None)
        if len(self.corpus.known) > MOST_KNOWN:
            self.corpus.known.clear()


def main() -> None:
    options = _options()
    began = time.perf_counter()
    arms = _planned(options.arms, options.turns)
    for name in options.sets:
        made = _made(name, options)
        folder = options.out / f"{name}-{options.n}-{options.seed}" / code()
        folder.mkdir(parents=True, exist_ok=True)
        asyncio.run(_run(made, arms, folder, options.at_once))
    arms = _merged(arms)
    show(arms, every=options.show)
    _machine(options, time.perf_counter() - began)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    data = os.environ.get("WIDEDEEP_DATA") or ROOT.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(data))
    parser.add_argument("--sets", nargs="+", default=list(SETS), help="`sample`, or folders there")
    parser.add_argument("--arms", nargs="+", default=[*FIXED, "adaptive"])
    parser.add_argument("--turns", nargs="+", type=int, default=list(TURNS))
    parser.add_argument("--n", type=int, default=1000, help="questions made from each corpus")
    parser.add_argument("--limit", type=int, help="how many of them are asked, drawn by the seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=20, help="runs at the same time")
    parser.add_argument("--out", type=Path, default=STORE / "synth", help="where results are kept")
    parser.add_argument("--show", action="store_true", help="print the figures by kind too")
    return parser.parse_args()


def _planned(names: Sequence[str], turns: Sequence[int]) -> list[Measured]:
    """Return the arms to run; those whose widths cannot differ are one."""
    arms: list[Measured] = []
    for limit in turns:
        for name in names:
            made = schedule.parse(name)
            widths = _fixed(made, limit)
            same = [arm for arm in arms if widths and (arm.turns, arm.widths) == (limit, widths)]
            if same:
                same[0].names.append(f"{name} x{limit}")
            else:
                arms.append(Measured([f"{name} x{limit}"], made, limit, widths))
    return arms


def _fixed(made: Schedule, turns: int) -> tuple[int, ...] | None:
    """Return the targets of a schedule that looks at turns only; None = at other things too."""
    if isinstance(made, schedule.Adaptive | schedule.Automatic):
        return None
    states = [State(turn, {"turns": (turn - 1) / turns}) for turn in range(1, turns + 1)]
    return tuple(made.width(state).target or 0 for state in states)


def _merged(arms: Sequence[Measured]) -> list[Measured]:
    """Put arms together that had equal widths on every question."""
    kept: dict[object, Measured] = {}
    for arm in arms:
        had = tuple(tuple(used.target for used in row.width) for row in arm.all)
        first = kept.setdefault((arm.turns, had), arm)
        if first is not arm:
            first.names += arm.names
    return list(kept.values())


def _made(name: str, options: argparse.Namespace) -> Made:
    """Make a set's questions, or read them when they were made before."""
    STORE.mkdir(parents=True, exist_ok=True)
    path = name if name == "sample" else str(_corpus(options.data / name))
    index = open_index([path], STORE)
    lexical = index.parts[0].lexical
    task = _questions(name, path, index, options)
    print(f"{name}: {index.documents:,} documents, {len(task.samples):,} questions")
    corpus = Searched(lexical.search, lexical.document, most=DEEPEST)
    return Made(take(task, options.limit, options.seed), corpus)


def _corpus(folder: Path) -> Path:
    """Return the corpus of a BEIR folder, else the folder itself."""
    named = (folder / file for file in ("corpus.jsonl.gz", "corpus.jsonl"))
    return next((path for path in named if path.is_file()), folder)


def _questions(name: str, path: str, index: Index, options: argparse.Namespace) -> Task:
    folder = options.out / f"{name}-{options.n}-{options.seed}" / f"questions-{code()}"
    if not (folder / writing.REPORT).exists():
        made = make(index, options.n, KINDS, options.seed)
        told = writing.report(made, index, path, options.n, options.seed)
        writing.write(made, told, folder)
    return replace(load(folder), name=name)


async def _run(made: Made, arms: Sequence[Measured], folder: Path, at_once: int) -> None:
    """Ask what was not asked before, and give each arm its results."""
    asked = [_arm(made, arm, folder) for arm in arms]
    told = _Progress(made.task.name, len(asked) * len(made.task.samples))
    found = await run(made.task, asked, at_once=at_once, on=lambda *_: told.step())
    for arm in arms:
        arm.results[made.task.name] = found[arm.names[0]]


def _arm(made: Made, arm: Measured, folder: Path) -> Arm:
    name = arm.names[0]
    configuration = {"arm": name, "task": made.task.fingerprint, "code": code()}
    file = name.replace(":", "-").replace("!", "").replace(" ", "-")
    log = open_log(folder / f"results-{file}.jsonl", configuration)
    return Arm(name, made.ask(arm.schedule, arm.turns), log)


@dataclass
class _Progress:
    """Says on stderr how far it is, twenty times."""

    name: str
    total: int
    done: int = 0

    def step(self) -> None:
        self.done += 1
        if self.done * 20 // self.total > (self.done - 1) * 20 // self.total:
            print(f"{self.name}: {self.done:,} of {self.total:,} runs", file=sys.stderr, flush=True)


def _machine(options: argparse.Namespace, seconds: float) -> None:
    print(
        f"\nPython {platform.python_version()}, widedeep {version('widedeep')} (code {code()}), "
        f"tantivy {version('tantivy')}, {platform.machine()}, {os.cpu_count()} cores, "
        f"seed {options.seed}, {seconds:.0f} s"
    )


if __name__ == "__main__":
    main()
