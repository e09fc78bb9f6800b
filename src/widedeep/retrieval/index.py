"""Which passages of all the corpora of a run match a query?"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path

from widedeep.errors import CorpusError
from widedeep.retrieval import build, cache, folder, passages
from widedeep.retrieval.build import Old, Progress
from widedeep.retrieval.lexical import Frequencies
from widedeep.retrieval.manifest import Damaged
from widedeep.retrieval.types import Skipped
from widedeep.seams import Hit, Query


@dataclass(frozen=True, slots=True)
class Index:
    """One or more corpora, open for searching: a `Retriever` and a `Library`.

    Passages of several corpora compete as if they stood in one. An id that an earlier corpus has
    too gets the number of its corpus: `id~2`.
    """

    parts: tuple[Old, ...]

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return sum(part.manifest.documents for part in self.parts)

    @property
    def size(self) -> int:
        """How many passages there are."""
        return sum(part.manifest.passages for part in self.parts)

    @property
    def renamed(self) -> int:
        """How many documents had the id of an earlier one and got another."""
        return sum(part.manifest.renamed for part in self.parts)

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """What could not be read, and why."""
        return tuple(each for part in self.parts for each in part.manifest.skipped)

    @property
    def fingerprint(self) -> str:
        """A hash of the contents of all files and of the options they were indexed with."""
        prints = [part.manifest.fingerprint for part in self.parts]
        return (
            prints[0]
            if len(prints) == 1
            else hashlib.sha256("\n".join(prints).encode()).hexdigest()
        )

    async def search(self, query: Query, k: int) -> list[Hit]:
        """Return at most `k` passages that match the words of the query, best first."""
        return await asyncio.to_thread(self._search, query.text, k)

    async def passages(self, id: str) -> list[Hit]:
        """Return the passages of document `id` in order; empty when there is no such document."""
        return await asyncio.to_thread(self._document, id)

    def _search(self, text: str, k: int) -> list[Hit]:
        if len(self.parts) == 1:
            return self.parts[0].lexical.search(text, k)
        counts = (part.lexical.frequencies(text) for part in self.parts)
        among = reduce(Frequencies.plus, counts)
        hits = [
            self._named(hit, number)
            for number, part in enumerate(self.parts)
            for hit in part.lexical.search(text, k, among)
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id, hit.passage))[:k]

    def _document(self, id: str) -> list[Hit]:
        for part in self.parts:
            if hits := part.lexical.document(id):
                return hits
        own, _, number = id.rpartition("~")
        if number.isascii() and number.isdigit() and 1 < int(number) <= len(self.parts):
            hits = self.parts[int(number) - 1].lexical.document(own)
            return [replace(hit, id=id) for hit in hits]
        return []

    def _named(self, hit: Hit, number: int) -> Hit:
        taken = any(part.lexical.has(hit.id) for part in self.parts[:number])
        return replace(hit, id=f"{hit.id}~{number + 1}") if taken else hit


def open_index(
    paths: Sequence[str | Path],
    store: Path,
    progress: Progress | None = None,
    *,
    words: int = passages.WORDS,
) -> Index:
    """Open the index of one or more corpora; each is built on first use and kept in the store.

    Args:
        paths: folders, files, index directories, or `sample`.
        store: the directory that keeps the indexes.
        progress: told of the bytes read, and of those to read, while an index is built.
        words: the most words a passage has.

    Raises:
        CorpusError: a path has no documents, an index directory is damaged, or the store cannot
            be written.
        MissingExtraError: `sample` is not installed.
    """
    if not paths:
        raise CorpusError("no corpus: give a folder, a file, an index directory or 'sample'")
    _check(words)
    return Index(tuple(_part(path, store, words, progress) for path in paths))


def write_index(
    path: str | Path, out: Path, progress: Progress | None = None, *, words: int = passages.WORDS
) -> Index:
    """Write the index of a corpus to a directory that `open_index` takes in place of the corpus.

    Raises:
        CorpusError: the corpus has no documents, or `out` is something else or cannot be written.
        MissingExtraError: `sample` is not installed.
    """
    _check(words)
    return Index((cache.written(build.corpus(path), out, words, progress),))


def _part(path: str | Path, store: Path, words: int, progress: Progress | None) -> Old:
    source = build.corpus(path)
    if not folder.is_index(source.root):
        return cache.cached(source, store, words, progress)
    try:
        return cache.opened(source.root)
    except Damaged as error:
        raise CorpusError(
            f"the index {source.name!r} is damaged ({error}): "
            f"build it again with `widedeep index CORPUS --out {source.name}`"
        ) from None


def _check(words: int) -> None:
    if words < 20:
        raise CorpusError(f"passages of {words!r} words are too short: give 20 or more")
