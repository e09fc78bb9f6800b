"""What do the sources that were met say, line by line?

A source is read as structured lines (`label: value`) where it has such, and as sentences where it
is prose. Nothing is decided here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from widedeep.messages import Message, Outcome, Results, Source, ToolCall
from widedeep.models.builtin.splitting import opens, sentences
from widedeep.models.builtin.words import concepts, tokens

_LABELLED = re.compile(
    r"^[-*•]?\s*(?P<label>[^:.!?;]{1,120}(?:\.(?! )[^:!?;]*)?):\s+(?P<value>\S.*)$"
)
_NESTED = re.compile(r"^(?P<label>[a-z][\w /()%-]{1,40}):\s+(?P<value>\S.*)$")
_HEADING = re.compile(r"^#{1,6}\s+(.*)$")
_LABEL_WORDS = 16
NOT_RUN = frozenset({Outcome.DEFERRED, Outcome.CANCELLED, Outcome.INTERRUPTED})
_MOST_CHARACTERS = 40_000


@dataclass(frozen=True, slots=True)
class Line:
    """One statement of a document: `label` is empty for a sentence of prose."""

    label: str
    value: str

    @property
    def text(self) -> str:
        """The words as they stand in the source."""
        return f"{self.label}: {self.value}" if self.label else self.value


@dataclass(frozen=True, slots=True)
class Document:
    """What has been read of source `n`.

    `names`: other names its lines give it. `inner`: lines whose neighbours have been read too.
    """

    n: int
    id: str
    title: str
    lines: tuple[Line, ...]
    names: frozenset[frozenset[str]] = frozenset()
    inner: frozenset[Line] = frozenset()

    @property
    def is_structured(self) -> bool:
        """Most of it is labelled lines: what has no label there is a piece of a long value."""
        labelled = sum(1 for line in self.lines if line.label)
        return labelled >= 4 and 2 * labelled > len(self.lines)

    @property
    def prose(self) -> tuple[Line, ...]:
        """Its sentences."""
        if self.is_structured:
            return ()
        return tuple(line for line in self.lines if not line.label)


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that the run has met, and the calls that were run for it."""

    documents: tuple[Document, ...]
    calls: tuple[ToolCall, ...]

    @property
    def is_structured(self) -> bool:
        """At least half of what was met are lists of facts."""
        return 2 * sum(each.is_structured for each in self.documents) >= len(self.documents)


@lru_cache(maxsize=4096)
def lines(text: str) -> tuple[Line, ...]:
    """Return the statements of a text in order."""
    found: list[Line] = []
    for row in text[:_MOST_CHARACTERS].splitlines():
        stripped = row.strip()
        if stripped and not _HEADING.match(stripped):
            found.extend(_statements(stripped))
    return tuple(found)


def _statements(row: str) -> Iterable[Line]:
    labelled = _LABELLED.match(row)
    if labelled and len(labelled["label"].split()) <= _LABEL_WORDS:
        label, value = labelled["label"].strip(), labelled["value"].strip()
        while nested := _NESTED.match(value):
            label, value = f"{label}, {nested['label']}", nested["value"]
        return (Line(label, value),)
    return tuple(Line("", sentence) for sentence in sentences(row))


def evidence(history: Iterable[Message]) -> Evidence:
    """Gather what the batches of a history brought; a source met twice is one document."""
    texts: dict[int, tuple[Source, dict[Line, None]]] = {}
    inner: dict[int, set[Line]] = {}
    calls: list[ToolCall] = []
    for message in history:
        if not isinstance(message, Results):
            continue
        for result in message.results:
            if result.outcome not in NOT_RUN:
                calls.append(result.call)
            for source in result.sources:
                _, known = texts.setdefault(source.n, (source, {}))
                found = lines(source.text)
                _add(known, found, source.title or "")
                inner.setdefault(source.n, set()).update(found[1:-1])
    documents = tuple(
        Document(
            n, source.id, _title(source, known), tuple(known), _names(known), frozenset(inner[n])
        )
        for n, (source, known) in texts.items()
    )
    return Evidence(documents, tuple(calls))


def _add(known: dict[Line, None], found: Sequence[Line], title: str) -> None:
    """Add lines to those of a document; prose that it begins with goes first."""
    first = next(iter(known), None)
    is_late = bool(found) and first is not None and not (first.label or found[0].label)
    if is_late and first and opens(title, found[0].text) and not opens(title, first.text):
        rest = dict(known)
        known.clear()
        known.update(dict.fromkeys(found))
        known.update(rest)
    else:
        known.update(dict.fromkeys(found))


def _title(source: Source, known: Iterable[Line]) -> str:
    if source.title:
        return source.title
    first = next((line.text for line in known), "")
    return first if len(first) <= 80 and not first.endswith(".") else ""


_ASIDE = re.compile(r"\s*\(([^)]*)\)")
_NAMING = frozenset(
    concepts("name form alias abbreviation known former formerly nickname acronym nationality")
)


@lru_cache(maxsize=8192)
def name_key(name: str) -> frozenset[str]:
    """Return what makes two writings of a name the same: its words, in any order."""
    return frozenset(token for token in tokens(name) if token not in ("the", "of", "and", "a"))


@lru_cache(maxsize=8192)
def _title_keys(title: str) -> frozenset[frozenset[str]]:
    plain = _ASIDE.sub("", title)
    forms = [title, plain, *_ASIDE.findall(title), plain.split(",")[0] if "," not in title else ""]
    return frozenset(name_key(form) for form in forms if form and name_key(form))


def about(document: Document, name: str) -> float:
    """Return how surely a document is about what bears this name: 1 title, 0.8 a line says so."""
    key = name_key(name)
    if not key:
        return 0.0
    if key in _title_keys(document.title):
        return 1.0
    return 0.8 if key in document.names else 0.0


def _names(known: Iterable[Line]) -> frozenset[frozenset[str]]:
    """Return the names that lines like `former name: Zaire` give their document."""
    naming = (line for line in known if line.label and _is_naming(line.label))
    return frozenset(key for line in naming for key in _aliases(line.value))


@lru_cache(maxsize=16384)
def _is_naming(label: str) -> bool:
    """Say whether a label names the whole: `Country name, local form`, not `Capital, name`."""
    return not _NAMING.isdisjoint(concepts(label.partition(", ")[0]))


@lru_cache(maxsize=8192)
def _aliases(value: str) -> frozenset[frozenset[str]]:
    if len(value) > 200:
        return frozenset()
    plain = _ASIDE.sub("", value)
    forms = [plain, *re.split(r"[,;]| or ", plain), *_ASIDE.findall(value)]
    if "(s)" in value:
        forms += [value.replace("(s)", "s"), value.replace("(s)", "")]
    return frozenset(name_key(form) for form in forms if name_key(form))
