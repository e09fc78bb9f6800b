"""How are candidates chosen, balanced over kinds, relations and documents?"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from widedeep.evals.synth import comparing, missing, single
from widedeep.evals.synth.filters import CAPPED, Kept, Trial, dropped_by
from widedeep.evals.synth.known import Known, known
from widedeep.evals.synth.single import Made
from widedeep.evals.synth.source import read
from widedeep.evals.synth.types import KINDS, Kind, Question
from widedeep.retrieval import Index

_MAKERS: dict[Kind, Callable[[Known, random.Random], Made]] = {
    "one": single.one,
    "two": single.two,
    "comparison": comparing.comparisons,
    "unanswerable": missing.unanswerable,
}
_FAMILY = re.compile(r": | > ")
_TOO_MANY = "too many documents hold the answer"


@dataclass(slots=True)
class Tally:
    """What became of the candidates of one kind."""

    candidates: int = 0
    tried: int = 0
    kept: int = 0
    dropped: Counter[str] = field(default_factory=Counter[str])


@dataclass(frozen=True, slots=True)
class Set:
    """Questions made from a corpus, and what there is to say about how.

    `facts` counts what was extracted, by relation.
    """

    questions: tuple[Question, ...]
    tallies: Mapping[str, Tally]
    facts: Counter[str]
    documents: int
    left_out: int
    odd_labels: int


def make(index: Index, n: int, kinds: Sequence[Kind] = KINDS, seed: int = 0) -> Set:
    """Make questions with gold answers from the documents of an index.

    Args:
        index: the corpus.
        n: how many are wanted in all, shared equally by the kinds; where one kind has too few
            the others make up for it.
        kinds: which are wanted.
        seed: decides which ones are made, and in which words.

    Returns:
        At most `n` questions, in an order that `seed` decides.
    """
    facts = known(read(index))
    kept = Kept(per_document=_per_document(n, len(kinds), len(facts.by_entry)))
    draws = {kind: _Draw(facts, kept, kind, seed) for kind in kinds}
    questions: list[Question] = []
    for number, draw in enumerate(draws.values()):
        questions += draw.take((n - len(questions)) // (len(kinds) - number))
    for draw in draws.values():
        questions += draw.take(n - len(questions))
    kept.per_document = n  # better some documents more often than too few questions
    for draw in draws.values():
        questions += draw.take(n - len(questions), again=True)
    random.Random(f"{seed} order").shuffle(questions)
    return Set(
        questions=tuple(questions),
        tallies={kind: draw.tally for kind, draw in draws.items()},
        facts=Counter(fact.relation.noun for fact in facts.facts),
        documents=len(facts.source.entries),
        left_out=facts.source.left_out,
        odd_labels=facts.odd_labels,
    )


def _per_document(n: int, kinds: int, documents: int) -> int:
    """Return how many questions of a kind a document may have: some more than its share."""
    return max(2, -(-4 * n // max(1, kinds * documents)))


class _Draw:
    """Candidates of one kind, taken in turn from each family of shapes, and in it from each shape.

    A family is what the shape begins with: `table`, or the relation of the first hop.
    """

    def __init__(self, known: Known, kept: Kept, kind: Kind, seed: int) -> None:
        self._known = known
        self._kept = kept
        self._made = _MAKERS[kind](known, random.Random(f"{seed} {kind}"))
        self.tally = Tally(candidates=sum(map(len, self._made.values())))
        self._capped: list[Question] = []
        self._order = sorted(self._made)
        random.Random(f"{seed} {kind} shapes").shuffle(self._order)
        self._families = self._grouped()

    def take(self, wanted: int, *, again: bool = False) -> list[Question]:
        """Return up to `wanted` questions that pass every filter.

        Args:
            wanted: how many at most.
            again: also try those whose documents had enough questions before.
        """
        taken: list[Question] = []
        if again and wanted > 0:
            self._reopen()
        while len(taken) < wanted and self._families:
            shapes = self._families[0]
            self._families.rotate(-1)
            if question := self._from(shapes):
                taken.append(question)
            else:
                self._families.remove(shapes)
        return taken

    def _grouped(self) -> deque[deque[str]]:
        families: dict[str, deque[str]] = defaultdict(deque)
        for shape in self._order:
            families[_FAMILY.split(shape, maxsplit=1)[0]].append(shape)
        return deque(families.values())

    def _reopen(self) -> None:
        self.tally.tried -= self.tally.dropped.pop(CAPPED, 0)
        for question in self._capped:
            self._made[question.shape].append(question)
        self._capped = []
        self._families = self._grouped()

    def _from(self, shapes: deque[str]) -> Question | None:
        """Return the next good question of a family; a shape without one leaves it."""
        while shapes:
            shape = shapes.popleft()
            if question := self._next(self._made[shape]):
                shapes.append(shape)
                return question
        return None

    def _next(self, candidates: list[Question]) -> Question | None:
        while candidates:
            self.tally.tried += 1
            question = candidates.pop()
            reason = dropped_by(Trial(question, self._known, self._kept))
            if reason is None and question.shape.startswith("removed"):
                complete = missing.without(self._known, question)
                question, reason = (complete, None) if complete else (question, _TOO_MANY)
            if reason is None:
                self._kept.add(question)
                self.tally.kept += 1
                return question
            self.tally.dropped[reason] += 1
            if reason == CAPPED:
                self._capped.append(question)
        return None
