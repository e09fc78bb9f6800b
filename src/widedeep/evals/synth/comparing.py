"""Which questions compare several subjects: larger, earlier, the same, or one by one?"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from widedeep.evals.synth import wording
from widedeep.evals.synth.known import Known
from widedeep.evals.synth.single import Made
from widedeep.evals.synth.types import Fact, Question
from widedeep.text import fold

_TRIES = 120
"""Pairs of one relation that are tried in each form."""
_VARIETY = 0.7
"""Different values to a fact above which it is idle to ask whether two are the same."""
_APART = 0.05
"""Share by which two numbers must differ, so that rounding does not decide."""


def comparisons(known: Known, rng: random.Random) -> Made:
    """Return comparisons of two or three subjects by one relation."""
    made: Made = defaultdict(list)
    for facts in known.by_relation.values():
        if len(facts) > 2:
            for question in _of_relation(facts, rng):
                made[question.shape].append(question)
    for question in _of_described(known, rng):
        made[question.shape].append(question)
    return made


def _of_relation(facts: Sequence[Fact], rng: random.Random) -> Iterator[Question]:
    relation = facts[0].relation
    for _ in range(_TRIES):
        one, other = rng.sample(facts, 2)
        names = (one.subject, other.subject)
        if (relation.more or relation.less) and _apart(one, other):
            yield _which((one, other), names, ((one,), (other,)), rng)
    if relation.same:
        yield from _same(facts, rng)
    if relation.each:
        for _ in range(_TRIES // 4):
            drawn = rng.sample(facts, 3)
            if len({fold(fact.value.text) for fact in drawn}) > 1:
                yield _table(drawn)


def _which(
    facts: tuple[Fact, Fact],
    names: tuple[str, str],
    grounds: tuple[tuple[Fact, ...], tuple[Fact, ...]],
    rng: random.Random,
) -> Question:
    """Return which of two is larger, smaller, earlier or later.

    Args:
        facts: the two amounts.
        names: the subjects, as the question names them.
        grounds: the facts that lead to each amount.
        rng: chooses the template.
    """
    relation = facts[0].relation
    larger = bool(relation.more) and (not relation.less or rng.random() < 0.5)
    template = rng.choice(relation.more if larger else relation.less)
    amounts = [fact.value.amount or 0.0 for fact in facts]
    won = amounts.index(max(amounts) if larger else min(amounts))
    direct = len(grounds[0]) == 1
    value = grounds[won][0].value
    answers = _names(names[won]) if direct else (value.text, *value.aliases)
    shape = f"{'which' if direct else 'which of described'}: {relation.noun}"
    all_facts = (*grounds[0], *grounds[1])
    text = wording.pair(template, *names)
    return Question("comparison", text, answers, "choice", len(grounds[0]), all_facts, shape)


def _names(subject: str) -> tuple[str, ...]:
    """Return a subject's name with and without what stands before it: "the film"."""
    bare = subject
    for before in ("the film ", "the song ", "the album ", "the novel ", "the book ", "the play "):
        bare = bare.removeprefix(before)
    if bare == subject:
        bare = subject.removeprefix("the ")
    return tuple(dict.fromkeys((bare, subject)))


def _apart(one: Fact, other: Fact) -> bool:
    a, b = one.value.amount, other.value.amount
    if a is None or b is None or one.value.unit != other.value.unit:
        return False
    if one.value.kind == "number":
        return abs(a - b) > _APART * max(abs(a), abs(b))
    return a != b


def _same(facts: Sequence[Fact], rng: random.Random) -> Iterator[Question]:
    """Yield yes or no questions, as many of each; none where no two values agree."""
    by_value: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        by_value[fold(fact.value.text)].append(fact)
    shared = [group for group in by_value.values() if len(group) > 1]
    if not shared or not 2 <= len(by_value) <= _VARIETY * len(facts):
        return
    weights = [len(group) for group in shared]
    for _ in range(_TRIES // 4):
        [group] = rng.choices(shared, weights)
        one, other = rng.sample(group, 2)
        if _alike(one, other):
            yield _yes_no([one, other], "yes", rng)
        one, other = rng.sample(facts, 2)
        if _alike(one, other) and _differ(one, other):
            yield _yes_no([one, other], "no", rng)


def _alike(one: Fact, other: Fact) -> bool:
    """Tell whether two subjects are named as things of one sort: both "the film"."""
    sorts = [f.subject.removesuffix(_names(f.subject)[0]) for f in (one, other)]
    return (
        not any(sort.startswith("the ") and len(sort) > 4 for sort in sorts) or len(set(sorts)) == 1
    )


def _differ(one: Fact, other: Fact) -> bool:
    """Tell whether two values are different things and not two names of one."""
    names = [{fold(text) for text in (f.value.text, *f.value.aliases)} for f in (one, other)]
    overlap = any(a in b or b in a for a in names[0] for b in names[1])
    return not overlap


def _yes_no(facts: Sequence[Fact], answer: str, rng: random.Random) -> Question:
    one, other = facts
    relation = one.relation
    text = wording.pair(rng.choice(relation.same), one.subject, other.subject)
    shape = f"same: {relation.noun}"
    return Question("comparison", text, (answer,), "yes_no", 1, (one, other), shape)


def _table(facts: Sequence[Fact]) -> Question:
    relation = facts[0].relation
    cells = tuple((_names(fact.subject)[0], fact.value.text) for fact in facts)
    of_one_type = "these films" in (relation.each or "")
    subjects = [_names(fact.subject)[0] if of_one_type else fact.subject for fact in facts]
    text = wording.several(relation.each or "", subjects)
    answer = "; ".join(f"{subject}: {value}" for subject, value in cells)
    plain = ", ".join(value for _, value in cells)
    question = Question("comparison", text, (answer, plain), "table", 1, tuple(facts), "")
    return replace(question, shape=f"table: {relation.noun}", cells=cells)


def _of_described(known: Known, rng: random.Random) -> Iterator[Question]:
    """Yield comparisons of two described subjects: the directors of two films."""
    roads: dict[tuple[str, str], list[tuple[Fact, Fact]]] = defaultdict(list)
    for first in known.facts:
        if not (first.target and first.relation.bridge):
            continue
        for second in known.by_entry.get(first.target, ()):
            if second.relation.more or second.relation.less:
                roads[first.relation.name, second.relation.name].append((first, second))
    for pairs in roads.values():
        if len(pairs) < 2:
            continue
        for _ in range(_TRIES // 4):
            one, other = rng.sample(pairs, 2)
            if one[0].target != other[0].target and _apart(one[1], other[1]):
                names = (wording.bridge(one[0]), wording.bridge(other[0]))
                yield _which((one[1], other[1]), names, (one, other), rng)
