"""What is known of a corpus when questions are made from it?"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from widedeep.evals.synth import lines, prose
from widedeep.evals.synth.source import Source
from widedeep.evals.synth.types import Fact, Relation
from widedeep.text import content_words, fold


@dataclass(frozen=True, slots=True)
class Known:
    """The facts of a corpus, by document and by relation.

    `types`: what each document is about; `labels`: the labels of its lines; `noun`: what the
    subjects of lines are called; `said`: what stands under each label that can describe a subject.
    """

    source: Source
    facts: tuple[Fact, ...]
    by_entry: dict[str, list[Fact]]
    by_relation: dict[str, list[Fact]]
    types: dict[str, str]
    labels: dict[str, frozenset[str]]
    noun: str
    odd_labels: int
    said: dict[str, tuple[tuple[str, str], ...]]
    _vocabularies: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    def subject(self, id: str) -> str:
        """Return a document's subject as its facts name it."""
        return self.by_entry[id][0].subject

    def described(self, fact: Fact) -> set[str]:
        """Return the documents that the value of a fact may describe."""
        wanted = fold(fact.value.text)
        return {id for id, text in self.said.get(fact.relation.name, ()) if wanted in text}

    def vocabulary(self, id: str) -> frozenset[str]:
        """Return the content words of a document."""
        if id not in self._vocabularies:
            self._vocabularies[id] = frozenset(content_words(self.source.entries[id].text))
        return self._vocabularies[id]

    def relations(self) -> dict[str, Relation]:
        """Return every relation that some document states."""
        return {name: facts[0].relation for name, facts in self.by_relation.items()}


def known(source: Source) -> Known:
    """Extract the facts that lines and prose of a corpus state."""
    lined = lines.extract(source)
    told = prose.extract(source, skip=[id for id, own in lined.stated.items() if len(own) >= 5])
    facts = (*lined.facts, *told.facts)
    by_entry: dict[str, list[Fact]] = defaultdict(list)
    by_relation: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        by_entry[fact.entry].append(fact)
        by_relation[fact.relation.name].append(fact)
    return Known(
        source=source,
        facts=facts,
        by_entry=dict(by_entry),
        by_relation=dict(by_relation),
        types=told.types,
        labels=lined.stated,
        noun=lined.noun,
        odd_labels=lined.odd,
        said=lined.said,
    )
