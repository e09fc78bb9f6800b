"""Which facts do sentences about a document's subject state?"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from widedeep.evals.synth import finding, leads, lexicon, lives, people, things, values
from widedeep.evals.synth.leads import Lead
from widedeep.evals.synth.patterns import NOBLE, tidy
from widedeep.evals.synth.source import Source
from widedeep.evals.synth.types import Entry, Fact, Value
from widedeep.text import fold, sentences, words

RELATIONS = {each.name: each for each in (*people.RELATIONS, *things.RELATIONS)}
_THINGS = {
    "film": "It|The (?:film|movie)",
    "song": "It|The (?:song|single)",
    "album": "It|The album",
    "book": "It|The (?:novel|book|poem)",
    "place": "It|The (?:village|town|city|municipality|commune|district|island)",
    "organisation": "It|The (?:company|school|college|university|club|band|group|newspaper)",
}
_MONTHS = "January February March April May June July August September October November December"
_NO_PLACE = frozenset(
    f"{_MONTHS} War Battle Revolution Olympics Championship League Army He She His Her".split()
)
_NO_NAME = re.compile(
    r"\b(?:Players|Pictures|Productions?|Studios?|Films?|Company|Entertainment|Records|Inc|Ltd|Corporation"
    r"|Brothers|Bros|The|Festival|Award|University)\b|'s$|’s$"
)
_MORE_NAMES = re.compile(
    r"^(?:\s*(?:,|&|and|/|with|featuring|feat\.)\s*(?:and |the )?[^\W\d_a-zß-öø-ÿ]"
    r"|[^.;]{0,80}\b(?:in collaboration|together|along|alongside)\b|\s*&|\s*[\"“]|[-–—/])"
)
"""What follows a value when it is only the first of several, or only a part of it."""
_DESCRIBES = re.compile(
    rf"\s+(?:{'|'.join(sorted(lexicon.OCCUPATIONS))}|band|group|duo|trio|orchestra|company)\b"
)
"""What follows a value that only tells of which country the one that is meant is."""
_OTHER_WORK = re.compile(r"\b(?:remake|sequel|prequel|adaptation|version|based on|trilogy)\b")
_PARENTS = re.compile(
    r"^(?:is|was) (?:the|an?) (?:[a-z-]+ ){0,4}?(?:son|daughter) of "
    rf"(?:the )?(?:[a-z][a-z-]+ ){{0,4}}(?P<one>{NOBLE})"
    rf"(?: and (?P<wife>(?:his|her) (?:\w+ )?wife,? )?(?:the )?(?:[a-z][a-z-]+ )?(?P<two>{NOBLE}))?"
)
_SCHOOLS = re.compile(r"\b(?:University|College|School|Academy|Institute|Conservatory)\b")
_ROYAL = re.compile(r"^(?:,| and) (?:King|Queen|Duke|Count|Prince|Earl|Lord|Emperor|\d)")
_HIGH_LADY = re.compile(
    r"(?:Queen|Princess|Duchess|Countess|Infanta|Lady|Empress|Archduchess|Grand Duchess)\b"
)
_HIGH_LORD = re.compile(
    r"(?:King|Prince|Duke|Count|Infante|Lord|Sir|Emperor|Tsar|Archduke|Grand Duke|Margrave|Earl)\b"
)
_FAMILY = frozenset({"father", "mother", "parent", "spouse"})
_KIN_WORDS = re.compile(r"\bmarri|\bwife\b|\bhusband\b|\bdivorc|\bwed\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Told:
    """What the prose of a corpus states, and the type of each document's subject."""

    facts: tuple[Fact, ...]
    types: dict[str, str]
    leads: dict[str, Lead]


@dataclass(frozen=True, slots=True)
class _Found:
    relation: str
    value: str
    passage: int
    quote: str


