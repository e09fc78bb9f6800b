"""Which documents does an index hold, and which of them does a name mean?"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import groupby

from widedeep.evals.synth.types import Entry
from widedeep.retrieval import Index
from widedeep.retrieval.lexical import Passage
from widedeep.text import fold, words

MOST_ENTRIES = 50_000
"""Documents that facts are taken from; of more, the first ones."""
_LONGEST = 200_000
"""Characters of a document that are read."""
_BRACKETS = re.compile(r"\s*\([^()]*\)\s*$")
_NO_ENTRY = re.compile(r"\b(?:may|can|could) (?:also )?refer to\b")
_NAMES = re.compile(
    r"\b(?:in|of|by|from|with|to|for|between|against|under|near|and) (the )?"
    r"((?:[A-Z][^\W\d_]+)(?:[ -](?:of |and |the |of the )?[A-Z][^\W\d_]+){0,4})"
)
_RANKS = frozenset({"of", "the", "king", "queen", "emperor", "empress", "lord", "sir", "lady"})
_LOWER = re.compile(r"\b[a-z]{2,}\b")
_THE = re.compile(
    r"^(?:(?:United|Federated) States\b.*|.*\b(?:Republic|Kingdom|Emirates|Empire|Federation)"
    r"|(?:Republic|Kingdom|Isle|Union) of .*|.*\b(?:Islands|Lands|Ocean|Sea|Territory))$"
)


@dataclass(frozen=True, slots=True)
class Source:
    """The documents that questions are made from.

    `named`: the one document that a folded name means; names of several are not in it.
    `articles`: names that are written with "the"; `common`: names that are also plain words.
    """

    index: Index
    entries: dict[str, Entry]
    named: dict[str, str]
    left_out: int
    noble: dict[frozenset[str], str]
    articles: frozenset[str]
    common: frozenset[str]

    def means(self, name: str) -> str | None:
        """Return the id of the one document that a name is the title of.

        A title of nobility may stand before or behind: "Duke Adolf of Holstein-Gottorp".
        """
        return self.named.get(fold(name)) or self.noble.get(_key(name))

    def called(self, entry: Entry) -> str:
        """Return the name as it stands inside a sentence, with its article."""
        if entry.name.startswith("The ") and entry.name[4:] in self.articles:
            return f"the{entry.name[3:]}"
        known = entry.name in self.articles or _THE.match(entry.name)
        return f"the {entry.name}" if known else entry.name

    def holding(self, phrase: str, k: int = 30) -> list[str]:
        """Return the documents whose text holds a phrase, among the `k` best for it."""
        wanted = fold(phrase)
        quoted = phrase.replace('"', " ")
        return list(
            dict.fromkeys(
                id
                for id, number in self.found(f'"{quoted}"', k)
                if wanted in fold(self.passage(id, number)) or wanted == fold(self._title(id))
            )
        )

    def found(self, query: str, k: int) -> list[tuple[str, int]]:
        """Return the passages that one search finds, as document and place."""
        parts = self.index.parts
        hits = [hit for part in parts for hit in part.lexical.search(query, k)]
        best = sorted(hits, key=lambda hit: (-hit.score, hit.id, hit.passage))[:k]
        return [(hit.id, hit.passage) for hit in best]

    def passage(self, id: str, number: int) -> str:
        """Return the text of a passage; empty where the document is not among the entries."""
        entry = self.entries.get(id)
        return entry.passages[number] if entry and number < len(entry.passages) else ""

    def _title(self, id: str) -> str:
        return self.entries[id].name if id in self.entries else ""


def read(index: Index) -> Source:
    """Read the documents of an index, in its order."""
    entries: dict[str, Entry] = {}
    titles: Counter[str] = Counter()
    left_out = 0
    for entry in _entries(index):
        titles[fold(entry.name)] += 1
        if len(entries) >= MOST_ENTRIES:
            left_out += 1
        elif not _NO_ENTRY.search(entry.passages[0][:300]):
            entries[entry.id] = entry
    named = {
        name: id
        for id, entry in entries.items()
        if titles[name := fold(entry.name)] == 1 and len(name) > 1
    }
    keys = Counter(_key(entry.name) for entry in entries.values())
    noble = {
        key: id
        for id in named.values()
        if keys[key := _key(entries[id].name)] == 1 and len(key) > 2 and " of " in entries[id].name
    }
    articles, common = _usage(entries.values())
    return Source(index, entries, named, left_out, noble, articles, common)


def _key(name: str) -> frozenset[str]:
    return frozenset(words(name)) - _RANKS


def _entries(index: Index) -> Iterator[Entry]:
    for part in index.parts:
        for file in part.manifest.files:
            passages = part.lexical.of_file(file.name)
            for id, group in groupby(passages, key=lambda passage: passage.id):
                yield _entry(id, list(group))


def _entry(id: str, passages: list[Passage]) -> Entry:
    title = " ".join((passages[0].title or "").split())
    name = _BRACKETS.sub("", title) or title
    texts: list[str] = []
    room = _LONGEST
    for passage in passages:
        if room <= 0:
            break
        texts.append(passage.text)
        room -= len(passage.text)
    return Entry(id, title, name, tuple(texts))


def _usage(entries: Collection[Entry]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the titles that the texts mostly write with "the", and those that are plain words."""
    wanted = {entry.name.removeprefix("The ") for entry in entries}
    single = {name.lower(): name for name in wanted if name.isalpha() and name.istitle()}
    articles: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    plain: Counter[str] = Counter()
    for entry in entries:
        text = entry.text
        for match in _NAMES.finditer(text):
            if match[2] in wanted:
                articles[match[2]][bool(match[1])] += 1
        plain.update(word for word in _LOWER.findall(text) if word in single)
    with_the = {name for name, (without, within) in articles.items() if within > max(2, without)}
    often = {single[word] for word, count in plain.items() if count > sum(articles[single[word]])}
    return frozenset(with_the), frozenset(often)
