"""Which passages of one index match a query, by BM25?"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from widedeep.retrieval import analysis
from widedeep.seams import Hit

if TYPE_CHECKING:
    import tantivy

WEIGHTS = {"body": 1.0, "title": 0.5, "labels": 0.75}
"""The fields that are searched: title and text; the title; headings and what a fact is about."""
MAX_TERMS = 64
"""Different terms of a query that are searched for."""
_TIES = 256
"""Hits of one score that are put in order by their ids."""
_HEAP = 200_000_000
_APART = "\0"
"""Stands between the stored fields; no text that was read holds it."""
_LABEL = re.compile(r"^(?:#{1,6} (.+)|([^:\n]{1,90}): )", re.MULTILINE)
_QUOTED = re.compile('["“”]([^"“”]+)["“”]')


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage on its way into an index: `file` is what it was read from."""

    id: str
    title: str | None
    text: str
    number: int
    url: str | None
    file: str


@dataclass(frozen=True, slots=True)
class Frequencies:
    """In how many of `passages` passages each term of a query stands, by field and term."""

    passages: int
    counts: Mapping[tuple[str, str], int]

    def plus(self, other: Frequencies) -> Frequencies:
        """Return the frequencies in both collections together."""
        counts = Counter(self.counts) + Counter(other.counts)
        return Frequencies(self.passages + other.passages, counts)

    def rarity(self, field: str, term: str) -> float:
        """Return BM25's inverse document frequency, as the index computes it."""
        count = self.counts.get((field, term), 0)
        return math.log(1 + (self.passages - count + 0.5) / (count + 0.5))


class Lexical:
    """An index on disk, open for searching; its methods are for any thread."""

    def __init__(self, folder: Path) -> None:
        """Open the index in `folder`.

        Raises:
            OSError, ValueError: there is none, or it is damaged.
        """
        import tantivy

        index = tantivy.Index.open(str(folder))
        index.register_tokenizer(analysis.ANALYZER, analysis.analyzer())
        self._schema = index.schema
        self._searcher = index.searcher()

    @property
    def size(self) -> int:
        """The number of passages."""
        return self._searcher.num_docs

    def frequencies(self, text: str) -> Frequencies:
        """Return how often the terms of a query occur here."""
        pairs = {(field, term) for term in analysis.content_terms(text) for field in WEIGHTS}
        return Frequencies(self.size, {each: self._searcher.doc_freq(*each) for each in pairs})

    def search(self, text: str, k: int, among: Frequencies | None = None) -> list[Hit]:
        """Return at most `k` hits, best first, equal scores by id and place.

        The query is the words of `text`; nothing in it is syntax, except that words in double
        quotes count more where they stand together.

        Args:
            text: what is looked for.
            k: how many hits.
            among: term frequencies of all collections searched together with this one, so that
                the scores of their hits can be compared.
        """
        query = self._query(text, among)
        if query is None or k < 1:
            return []
        found = self._best(query, k)
        hits = [self._hit(address, score) for score, address in found]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id, hit.passage))[:k]

    def document(self, id: str) -> list[Hit]:
        """Return the passages of a document in order."""
        return list(self._in_order("id", id))

    def has(self, id: str) -> bool:
        """Tell whether a document is here."""
        return self._searcher.doc_freq("id", id) > 0

    def of_file(self, file: str) -> Iterator[Passage]:
        """Yield the passages that were read from a file, in the order they were added."""
        for hit in self._in_order("file", file):
            yield Passage(hit.id, hit.title, hit.text, hit.passage, hit.url, file)

    def _in_order(self, field: str, value: str) -> Iterator[Hit]:
        import tantivy

        count = self._searcher.doc_freq(field, value)
        if count:
            query = tantivy.Query.term_query(self._schema, field, value, "basic")
            ascending = tantivy.Order.Asc
            found = self._searcher.search(
                query, count, count=False, order_by_field="place", order=ascending
            )
            yield from (self._hit(address, 0.0) for _, address in found.hits)

    def _best(self, query: tantivy.Query, k: int) -> list[tuple[float, tantivy.DocAddress]]:
        """Return the first `k` hits and all that tie with the last of them."""
        limit = k + 1
        while True:
            hits = self._searcher.search(query, limit, count=False).hits
            tied = len(hits) == limit and hits[k - 1][0] == hits[-1][0]
            if not tied or limit >= k + _TIES:
                return [hit for hit in hits if hit[0] >= hits[min(k, len(hits)) - 1][0]]
            limit = min(4 * limit, k + _TIES)

    def _hit(self, address: tantivy.DocAddress, score: float) -> Hit:
        shown = cast("bytes", self._searcher.doc(address).get_first("shown"))
        id, title, number, url, text = bytes(shown).decode().split(_APART, 4)
        return Hit(id, title or None, text, score, int(number), url or None)

    def _query(self, text: str, among: Frequencies | None) -> tantivy.Query | None:
        import tantivy

        counted = Counter(analysis.content_terms(text)).most_common(MAX_TERMS)
        here = self.frequencies(text) if among else None
        clauses: list[tantivy.Query] = []
        for term, times in counted:
            for field, share in WEIGHTS.items():
                weight = times * share
                if among and here:
                    weight *= among.rarity(field, term) / here.rarity(field, term)
                clause = tantivy.Query.term_query(self._schema, field, term, "freq")
                plain = math.isclose(weight, 1.0)  # scored faster without a boost
                clauses.append(clause if plain else tantivy.Query.boost_query(clause, weight))
        for quoted in _QUOTED.findall(text):
            together = analysis.all_terms(quoted)
            if len(together) > 1:
                words = cast("list[str | tuple[int, str]]", together)
                clauses.append(tantivy.Query.phrase_query(self._schema, "body", words))
        if not clauses:
            return None
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, each) for each in clauses])