def extract(source: Source, skip: Iterable[str] = ()) -> Told:
    """Return the facts of sentences whose subject is the title of their document.

    Args:
        source: the documents.
        skip: documents that are no prose.
    """
    left = set(skip)
    found: dict[str, Lead] = {}
    raw: dict[str, list[_Found]] = {}
    for id, entry in source.entries.items():
        if id in left or source.named.get(fold(entry.name)) != id:
            continue
        lead = leads.lead(entry)
        # A first name alone names nobody.
        if lead and not (lead.type == "person" and " " not in entry.name):
            found[id] = lead
            raw[id] = list(_of_entry(entry, lead))
    types = {id: lead.type for id, lead in found.items()}
    facts = [fact for id, each in raw.items() for fact in _agreed(source, id, found[id], each)]
    linked = [_linked(fact, source, found) for fact in facts]
    return Told(tuple(fact for fact in linked if fact), types, found)


def _called(source: Source, entry: Entry, lead: Lead) -> str:
    """Return the subject as a question names it: a work with what it is."""
    kind = lexicon.CALLED.get(lead.noun) or lexicon.CALLED.get(lead.type)
    if kind:
        return f"{kind} {entry.name}"
    return entry.name if lead.type == "person" else source.called(entry)


def _of_entry(entry: Entry, lead: Lead) -> Iterator[_Found]:
    if lead.type == "person":
        for relation, value in lives.facts(lead.brackets):
            yield _Found(relation, value, 0, lead.sentence)
    yield from (_Found(*each, 0, lead.sentence) for each in _of_lead(lead))
    subject = _subject(entry, lead)
    for number, passage in enumerate(entry.passages):
        for sentence in sentences(passage):
            predicate = lead.predicate if sentence == lead.sentence else None
            if predicate is None and (begun := subject.match(text := tidy(sentence))):
                predicate = text[begun.end() :].strip()
            if predicate:
                for relation, value in _of_predicate(predicate, lead.type):
                    yield _Found(relation, value, number, sentence)


def _subject(entry: Entry, lead: Lead) -> re.Pattern[str]:
    """Return what a sentence about the subject begins with."""
    names = {entry.name, entry.name.split(",")[0]}
    person = lead.type == "person"
    if person and "," not in entry.name and len(entry.name.split()) in {2, 3}:
        names.add(entry.name.split()[-1])
    spelled = "|".join(re.escape(tidy(name)) for name in sorted(names, key=len, reverse=True))
    sex = leads.gender(entry, lead.noun) if person else None
    pronoun = sex.title() if sex else _THINGS.get(lead.type, "It")
    start = f"{spelled}|{pronoun}" if sex or not person else spelled
    return re.compile(rf"^(?:{start})(?: (?=[a-z])|(?='s ))(?:also |later )?")


def _of_lead(lead: Lead) -> Iterator[tuple[str, str]]:
    """Yield what the noun phrase of a first sentence says: nationality, year, country."""
    nations = [word for word in lead.before if word in lexicon.NATIONALITIES]
    mixed = any("-" in word and word[0].isupper() for word in lead.before)
    if len(nations) == 1 and not mixed and lead.type in {"person", "film"}:
        yield ("nationality" if lead.type == "person" else "origin"), nations[0]
    years = [word for word in lead.before if re.fullmatch(r"(?:18|19|20)\d\d", word)]
    if lead.type == "film" and len(years) == 1 and lead.before[0] == years[0]:
        yield "release year", years[0]


def _of_predicate(predicate: str, type: str) -> Iterator[tuple[str, str]]:
    if type == "person":
        yield from _parents(predicate)
    for wording in finding.ALL:
        relation = RELATIONS[wording.relation]
        match = wording.pattern.search(predicate) if type in relation.of else None
        if match is None:
            continue
        after = predicate[match.end("v") :]
        if _DESCRIBES.match(after) or (wording.single and _MORE_NAMES.match(after)):
            continue
        other = type == "film" and _OTHER_WORK.search(predicate[: match.start("v")])
        if not other or wording.relation == "source work":
            yield wording.relation, match["v"]


