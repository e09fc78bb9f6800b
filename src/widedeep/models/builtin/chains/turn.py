"""Which queries does a question in prose lead to now, and is it settled?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from widedeep.messages import Message, Results
from widedeep.models.builtin.chains.asked import asked
from widedeep.models.builtin.chains.follow import Step, chosen, first, next_steps
from widedeep.models.builtin.chains.graph import Graph
from widedeep.models.builtin.chains.page import Page, page
from widedeep.models.builtin.chains.settle import is_settled
from widedeep.models.builtin.chains.walk import Walked, walk
from widedeep.models.builtin.read import NOT_RUN

CLOSE = 0.6
"""Steps whose score is so close to the best one's are as promising."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a question has come to: its chains, and the queries that may follow, best first.

    `is_settled`: the chains covered the question a turn ago, and still do.
    """

    graph: Graph
    walked: Walked
    steps: tuple[Step, ...]
    is_settled: bool = False

    def queries(self, most: int) -> list[str]:
        """Return the queries to make now."""
        return [step.query for step in chosen(self.graph.asked, self.steps, most)]

    def promising(self, most: int) -> list[Step]:
        """Return the steps that are about as promising as the best one."""
        if self.is_settled or not self.steps:
            return []
        steps = chosen(self.graph.asked, self.steps, most)
        return [step for step in steps if step.score >= steps[0].score - CLOSE]


def outlook(question: str, history: Sequence[Message]) -> Outlook:
    """Look at everything a run has met, as its question sees it."""
    graph, walked = _look(question, history)
    made = _queries(history)
    if not made:
        return Outlook(graph, walked, tuple(first(graph.asked)))
    settled = is_settled(graph, walked) and is_settled(*_look(question, _before(history)))
    return Outlook(graph, walked, tuple(next_steps(graph, walked, made)), settled)


def _look(question: str, history: Sequence[Message]) -> tuple[Graph, Walked]:
    pages = _pages(history)
    graph = Graph(asked(question, pages.values()), pages)
    return graph, walk(graph)


def _before(history: Sequence[Message]) -> Sequence[Message]:
    """Return the history without its last batch."""
    last = max((at for at, each in enumerate(history) if isinstance(each, Results)), default=0)
    return history[:last]


def _pages(history: Sequence[Message]) -> dict[int, Page]:
    texts: dict[int, tuple[str, dict[str, None]]] = {}
    for message in history:
        for result in message.results if isinstance(message, Results) else ():
            for source in result.sources:
                _, known = texts.setdefault(source.n, (source.title or "", {}))
                known.setdefault(source.text)
    return {n: page(title, "\n".join(known)) for n, (title, known) in texts.items()}


def _queries(history: Sequence[Message]) -> list[str]:
    found = (
        (result.call.arguments or {}).get("query")
        for message in history
        if isinstance(message, Results)
        for result in message.results
        if result.outcome not in NOT_RUN
    )
    return [query for query in found if isinstance(query, str)]
