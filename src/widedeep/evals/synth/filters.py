"""Why is a candidate not good enough to be kept?"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from widedeep.evals.synth import missing
from widedeep.evals.synth.known import Known
from widedeep.evals.synth.types import Fact, Question
from widedeep.text import fold, words

FOUND = 5
"""Passages that one search returns: a question of two hops whose answer is among them is none."""
_LETTERS = (15, 260)
_WORDS = 40
_ODD = re.compile(r"[<>{}\[\]|\\/^~=_@#*]|&\w+;|\bn/?a\b|\bnote\b|\.\.|\s\s|\( | \)", re.IGNORECASE)
_BALANCED = (("(", ")"), ('"', '"'))
_LONGEST_ANSWER = 90
CAPPED = "document used often enough"


@dataclass(slots=True)
class Kept:
    """What has been kept so far: no text twice, no facts twice, no document too often."""

    per_document: int
    texts: set[str] = field(default_factory=set[str])
    grounds: set[tuple[str, ...]] = field(default_factory=set[tuple[str, ...]])
    uses: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])

    def add(self, question: Question) -> None:
        """Count a question as kept."""
        self.texts.add(fold(question.text))
        self.grounds.add(grounds(question))
        for id in _documents(question):
            self.uses[question.kind, id] = self.uses.get((question.kind, id), 0) + 1

    def full(self, question: Question) -> bool:
        """Tell whether a document of the question has enough questions of its kind."""
        uses = (self.uses.get((question.kind, id), 0) for id in _documents(question))
        return any(count >= self.per_document for count in uses)


@dataclass(frozen=True, slots=True)
class Trial:
    """A candidate before its judges: the corpus and what has been kept."""

    question: Question
    known: Known
    kept: Kept


Filter = Callable[[Trial], bool]
"""True = the question is dropped."""


def dropped_by(trial: Trial) -> str | None:
    """Return the name of the first filter that a question does not pass, None when it is good."""
    for name, bad in FILTERS.items():
        if bad(trial):
            return name
    return None


def grounds(question: Question) -> tuple[str, ...]:
    """Return what a question asks, whatever its words are."""
    each = sorted(f"{fact.entry}\t{fact.relation.noun}" for fact in question.facts)
    form = "which" if question.form == "choice" else question.form
    return (question.kind, form if question.kind == "comparison" else "", *each)


def _documents(question: Question) -> set[str]:
    return {fact.entry for fact in question.facts}


def _is_duplicate(trial: Trial) -> bool:
    kept, question = trial.kept, trial.question
    return fold(question.text) in kept.texts or grounds(question) in kept.grounds


def _is_capped(trial: Trial) -> bool:
    return trial.kept.full(trial.question)


def _is_odd(trial: Trial) -> bool:
    """Find label junk, remnants of markup, texts too short or too long, brackets left open."""
    text = trial.question.text
    short, long = _LETTERS
    uneven = any(
        text.count(a) != text.count(b) if a != b else text.count(a) % 2 for a, b in _BALANCED
    )
    fits = short <= len(text) <= long and len(text.split()) <= _WORDS
    return not fits or uneven or bool(_ODD.search(text))


def _has_odd_answer(trial: Trial) -> bool:
    question = trial.question
    if question.kind == "unanswerable" or question.form == "table":
        return any(not value.strip() for _, value in question.cells)
    answer = question.answers[0].strip() if question.answers else ""
    return not answer or len(answer) > _LONGEST_ANSWER or bool(re.search(r"[<>{}|]", answer))


def _says_its_answer(trial: Trial) -> bool:
    """Find a question in which its own answer, or the first part of it, can be read."""
    if trial.question.kind == "comparison" or not trial.question.facts[-1].quote:
        return False
    value = trial.question.facts[-1].value
    asked = f" {_plain(trial.question.text)} "
    for answer in (value.text, value.text.split(",")[0], *value.aliases):
        if (said := _plain(answer)) and f" {said} " in asked:
            return True
    return False


def _plain(text: str) -> str:
    return " ".join(words(text))


def _hops(question: Question) -> tuple[Fact, Fact] | None:
    """Return the facts of a question of two hops in a row, None when it is another one."""
    if question.hops != 2 or len(question.facts) != 2:
        return None
    return question.facts[0], question.facts[1]


def _is_ambiguous(trial: Trial) -> bool:
    """Find a subject whose name is the title of two documents."""
    source = trial.known.source
    return any(
        source.named.get(fold(source.entries[fact.entry].name)) != fact.entry
        for fact in trial.question.facts
    )


def _describes_several(trial: Trial) -> bool:
    """Find a description that fits more than one document."""
    hops = _hops(trial.question)
    if hops is None or hops[0].entry != hops[1].entry:
        return False
    return trial.known.described(hops[0]) != {hops[0].entry}


def _goes_in_a_circle(trial: Trial) -> bool:
    """Find a second hop that leads back to where the first one began."""
    hops = _hops(trial.question)
    if hops is None or hops[0].entry == hops[1].entry:
        return False
    first, second = hops
    return second.target == first.entry or fold(second.value.text) == fold(first.value.text)


def _is_found_at_once(trial: Trial) -> bool:
    """Find a question of two hops whose answer one search of the corpus shows."""
    hops = _hops(trial.question)
    if hops is None:
        return False
    first, second = hops
    if (first.entry, first.passage) == (second.entry, second.passage):
        return True
    shown = trial.known.source.found(trial.question.text, FOUND)
    return (second.entry, second.passage) in shown


def _is_stated_somewhere(trial: Trial) -> bool:
    """Find an attribute that the corpus may state after all."""
    if trial.question.kind != "unanswerable" or trial.question.facts[0].quote:
        return False
    return missing.stated_somewhere(trial.known, trial.question)


FILTERS: dict[str, Filter] = {
    "duplicate": _is_duplicate,
    CAPPED: _is_capped,
    "odd question": _is_odd,
    "odd answer": _has_odd_answer,
    "answer in the question": _says_its_answer,
    "ambiguous title": _is_ambiguous,
    "description fits several": _describes_several,
    "leads back": _goes_in_a_circle,
    "found by one search": _is_found_at_once,
    "stated somewhere": _is_stated_somewhere,
}
"""Every filter by its name in the report, the cheap ones first."""
