"""Does the adaptive schedule save calls, on many questions made from two corpora?

    python bench/synth.py [--sets sample 2wikimultihopqa] [--n 1000] [--seed 1] [--limit 200]
        [--arms constant:3! adaptive] [--turns 3 6] [--out DIR] [--show]

The questions are those that `widedeep synth` makes: a quarter each of one fact, two hops,
comparisons and unanswerable ones, for which the documents that would answer are left out. Every
arm is asked every question; whole corpus, BM25, at most 5 passages a call, 60 documents a question.
Each set has a process of its own. A run that is the same for two arms, because it ended by itself
before they differ, is made once. Results are kept question by question in DIR: the same command
goes on where it was stopped, as long as the code is the same.

`recall`: share of the gold documents met. `right`: answered and the short answer is exactly a right
one, of the questions that have an answer; `wrong`: answered and it is not. `rightly`: abstained
where there is no answer. Brackets hold 95 % bootstrap intervals; the sets weigh as much.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.arms import FIXED, TURNS, Measured, circumstances, merged, planned
from bench.policy_runs import DEEPEST, PASSAGES, STORE, Change, Rationed, Searched, World
from bench.synth_table import show

from widedeep.evals.circumstances import code
from widedeep.evals.datasets import load, take
from widedeep.evals.log import open_log
from widedeep.evals.runner import Arm, Ask, run
from widedeep.evals.synth import KINDS, make, writing
from widedeep.evals.tasks import Result, Sample, Task
from widedeep.evals.without import Without
from widedeep.messages import Answer
from widedeep.retrieval import Index, open_index
from widedeep.seams import Hit, Query, Tool
from widedeep.tools.corpus import Corpus, corpus_tools

ROOT = Path(__file__).resolve().parent.parent
SETS = ("sample", "2wikimultihopqa")
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


@dataclass
class Made:
    """Questions made from one corpus, which can be asked.

    `asked`: the runs on the question at hand; those that would be the same are not made twice.
    """

    task: Task
    corpus: Searched
    met: dict[str, set[str]] = field(default_factory=dict)
    tools: dict[frozenset[str], tuple[Tool, ...]] = field(default_factory=dict)
    asked: tuple[str, list[tuple[Measured, Answer]]] = ("", [])

    def ask(self, arm: Measured) -> Ask:
        """Return what asks one question, without the documents that it removes."""

        async def ask(sample: Sample) -> Answer:
            if self.asked[0] != sample.id:
                self.asked = sample.id, []
            for other, answer in self.asked[1]:
                if arm.would_be(other, answer):
                    return answer
            tools = self.without(frozenset(sample.removed))
            world = World(self.task.name, self.task, Change(), self.corpus, tools)
            answer = await world.ask(arm.schedule, arm.turns, {})(sample)
            assert answer is not None, "nothing limits the bench as a whole"
            self.asked[1].append((arm, answer))
            self.forget(answer.run_id)
            return answer

        return ask

    def without(self, removed: frozenset[str]) -> tuple[Tool, ...]:
        """Return the tools over what is left of the corpus; only the last are remembered."""
        if removed not in self.tools:
            left = Few(Without(self.corpus, removed))
            self.tools = {removed: tuple(Rationed(tool, self.met) for tool in corpus_tools(left))}
        return self.tools[removed]

    def forget(self, run_id: str) -> None:
        self.met.pop(run_id, None)
        if len(self.corpus.known) > MOST_KNOWN:
            self.corpus.known.clear()


def main() -> None:
    options = _options()
    began = time.perf_counter()
    arms = planned(options.arms, options.turns)
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(len(options.sets), os.cpu_count() or 1), spawn) as pool:
        made = pool.map(partial(_measured, options=options), options.sets)
        for name, found in zip(options.sets, made, strict=True):
            for arm in arms:
                arm.results[name] = found[arm.name]
    arms = merged(arms)
    show(arms, every=options.show)
    print(circumstances(options.seed, time.perf_counter() - began))


def _measured(name: str, options: argparse.Namespace) -> dict[str, tuple[Result, ...]]:
    """Ask every arm the questions of one set, in a process of its own."""
    made = _made(name, options)
    folder = options.out / f"{name}-{options.n}-{options.seed}" / code()
    folder.mkdir(parents=True, exist_ok=True)
    arms = [_arm(made, arm, folder) for arm in planned(options.arms, options.turns)]
    told = _Progress(made.task.name, len(arms) * len(made.task.samples))
    return asyncio.run(run(made.task, arms, at_once=1, on=lambda *_: told.step()))


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
    parser.add_argument("--out", type=Path, default=STORE / "synth", help="where results are kept")
    parser.add_argument("--show", action="store_true", help="print the figures by kind too")
    return parser.parse_args()


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


def _arm(made: Made, arm: Measured, folder: Path) -> Arm:
    configuration = {"arm": arm.name, "task": made.task.fingerprint, "code": code()}
    file = arm.names[0].replace(":", "-").replace("!", "").replace(" ", "-")
    log = open_log(folder / f"results-{file}.jsonl", configuration)
    return Arm(arm.name, made.ask(arm), log)


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


if __name__ == "__main__":
    main()
