"""How does a corpus become an index directory, whole or not at all?"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from widedeep.errors import CorpusError
from widedeep.retrieval import documents, folder, lexical, manifest, passages, sample
from widedeep.retrieval.folder import ACCEPTED, File
from widedeep.retrieval.lexical import Lexical, Passage
from widedeep.retrieval.manifest import Manifest, Read
from widedeep.retrieval.types import Document, Naming, Skipped

Progress = Callable[[int, int], None]
"""Bytes of the corpus read so far, and in all."""

_UNPACKED = 3
"""How much longer than its gzipped file a text is, about; it only moves a progress bar."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Files to search: `name` is what the user called it."""

    name: str
    root: Path
    naming: Naming | None = None


def corpus(name: str | Path) -> Corpus:
    """Return the corpus at a path, or the packaged one for `sample`.

    Raises:
        MissingExtraError: the sample is not installed.
    """
    if str(name) == sample.NAME and (isinstance(name, str) or not name.exists()):
        return Corpus(sample.NAME, sample.root(), sample.naming)
    return Corpus(str(name), Path(name))


@dataclass(frozen=True, slots=True)
class Old:
    """An index of an earlier state of the same corpus; what has not changed is taken from it."""

    manifest: Manifest
    lexical: Lexical


@dataclass(slots=True)
class _Build:
    """What is known so far of the index being built."""

    total: int
    progress: Progress | None
    words: int
    done: int = 0
    told: int = 0
    documents: int = 0
    renamed: int = 0
    files: list[Read] = field(default_factory=list[Read])
    skipped: list[Skipped] = field(default_factory=list[Skipped])
    unread: list[str] = field(default_factory=list[str])
    seen: set[str] = field(default_factory=set[str])

    def tell(self, more: int) -> None:
        done = min(self.total, self.done + more)
        if self.progress and (done - self.told >= self.total / 200 or done == self.total):
            self.told = done
            self.progress(done, self.total)


def build(
    source: Corpus, into: Path, words: int, *, old: Old | None = None, progress: Progress | None
) -> Manifest:
    """Write an index of `source` into the empty folder `into` and return its manifest.

    Raises:
        CorpusError: there is not one document.
    """
    started = time.time_ns()
    files, unlooked = folder.files(source.root)
    state = _Build(sum(file.size for file in files), progress, words, skipped=unlooked)
    entries = into / manifest.ENTRIES
    entries.mkdir()
    count = lexical.build(entries, _unique(state, _all(state, files, source.naming, old)))
    if not count:
        raise CorpusError(_nothing(source, state.skipped))
    built = Manifest(
        words=words,
        documents=state.documents,
        passages=count,
        renamed=state.renamed,
        written_ns=started,
        fingerprint=manifest.fingerprint(state.files, words),
        files=tuple(state.files),
        skipped=tuple(state.skipped),
        unread=tuple(state.unread),
        entries=manifest.checksums(into),
    )
    manifest.write(into, built)
    return built


def _all(
    state: _Build, files: list[File], naming: Naming | None, old: Old | None
) -> Iterator[Passage]:
    # Renamed ids cannot be told from given ones, so an index with some is of no use here.
    before = {} if old is None or old.manifest.renamed else {f.name: f for f in old.manifest.files}
    for file in files:
        try:
            sha256 = manifest.hashed(file)
        except OSError as error:
            state.skipped.append(Skipped(file.name, f"cannot be read ({error.strerror})"))
            state.unread.append(file.name)
            continue
        same = before.get(file.name)
        skipped: list[Skipped] = []
        if old and same and same.sha256 == sha256:
            yield from old.lexical.of_file(file.name)
            skipped.extend(same.skipped)
        else:
            yield from _of_file(state, file, naming, skipped)
        state.skipped.extend(skipped)
        state.files.append(Read(file.name, file.size, file.mtime_ns, sha256, tuple(skipped)))
        state.done += file.size
        state.tell(0)


def _of_file(
    state: _Build, file: File, naming: Naming | None, skipped: list[Skipped]
) -> Iterator[Passage]:
    length = 0
    for found in documents.read(file, naming):
        if isinstance(found, Skipped):
            skipped.append(found)
            continue
        for number, text in enumerate(_passages(found, state.words)):
            yield Passage(found.id, found.title, text, number, found.url, file.name)
        length += len(found.text)
        unpacked = _UNPACKED if file.name.endswith(".gz") else 1
        state.tell(min(file.size, length // unpacked))


def _passages(document: Document, words: int) -> list[str]:
    """Return the passages of a document; one without text is found by its title."""
    return list(passages.split(document.text, words)) or [document.title or document.id]


def _unique(state: _Build, found: Iterator[Passage]) -> Iterator[Passage]:
    """Count documents and give one whose id is taken another one: `id~2`, `id~3`."""
    id = ""
    for passage in found:
        if passage.number == 0:
            id = passage.id
            copy = 1
            while id in state.seen:
                copy += 1
                id = f"{passage.id}~{copy}"
            state.seen.add(id)
            state.documents += 1
            state.renamed += copy > 1
        yield passage if passage.id == id else replace(passage, id=id)


def _nothing(source: Corpus, skipped: list[Skipped]) -> str:
    reason = f"; {skipped[0]}" if skipped else ""
    more = f" (and {len(skipped) - 1} more)" if len(skipped) > 1 else ""
    return f"no document in the corpus {source.name!r}: accepted are {ACCEPTED}{reason}{more}"
