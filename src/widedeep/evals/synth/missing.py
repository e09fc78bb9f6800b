"""Which questions can the corpus not answer?"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from widedeep.evals.synth import nouns, single, wording
from widedeep.evals.synth.known import Known
from widedeep.evals.synth.single import Made
from widedeep.evals.synth.types import Fact, Question, Relation, Value
from widedeep.text import content_words, fold

MOST_REMOVED = 5
"""Documents that may be taken out for one question."""
_TRIES = 60
_COMMON = 0.4
"""Share of the documents with lines that must have a label before it is missed in the others."""


def unanswerable(known: Known, rng: random.Random) -> Made:
    """Return questions whose answer is taken out of the corpus, or that no document states."""
    made: Made = defaultdict(list)
    for kind, source in (("one", single.one(known, rng)), ("two", single.two(known, rng))):
        for shape, questions in source.items():
            name = f"removed, {kind}: {shape}"
            made[name] = [_removable(question, name) for question in questions[:_TRIES]]
    for name, relation in sorted(known.relations().items()):
        shape = f"not stated: {relation.noun}"
        questions = list(_unstated(known, name, relation, shape, rng))
        if questions:
            made[shape].extend(questions)
    return made


def without(known: Known, question: Question) -> Question | None:
    """Return a question with the documents to remove, None when too many hold its answer."""
    fact = question.facts[-1]
    subject = known.source.entries[fact.entry].name
    marks = _marks(fact.value)
    holders = [fact.entry]
    near = (*known.source.holding(subject, 60), *known.source.holding(fact.value.text))
    for id in dict.fromkeys(near):
        entry = known.source.entries.get(id)
        text = fold(entry.text) if entry and id not in holders else ""
        if fold(subject) in text and any(mark in text for mark in marks):
            holders.append(id)
    if len(holders) > MOST_REMOVED:
        return None
    return replace(question, removed=tuple(holders))


def _marks(value: Value) -> set[str]:
    """Return what a text that gives a value holds: the value, a year, a surname, a town."""
    marks = {value.text, *value.aliases[:1], value.text.split(",")[0]}
    if value.kind == "date":
        marks.add(value.text.split()[-1])
    if value.kind == "name" and len(last := value.text.split()[-1]) > 4:
        marks.add(last)
    return {fold(mark) for mark in marks if len(mark) > 1}


def stated_somewhere(known: Known, question: Question) -> bool:
    """Tell whether some text that names the subject may state what is asked, in any words."""
    fact = question.facts[0]
    relation, entry = fact.relation, known.source.entries[fact.entry]
    if relation.cue is None:
        wanted = set(content_words(relation.noun))
        return (wanted - nouns.GENERAL or wanted) <= known.vocabulary(fact.entry)
    others = (known.source.entries.get(id) for id in known.source.holding(entry.name, 50))
    texts = [entry.text, *(each.text for each in others if each and each.id != entry.id)]
    return any(relation.cue.search(text) for text in texts)


def _removable(question: Question, shape: str) -> Question:
    return replace(question, kind="unanswerable", answers=(), form="none", shape=shape)


def _unstated(
    known: Known, name: str, relation: Relation, shape: str, rng: random.Random
) -> Iterator[Question]:
    if not relation.asks:
        return
    if relation.cue is not None:
        ids = [id for id, type in known.types.items() if type in relation.of]
    elif name in known.by_relation and not relation.of:
        having = [id for id, labels in known.labels.items() if name in labels]
        if len(having) < _COMMON * len(known.labels):
            return
        ids = [id for id, labels in known.labels.items() if name not in labels]
    else:
        return
    lacking = [id for id in ids if id in known.by_entry and not _has(known, id, relation)]
    for id in rng.sample(lacking, min(_TRIES, len(lacking))):
        subject = known.subject(id)
        fact = Fact(id, 0, subject, relation, Value("", "text"), "")
        text = wording.ask(rng.choice(relation.asks), subject)
        yield Question("unanswerable", text, (), "none", 1, (fact,), shape)


def _has(known: Known, id: str, relation: Relation) -> bool:
    return any(fact.relation.noun == relation.noun for fact in known.by_entry[id])