def build(folder: Path, passages: Iterable[Passage]) -> int:
    """Write an index of `passages` into the empty folder and return how many there are."""
    import tantivy

    index = tantivy.Index(_schema(), path=str(folder))
    index.register_tokenizer(analysis.ANALYZER, analysis.analyzer())
    # One thread: the same passages give the same index, in the same order.
    writer = index.writer(heap_size=_HEAP, num_threads=1)
    count = 0
    for count, passage in enumerate(passages, 1):
        writer.add_document(_row(passage, count))
    writer.commit()
    writer.wait_merging_threads()
    return count


def _schema() -> tantivy.Schema:
    import tantivy

    builder = tantivy.SchemaBuilder()
    for field in WEIGHTS:
        builder.add_text_field(field, tokenizer_name=analysis.ANALYZER)
    for field in ("id", "file"):
        builder.add_text_field(field, tokenizer_name="raw", index_option="basic")
    builder.add_bytes_field("shown", stored=True)  # a text field would be indexed too
    builder.add_unsigned_field("place", fast=True)
    return builder.build()


def _row(passage: Passage, place: int) -> tantivy.Document:
    import tantivy

    title = passage.title or ""
    row = tantivy.Document()
    row.add_text("id", passage.id)
    row.add_text("file", passage.file)
    row.add_bytes("shown", _packed(passage))
    row.add_text("body", analysis.prepared(f"{title}\n{passage.text}"))
    if title:
        row.add_text("title", analysis.prepared(title))
    if labels := _labels(passage.text):
        row.add_text("labels", analysis.prepared(labels))
    # Given as a keyword argument it would be signed, which stops the writer.
    row.add_unsigned("place", place)
    return row


def _packed(passage: Passage) -> bytes:
    shown = (passage.id, passage.title or "", str(passage.number), passage.url or "", passage.text)
    return _APART.join(shown).encode()


def _labels(text: str) -> str:
    """Return what the lines of a text are about: its headings and the labels of `label: value`."""
    return "\n".join(dict.fromkeys(match[1] or match[2] for match in _LABEL.finditer(text)))
