"""Which facts do `label: value` lines state?"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from widedeep.evals.synth import labels, values
from widedeep.evals.synth.labels import Phrase
from widedeep.evals.synth.source import Source
from widedeep.evals.synth.types import Entry, Fact, Relation, Value
from widedeep.text import fold

_LINE = re.compile(r"^(?!#)([^:\n]{2,90}): (\S.*)$", re.MULTILINE)
_ALIAS = re.compile(
    r"\b(?:short form|long form|abbreviation|acronym|also known as|alias)$", re.IGNORECASE
)
_YEAR = re.compile(r"^(?:1[0-9]|20)\d{2}$")
ENOUGH = 3
"""Documents that have a label before it counts as an attribute."""
_MOSTLY = 0.6
"""Share of a label's values that name documents before they are links."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a document: where it stands and what it says."""

    entry: str
    passage: int
    label: str
    value: str
    quote: str


@dataclass(frozen=True, slots=True)
class Lined:
    """What the lines of a corpus hold.

    `stated` has every label of a document, `said` all that stands under a label, folded; `noun` is
    what the subjects are called: "country"; `odd` counts the labels that English cannot ask for.
    """

    facts: tuple[Fact, ...]
    stated: dict[str, frozenset[str]]
    said: dict[str, tuple[tuple[str, str], ...]]
    noun: str
    odd: int


def extract(source: Source) -> Lined:
    """Return the facts that lines of the documents state."""
    lines = {id: own for id, entry in source.entries.items() if (own := list(_lines(entry)))}
    counts = Counter(label for own in lines.values() for label in {line.label for line in own})
    kept = {label for label, count in counts.items() if count >= ENOUGH}
    phrases = _phrases(kept)
    read: dict[tuple[str, str], list[tuple[Line, Value]]] = defaultdict(list)
    for id, own in lines.items():
        entry = source.entries[id]
        if source.named.get(fold(entry.name)) != id or entry.name in source.common:
            continue
        for line in _single(own, phrases):
            if found := _value(line, phrases[line.label], entry):
                read[line.label, found[0]].append((line, found[1]))
    facts = list(_facts(read, phrases, source))
    stated = {id: frozenset(line.label for line in own) for id, own in lines.items()}
    noun = labels.subject_noun(sorted(counts, key=lambda label: (-counts[label], label))) or "one"
    linked = tuple(_linked(facts, lines, source))
    return Lined(linked, stated, _said(linked, lines), noun, len(kept) - len(phrases))


def _said(
    facts: Iterable[Fact], lines: dict[str, list[Line]]
) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return document and text of every line under the labels that can describe a subject."""
    wanted = {fact.relation.name for fact in facts if fact.relation.inverse}
    said: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for id, own in lines.items():
        for line in own:
            if line.label in wanted:
                said[line.label].append((id, fold(line.value)))
    return {label: tuple(each) for label, each in said.items()}


def _lines(entry: Entry) -> Iterator[Line]:
    for number, passage in enumerate(entry.passages):
        for match in _LINE.finditer(passage):
            yield Line(entry.id, number, match[1].strip(), match[2].strip(), match[0].strip())


def _phrases(kept: Iterable[str]) -> dict[str, Phrase]:
    """Return how labels read; two that read the same cannot be told apart and are left out."""
    found = {label: phrase for label in sorted(kept) if (phrase := labels.phrase(label))}
    times = Counter((phrase.noun, phrase.year) for phrase in found.values())
    return {label: each for label, each in found.items() if times[each.noun, each.year] == 1}


def _single(lines: Iterable[Line], phrases: dict[str, Phrase]) -> Iterator[Line]:
    """Yield the lines whose label has one value in the document."""
    by_label: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        if line.label in phrases:
            by_label[line.label].append(line)
    for same in by_label.values():
        if len({fold(line.value) for line in same}) == 1:
            yield same[0]


def _value(line: Line, phrase: Phrase, entry: Entry) -> tuple[str, Value] | None:
    """Return what a line says, with the sort of relation that this makes of its label."""
    if value := values.shares(line.value):
        return "share", value
    value = values.parsed(line.value)
    if value is None or _says_nothing(value, entry):
        return None
    if value.kind == "number" and re.search(r"\b(?:date|year)\b", phrase.noun):
        if value.unit or not _YEAR.match(value.text):
            return None
        value = replace(value, kind="year")
    return value.kind, value


def _says_nothing(value: Value, entry: Entry) -> bool:
    name, text = fold(entry.name), fold(value.text)
    return text in name or name in text


def _facts(
    read: dict[tuple[str, str], list[tuple[Line, Value]]],
    phrases: dict[str, Phrase],
    source: Source,
) -> Iterator[Fact]:
    best: dict[str, int] = defaultdict(int)
    for (label, _), found in read.items():
        best[label] = max(best[label], len(found))
    for (label, sort), found in sorted(read.items()):
        # What stands under a label now and then, among values of another sort, is an odd one.
        if len(found) < ENOUGH or len(found) < best[label]:
            continue
        phrase = phrases[label]
        unit = Counter(value.unit for _, value in found).most_common(1)[0][0]
        relation = (
            labels.top(label, phrase)
            if sort == "share"
            else labels.relation(label, phrase, found[0][1].kind, unit)
        )
        if relation is not None:
            yield from (_fact(line, relation, value, source) for line, value in found)


def _fact(line: Line, relation: Relation, value: Value, source: Source) -> Fact:
    subject = source.called(source.entries[line.entry])
    return Fact(line.entry, line.passage, subject, relation, value, line.quote)


def _linked(facts: Iterable[Fact], lines: dict[str, list[Line]], source: Source) -> Iterator[Fact]:
    """Yield the facts, those whose values name documents with the document they name."""
    aliases = _aliases(lines)
    by_relation: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        by_relation[fact.relation.name].append(_with_target(fact, source, aliases))
    for relation in by_relation.values():
        named = sum(fact.target is not None for fact in relation)
        links = named >= _MOSTLY * len(relation)
        yield from relation if links else (replace(fact, target=None) for fact in relation)


def _aliases(lines: dict[str, list[Line]]) -> dict[str, str]:
    """Return other names of documents that their own lines give, and that no two share."""
    given: dict[str, set[str]] = defaultdict(set)
    for id, own in lines.items():
        for line in own:
            if _ALIAS.search(line.label) and (value := values.parsed(line.value)):
                given[fold(value.text)].add(id)
    return {name: min(ids) for name, ids in given.items() if len(ids) == 1 and len(name) > 1}


def _with_target(fact: Fact, source: Source, aliases: dict[str, str]) -> Fact:
    if fact.value.kind != "name":
        return fact
    names = (fact.value.text, fact.value.text.removeprefix("the "))
    targets = (source.means(name) or aliases.get(fold(name)) for name in names)
    target = next((each for each in targets if each and each != fact.entry), None)
    if target is None:
        return fact
    title = source.entries[target].name
    more = () if title in (fact.value.text, *fact.value.aliases) else (title,)
    value = replace(fact.value, aliases=(*fact.value.aliases, *more))
    return replace(fact, target=target, value=value)
