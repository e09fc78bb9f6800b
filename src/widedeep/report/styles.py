"""What belongs to an answer that is told short, or as a report?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from widedeep import text as words
from widedeep.costs import Style
from widedeep.evidence import cited
from widedeep.messages import Answer, Citation, LedgerEntry, Quote, Source
from widedeep.report.inert import inert, one_line
from widedeep.report.words import said

STYLES: tuple[Style, ...] = ("short", "brief", "report")

Ledger = Sequence[LedgerEntry]

_FROM_LEDGER = ("Still open: ", "Refuted: ")
"""How notes begin that a report has from the ledger itself."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A sub-question, and the quotes that speak for or against it."""

    text: str
    quotes: tuple[Quote, ...]


def short(answer: Answer) -> str:
    """Return the short answer with its source numbers, else the first sentence or the table."""
    text = inert(answer.text).strip()
    bare = said(answer)
    if not bare:
        return _first(text)
    found = cited(_holding(bare, text)) or cited(text)
    if cited(bare) or not found:
        return bare
    return " ".join((bare, *(f"[{n}]" for n in found)))


def short_sources(answer: Answer) -> tuple[Citation, ...]:
    """Return the citations that the short form names."""
    numbers = set(cited(short(answer)))
    return tuple(one for one in answer.citations if one.n in numbers)


def evidence(answer: Answer, ledger: Ledger) -> tuple[Finding, ...]:
    """Return what supports the answer: sub-questions with quotes, then other cited passages."""
    supported = [entry for entry in ledger if entry.state != "refuted" and entry.quotes]
    findings = _joined(supported)
    told = {quote.n for finding in findings for quote in finding.quotes}
    others = tuple(Quote(one.n, one.quote) for one in answer.citations if one.n not in told)
    rest = tuple(quote for quote in others if quote.text.strip())
    title = "Also cited" if findings else "What the answer cites"
    return (*findings, Finding(title, rest)) if rest else findings


def contradicted(ledger: Ledger) -> tuple[Finding, ...]:
    """Return what the sources speak against, with the quotes that do."""
    return _joined(entry for entry in ledger if entry.state == "refuted" and entry.quotes)


def unsettled(answer: Answer, ledger: Ledger) -> tuple[str, ...]:
    """Return the sub-questions without support; without a ledger, what the notes say of it."""
    if not ledger:
        noted = (note for note in answer.notes if note.startswith(_FROM_LEDGER))
        return tuple(one_line(note).removeprefix(_FROM_LEDGER[0]) for note in noted)
    closed = {one_line(entry.text) for entry in ledger if entry.state == "supported"}
    still = (one_line(entry.text) for entry in ledger if entry.state == "open")
    return tuple(text for text in dict.fromkeys(still) if text not in closed)


def doubted(answer: Answer) -> tuple[int, ...]:
    """Return the numbers of the sources that do not bear out what cites them."""
    return tuple(one.n for one in answer.citations if not one.verified)


def run_notes(answer: Answer) -> tuple[str, ...]:
    """Return the notes that are about the run, and not about what it found."""
    return tuple(note for note in answer.notes if not note.startswith(_FROM_LEDGER))


def used(answer: Answer, ledger: Ledger) -> tuple[Source, ...]:
    """Return the sources that the report names, in the order of their numbers."""
    findings = (*evidence(answer, ledger), *contradicted(ledger))
    numbers = {quote.n for finding in findings for quote in finding.quotes}
    numbers |= {one.n for one in answer.citations}
    return tuple(source for source in answer.sources if source.n in numbers)


def _joined(entries: Iterable[LedgerEntry]) -> tuple[Finding, ...]:
    """Return entries as findings; those of one text are one, and none has a quote twice."""
    quotes: dict[str, dict[tuple[int, str], Quote]] = {}
    for entry in entries:
        kept = quotes.setdefault(one_line(entry.text), {})
        for quote in entry.quotes:
            kept.setdefault((quote.n, one_line(quote.text)), quote)
    return tuple(Finding(text, tuple(kept.values())) for text, kept in quotes.items())


def _holding(short: str, text: str) -> str:
    """Return the first sentence, or line of a table, that holds the short answer and cites."""
    wanted = words.fold(short)
    pieces = (piece for piece in words.sentences(text) if cited(piece))
    return next((piece for piece in pieces if wanted in words.fold(piece)), "")


def _first(text: str) -> str:
    """Return the first sentence below headings; a table or list that comes first as a whole."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    rows = 0
    while rows < len(lines) and lines[rows].lstrip().startswith(("|", "- ", "* ")):
        rows += 1
    return "\n".join(lines[:rows]) if rows else next(iter(words.sentences("\n".join(lines))), "")
