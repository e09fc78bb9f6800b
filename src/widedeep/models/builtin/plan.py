"""Which sub-questions does a question come to, and which of them are settled?

The plan is a small graph: each subject is a row, each attribute a cell of it; a cell waits for its
row's document, and the row of a described subject waits for its description to be met.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from widedeep.models.builtin import find
from widedeep.models.builtin.find import Finding
from widedeep.models.builtin.question import Attribute, Described, Named, Question, Subject
from widedeep.models.builtin.read import Document, Evidence, about, name_key
from widedeep.models.builtin.words import tokens

MOST_CANDIDATES = 4
"""Documents that are followed when a description fits several alike."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One sub-question: an attribute of a row's subject, open while nothing sure is found."""

    attribute: Attribute
    finding: Finding | None

    @property
    def is_open(self) -> bool:
        """Nothing was found, or something that may not be the best there is."""
        return self.finding is None or not self.finding.is_sure


@dataclass(frozen=True, slots=True)
class Row:
    """A subject, the document that is about it, and what is to be known of it.

    `bridge` is the line by which a described subject was recognised.
    """

    subject: Subject
    document: Document | None
    bridge: Finding | None
    cells: tuple[Cell, ...]

    @property
    def name(self) -> str:
        """What the subject is called: by its document where that is known."""
        if not isinstance(self.subject, Named):
            return self.document.title if self.document else ""
        if self.document and self.document.title.casefold() == self.subject.name.casefold():
            return self.document.title
        return self.subject.name

    @property
    def is_settled(self) -> bool:
        """Nothing of the row is open."""
        if any(cell.is_open for cell in self.cells):
            return False
        return bool(self.cells) or self.document is not None


@dataclass(frozen=True, slots=True)
class Plan:
    """A question and how far it is settled."""

    question: Question
    rows: tuple[Row, ...]

    @property
    def is_settled(self) -> bool:
        """Every row is settled."""
        return bool(self.rows) and all(row.is_settled for row in self.rows)

    @property
    def rests_on_lines(self) -> bool:
        """A labelled line of a structured document states something that is asked for."""
        found = (cell.finding for row in self.rows for cell in row.cells)
        return any(each is not None and each.document.is_structured for each in found)


def settle(question: Question, evidence: Evidence) -> Plan:
    """Look up every sub-question of a question in the evidence."""
    rows = (row for each in question.subjects for row in _rows(each, question, evidence))
    return Plan(question, tuple(rows))


def _rows(subject: Subject, question: Question, evidence: Evidence) -> Iterator[Row]:
    """Yield the row of a subject; one for each document where a description fits several."""
    if isinstance(subject, Described):
        bridges = find.described(evidence.documents, subject)[:MOST_CANDIDATES]
        for bridge in bridges:
            document = bridge.document
            cells = _cells(document, document.title, question, evidence)
            yield Row(subject, document, bridge, cells)
        if not bridges:
            yield Row(subject, None, None, _cells(None, "", question, evidence))
        return
    name = subject.name if isinstance(subject, Named) else ""
    document = _document(name, evidence)
    yield Row(subject, document, None, _cells(document, name, question, evidence))


def _cells(
    document: Document | None, name: str, question: Question, evidence: Evidence
) -> tuple[Cell, ...]:
    return tuple(
        Cell(each, _finding(each, document, question, name, evidence))
        for each in question.attributes
    )


def _finding(
    asked: Attribute, document: Document | None, question: Question, name: str, evidence: Evidence
) -> Finding | None:
    """Look an attribute up in the subject's document, else in prose that names the subject."""
    if document is not None:
        found = find.stated(document, asked, question.year, question.item)
        found = found or find.told((document,), asked, question.year, name)
        if found is not None:
            return found
    return find.told(_mentions(name, evidence), asked, question.year, name)


def _document(name: str, evidence: Evidence) -> Document | None:
    """Return the document that is about what bears the name; a title goes before an alias."""
    scored = [(about(document, name), -document.n, document) for document in evidence.documents]
    best = max(scored, key=lambda each: each[:2], default=None)
    return best[2] if best and best[0] > 0 else None


def _mentions(name: str, evidence: Evidence) -> tuple[Document, ...]:
    """Return the documents of prose that name the subject without being about it."""
    key = name_key(name)
    if not key:
        return ()
    return tuple(
        document
        for document in evidence.documents
        if any(key <= set(tokens(line.value)) for line in document.prose)
    )
