"""What is a question with a known answer, and what is kept of a run on it?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from widedeep.messages import WidthUsed


@dataclass(frozen=True, slots=True)
class Sample:
    """One question of a task.

    `answers`: any of them is right; empty = none is known. `gold`: ids of the documents that hold
    the evidence. `answerable` False = the right thing is to abstain. `removed`: ids of documents
    that must not be found for this question.
    """

    id: str
    question: str
    answers: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()
    kind: str | None = None
    answerable: bool = True
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """Questions that belong together; `corpus` is their own, None = they have none.

    `fingerprint` is a hash of all samples, so that other questions are never taken for these.
    """

    name: str
    samples: tuple[Sample, ...]
    corpus: Path | None
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Scores:
    """What the graders say of one answer, 0 to 1; None = does not apply to the question.

    Args:
        exact: exact match of the short answer.
        f1: token F1 of the short answer.
        recall: share of the gold documents among the sources met.
        all_found: all of them were met.
        ev3: a right answer stands in the best 3 quoted sentences.
        ev10: likewise in the best 10.
        abstained: the run says that there is no evidence.
        open: the answer is neither yes or no nor written in the question.
    """

    exact: float | None
    f1: float | None
    recall: float | None
    all_found: float | None
    ev3: float | None
    ev10: float | None
    abstained: bool
    open: bool


@dataclass(frozen=True, slots=True)
class Result:
    """What is kept of a run on a sample; `documents` = different sources met, `seconds` wall."""

    id: str
    kind: str | None
    answerable: bool
    status: str
    stopped_by: str
    short_answer: str | None
    scores: Scores
    turns: int
    calls: int
    documents: int
    width: tuple[WidthUsed, ...]
    seconds: float
    cost_usd: float | None
    run_id: str
    notes: tuple[str, ...] = ()
