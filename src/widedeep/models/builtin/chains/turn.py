"""Which queries does a question in prose lead to now, and is it settled?"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from widedeep.messages import Message, Results
from widedeep.models.builtin.chains.asked import asked
from widedeep.models.builtin.chains.follow import Step, chosen, first, next_steps
from widedeep.models.builtin.chains.graph import Graph
from widedeep.models.builtin.chains.page import Page, page
from widedeep.models.builtin.chains.settle import LENIENT, is_settled
from widedeep.models.builtin.chains.walk import Walked, walk
from widedeep.models.builtin.read import NOT_RUN
from widedeep.models.builtin.splitting import opens

Text = tuple[int, str, str]
"""The number, title and text of a source."""

PATIENCE = 3
"""Turns after which what is left of a question may be said in other words."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a question has come to: its chains, and the queries that may follow, best first.

    `is_settled`: the chains covered the question a turn ago, and still do. `is_followed`: they
    covered most of it; enough to answer when there is no width to look further with.
    """

    graph: Graph
    walked: Walked
    steps: tuple[Step, ...]
    is_settled: bool = False
    is_followed: bool = False
    turns: int = 0

    def queries(self, most: int) -> list[str]:
        """Return the queries to make now."""
        return [step.query for step in chosen(self.graph.asked, self.steps, most)]


def outlook(question: str, history: Sequence[Message]) -> Outlook:
    """Look at everything a run has met, as its question sees it."""
    graph, walked = _look(question, history)
    made = _queries(history)
    if not made:
        return Outlook(graph, walked, tuple(first(graph.asked)))
    steps = tuple(next_steps(graph, walked, made))
    turns = sum(isinstance(message, Results) for message in history)
    if not is_settled(graph, walked, LENIENT):
        return Outlook(graph, walked, steps, turns=turns)
    before = _look(question, _before(history))
    settled = is_settled(graph, walked) and is_settled(*before)
    followed = turns >= PATIENCE and is_settled(*before, LENIENT)
    return Outlook(graph, walked, steps, settled, settled or followed, turns)


def pages(history: Sequence[Message], numbers: Container[int]) -> list[Page]:
    """Return those of the sources met that have these numbers, as pages of prose."""
    return [page(title, text) for n, title, text in _texts(history) if n in numbers]


def _look(question: str, history: Sequence[Message]) -> tuple[Graph, Walked]:
    return _looked(question, tuple(_texts(history)))


@lru_cache(maxsize=128)
def _looked(question: str, texts: tuple[Text, ...]) -> tuple[Graph, Walked]:
    """Look at texts; those of the turn before were looked at then."""
    known = {n: page(title, text) for n, title, text in texts}
    graph = Graph(asked(question, known.values()), known)
    return graph, walk(graph)


def _before(history: Sequence[Message]) -> Sequence[Message]:
    """Return the history without its last batch."""
    last = max((at for at, each in enumerate(history) if isinstance(each, Results)), default=0)
    return history[:last]


def _texts(history: Sequence[Message]) -> Iterator[Text]:
    """Yield what was read of each source: its number, title and text."""
    texts: dict[int, tuple[str, dict[str, None]]] = {}
    for message in history:
        for result in message.results if isinstance(message, Results) else ():
            for source in result.sources:
                title = source.title or ""
                known = texts.setdefault(source.n, (title, {}))[1]
                if known and opens(title, source.text) and not opens(title, next(iter(known))):
                    texts[source.n] = (title, {source.text: None} | known)
                known.setdefault(source.text)
    yield from ((n, title, "\n".join(known)) for n, (title, known) in texts.items())


def _queries(history: Sequence[Message]) -> list[str]:
    found = (
        (result.call.arguments or {}).get("query")
        for message in history
        if isinstance(message, Results)
        for result in message.results
        if result.outcome not in NOT_RUN
    )
    return [query for query in found if isinstance(query, str)]
