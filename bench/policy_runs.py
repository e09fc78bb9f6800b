"""How is one question asked in bench/policy.py: which corpus, which rules, what is counted?

The rules: at most 5 passages a call; 60 documents a question, then the run must answer.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from widedeep.agent import Agent
from widedeep.costs import Budget, Cost
from widedeep.evals.datasets import load, take
from widedeep.evals.runner import Ask
from widedeep.evals.tasks import Sample, Task
from widedeep.messages import Answer, Json, Message, Reply, Results, ToolOutput
from widedeep.models.builtin import Builtin
from widedeep.retrieval import documents, folder, open_index
from widedeep.retrieval.types import Document
from widedeep.seams import (
    Context,
    Delta,
    Hit,
    Model,
    ModelInfo,
    Query,
    Request,
    Schedule,
    Tool,
    ToolSpec,
)
from widedeep.tools.corpus import corpus_tools

PASSAGES = 5
DOCUMENTS = 60
DEEPEST = 300
STORE = Path(tempfile.gettempdir()) / f"widedeep-bench-{os.getuid()}"


@dataclass(frozen=True)
class Change:
    """What is done to the questions and the corpus before anything is asked."""

    gold_out: bool = False
    blank_titles: bool = False
    lower: bool = False
    prefix: str = ""
    suffix: str = ""

    def asked(self, question: str) -> str:
        return f"{self.prefix}{question.lower() if self.lower else question}{self.suffix}"

    def kept(self, document: Document, gold: frozenset[str]) -> Document | None:
        if self.gold_out and document.id in gold:
            return None
        return replace(document, title=None) if self.blank_titles else document

    @property
    def corpus(self) -> bool:
        return self.gold_out or self.blank_titles


@dataclass
class Searched:
    """A corpus: few passages a call, in the loop's own thread, each query searched for once."""

    search_now: Callable[[str, int], list[Hit]]
    document: Callable[[str], list[Hit]]
    most: int = PASSAGES
    known: dict[tuple[str, int], list[Hit]] = field(default_factory=dict)

    async def search(self, query: Query, k: int) -> list[Hit]:
        return self.found(query.text, min(k, self.most))

    async def passages(self, id: str) -> list[Hit]:
        return self.document(id)

    def found(self, text: str, k: int) -> list[Hit]:
        if (text, k) not in self.known:
            self.known[text, k] = self.search_now(text, k)
        return self.known[text, k]

    def ranked(self, text: str) -> list[str]:
        """Return the documents that one search finds, best first."""
        return list(dict.fromkeys(hit.id for hit in self.found(text, DEEPEST)))


@dataclass(frozen=True)
class Rationed:
    """A tool that gives a run no more documents than are allowed; the rest is left out."""

    tool: Tool
    met: dict[str, set[str]]

    @property
    def spec(self) -> ToolSpec:
        return self.tool.spec

    @property
    def effects(self) -> Literal["read", "write"]:
        return self.tool.effects

    @property
    def order(self) -> Literal["any", "serial"]:
        return self.tool.order

    @property
    def deadline(self) -> float:
        return self.tool.deadline

    @property
    def limit(self) -> int | None:
        return self.tool.limit

    @property
    def endable(self) -> bool:
        return self.tool.endable

    @property
    def bound(self) -> Cost:
        return self.tool.bound

    def validate(self, arguments: Json) -> Mapping[str, Any]:
        return self.tool.validate(arguments)

    def key(self, arguments: Json) -> str | None:
        return self.tool.key(arguments)

    async def call(self, arguments: Mapping[str, Any], context: Context) -> ToolOutput:
        output = await self.tool.call(arguments, context)
        met = self.met.setdefault(context.run_id, set())
        given = []
        for found in output.sources or ():
            if found.id in met or len(met) < DOCUMENTS:
                met.add(found.id)
                given.append(found)
        return replace(output, sources=tuple(given))


@dataclass
class Metered:
    """The built-in policy: its CPU time counted, and made to answer when it has read enough."""

    policy: Model = field(default_factory=Builtin)
    seconds: float = 0.0
    full: bool = False

    @property
    def info(self) -> ModelInfo:
        return self.policy.info

    async def reply(self, request: Request, on: Callable[[Delta], None]) -> Reply:
        if request.choice == "auto" and _documents(request.history) >= DOCUMENTS:
            self.full = True
            request = replace(request, choice="none")
        began = time.thread_time()
        try:
            return await self.policy.reply(request, on)
        finally:
            self.seconds += time.thread_time() - began


@dataclass(frozen=True)
class World:
    """One data set, ready to be asked about."""

    name: str
    task: Task
    change: Change
    corpus: Searched
    tools: tuple[Tool, ...]

    def ask(self, schedule: Schedule, turns: int, cpu: dict[str, float]) -> Ask:
        """Return what asks one question; `cpu` gets the policy's seconds by sample."""

        async def ask(sample: Sample) -> Answer:
            model = Metered()
            agent = Agent(model, self.tools, schedule=schedule, budget=Budget(turns=turns))
            answer = await agent.run(self.change.asked(sample.question))
            cpu[sample.id] = model.seconds
            cut = model.full and answer.status == "answered"
            return replace(answer, status="partial") if cut else answer

        return ask

    def base(self, sample: Sample, documents: int) -> float:
        """Return 1 when one search with the question finds all gold in as many documents."""
        ranked = self.corpus.ranked(self.change.asked(sample.question))
        return float(set(sample.gold) <= set(ranked[:documents]))


def worlds(
    data: Path, names: Sequence[str], change: Change, limit: int | None, seed: int
) -> list[World]:
    """Return the data sets, each with an index of its whole corpus."""
    tasks = [load(own if (own := Path(name)).is_dir() else data / name) for name in names]
    gold = frozenset(id for task in tasks for sample in task.samples for id in sample.gold)
    return [_world(take(task, limit, seed), change, gold) for task in tasks]


def _world(task: Task, change: Change, gold: frozenset[str]) -> World:
    assert task.corpus is not None, f"{task.name} has no corpus.jsonl"
    path = _changed(task, change, gold) if change.corpus else task.corpus
    STORE.mkdir(parents=True, exist_ok=True)
    lexical = open_index([path], STORE).parts[0].lexical
    corpus = Searched(lexical.search, lexical.document)
    met: dict[str, set[str]] = {}
    tools = tuple(Rationed(tool, met) for tool in corpus_tools(corpus))
    return World(task.name, task, change, corpus, tools)


def _changed(task: Task, change: Change, gold: frozenset[str]) -> Path:
    """Write the corpus as it is to be, unless it is there already."""
    assert task.corpus is not None
    files, _ = folder.files(task.corpus)
    read = [one for file in files for one in documents.read(file) if isinstance(one, Document)]
    rows = [kept for one in read if (kept := change.kept(one, gold))]
    lines = [json.dumps({"_id": r.id, "title": r.title or "", "text": r.text}) for r in rows]
    text = "\n".join(lines) + "\n"
    marks = ("-gold-out" * change.gold_out) + ("-blank-titles" * change.blank_titles)
    path = STORE / "corpora" / f"{task.name}{marks}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
    return path


def _documents(history: Sequence[Message]) -> int:
    results = [
        one for message in history if isinstance(message, Results) for one in message.results
    ]
    return len({source.id for one in results for source in one.sources})