def _parents(predicate: str) -> Iterator[tuple[str, str]]:
    match = _PARENTS.match(predicate)
    if match is None or _ROYAL.match(predicate[match.end() :]):
        return
    if match["two"]:
        if match["wife"] or _HIGH_LADY.match(match["two"]) or _HIGH_LORD.match(match["one"]):
            yield "father", match["one"]
            if not _MORE_NAMES.match(predicate[match.end() :]):
                yield "mother", match["two"]
    elif not _MORE_NAMES.match(predicate[match.end() :]):
        yield "parent", match["one"]


def _agreed(source: Source, id: str, lead: Lead, found: Iterable[_Found]) -> Iterator[Fact]:
    """Yield one fact for each relation whose values in a document do not differ."""
    entry = source.entries[id]
    by_relation: dict[str, list[_Found]] = defaultdict(list)
    for each in found:
        by_relation[each.relation].append(each)
    for name in ("birth", "death"):
        if f"{name} date" in by_relation:
            by_relation.pop(f"{name} year", None)
    for name, same in by_relation.items():
        best = max(same, key=lambda each: len(each.value))
        if any(fold(each.value) not in fold(best.value) for each in same):
            continue
        relation = RELATIONS["father" if name == "parent" else name]
        value = _value(name, best.value, entry)
        if value is not None and not (name == "spouse" and _several(entry)):
            subject = _called(source, entry, lead)
            yield Fact(id, best.passage, subject, relation, value, best.quote, target=name)


def _several(entry: Entry) -> bool:
    """Tell whether a text speaks of marriage more than once."""
    return len(_KIN_WORDS.findall(entry.text)) > 1


def _value(relation: str, text: str, entry: Entry) -> Value | None:
    text = text.strip(" ,;")
    if relation.endswith(" date"):
        return values.day(text)
    if relation.endswith(" year"):
        return Value(text, "year", (), values.ordinal(int(text), 1, 1), "year")
    if relation == "population":
        return values.parsed(text)
    if fold(text) in fold(entry.name) or fold(entry.name) in fold(text) or len(text) > 70:
        return None
    if relation in {"nationality", "origin"}:
        return Value(text, "name")
    if relation in {"birth place", "death place", "location", "seat", "capital of"}:
        if _NO_PLACE & set(text.replace(",", "").split()) or "'s" in text:
            return None
        first = text.split(",")[0]
        return Value(text, "name", (first,) if first != text else ())
    if relation in {"source work", "education"}:
        several = relation == "education" and len(_SCHOOLS.findall(entry.text)) > 1
        return Value(text, "name") if len(text.split()) <= 10 and not several else None
    if relation in _FAMILY and " " not in text:
        return None
    return _person(text)


def _person(text: str) -> Value | None:
    first = text.split(maxsplit=1)[0]
    bad = _NO_NAME.search(text) or first in lexicon.NATIONALITIES or len(text) < 5
    return None if bad or first.rstrip(".") in _MONTHS.split() else Value(text, "name")


def _linked(fact: Fact, source: Source, found: dict[str, Lead]) -> Fact | None:
    """Return a fact with the document that its value names, when it can be the one meant."""
    stated = fact.target
    target = source.means(fact.value.text)
    lead = found.get(target) if target and target != fact.entry else None
    relation = fact.relation
    if not (target and lead and _fits(fact, source.entries[target], lead.type, source)):
        target = None
    if stated in {"father", "mother", "parent"}:
        sex = leads.gender(source.entries[target], lead.noun) if target and lead else None
        if stated == "parent" and sex is None:
            return None
        wrong = {"father": "she", "mother": "he"}.get(stated or "")
        if sex and sex == wrong:
            return None
        relation = RELATIONS["mother" if stated == "mother" or sex == "she" else "father"]
    return replace(fact, target=target, relation=relation)


def _fits(fact: Fact, target: Entry, type: str, source: Source) -> bool:
    """Tell whether a document with the title that a value names can be about that very thing.

    A relative's document must speak of the subject.
    """
    relation = fact.relation
    if type not in (relation.value_of or {type}):
        return False
    if relation.about and not relation.about.search(target.text):
        return False
    own = [word for word in words(source.entries[fact.entry].name) if len(word) > 3]
    return relation.name not in _FAMILY or (bool(own) and own[0] in words(target.text))
