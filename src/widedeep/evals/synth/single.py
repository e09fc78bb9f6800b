"""Which questions ask for one fact, or for a fact of something that another fact describes?"""

from __future__ import annotations

import random
from collections import defaultdict

from widedeep.evals.synth import wording
from widedeep.evals.synth.known import Known
from widedeep.evals.synth.types import Fact, Kind, Question

Made = dict[str, list[Question]]
"""Candidates by shape, each list in the order in which they are to be tried."""

_PAIRS = 40
"""Pairs of a describing and an asked fact that are tried of a document."""
_TRIES = 400
"""Candidates of one shape that are kept."""


def one(known: Known, rng: random.Random) -> Made:
    """Return questions for a fact of a named subject."""
    made: Made = defaultdict(list)
    for fact in known.facts:
        if fact.relation.asks:
            text = wording.ask(rng.choice(fact.relation.asks), fact.subject)
            made[fact.relation.noun].append(_question("one", text, (fact,), fact.relation.noun))
    return _shuffled(made, rng)


def two(known: Known, rng: random.Random) -> Made:
    """Return questions for a fact of a subject that is described by another fact."""
    made: Made = defaultdict(list)
    for first in known.facts:
        if first.target and first.relation.bridge:
            for second in known.by_entry.get(first.target, ()):
                _add(made, first, second, wording.bridge(first), rng)
    for facts in known.by_entry.values():
        describing = [fact for fact in facts if fact.relation.inverse]
        if describing:
            for _ in range(min(_PAIRS, len(facts))):
                first, second = rng.choice(describing), rng.choice(facts)
                if first.relation.name != second.relation.name:
                    _add(made, first, second, wording.inverse(first, known.noun), rng)
    return _shuffled(made, rng)


def _add(made: Made, first: Fact, second: Fact, subject: str, rng: random.Random) -> None:
    templates = wording.described(second.relation.asks)
    shape = f"{first.relation.noun} > {second.relation.noun}"
    if templates and len(made[shape]) < _TRIES:
        text = wording.ask(rng.choice(templates), subject)
        made[shape].append(_question("two", text, (first, second), shape))


def _question(kind: Kind, text: str, facts: tuple[Fact, ...], shape: str) -> Question:
    value = facts[-1].value
    answers = tuple(dict.fromkeys((value.text, *value.aliases)))
    return Question(kind, text, answers, value.kind, len(facts), facts, shape)


def _shuffled(made: Made, rng: random.Random) -> Made:
    for each in made.values():
        rng.shuffle(each)
    return made
