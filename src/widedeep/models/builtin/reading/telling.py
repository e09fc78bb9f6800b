"""How is what prose says told: cited sentences, a short answer, the quotes best first?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from widedeep.messages import LedgerEntry, Quote
from widedeep.models.builtin.answer import Told
from widedeep.models.builtin.read import Document
from widedeep.models.builtin.reading.passage import Passage, passage
from widedeep.models.builtin.reading.reader import Reading, Sighting, read

_MARK = re.compile(r"\[(\d+)\]")
_NOTHING = "The sources that were met do not answer the question."
_UNCLEAR = "The sources that were met do not clearly answer the question. What comes closest:"


@dataclass(frozen=True, slots=True)
class Retold:
    """What prose says to a question, the quotes kept of it, and how firm that is.

    `is_firm`: it is resolved, or its support accounts for every word of the question.
    """

    told: Told
    ledger: tuple[LedgerEntry, ...]
    is_resolved: bool
    is_firm: bool


def retell(question: str, documents: Sequence[Document]) -> Retold:
    """Return what the prose among the documents says to a question."""
    reading = read(question, passages(documents))
    firm = reading.is_resolved or (reading.short is not None and reading.sure >= 1.0)
    return Retold(told(reading, firm=firm), ledger(question, reading), reading.is_resolved, firm)


def passages(documents: Iterable[Document]) -> list[Passage]:
    """Return the documents that are prose, as passages."""
    return [
        passage(each.n, each.title, "\n".join(line.text for line in each.lines))
        for each in documents
        if not each.is_structured
    ]


def told(reading: Reading, *, firm: bool) -> Told:
    """Return the answer that a reading gives: the sentences it rests on, or that there is none.

    One that is not firm is no answer: the closest sentences are told as such.
    """
    if reading.short is None:
        return Told(_NOTHING, abstains=True)
    said = " ".join(_cited(each) for each in reversed(reading.support))
    if not firm:
        return Told(f"{_UNCLEAR} {said}", reading.short, abstains=True)
    opens = {"yes": "Yes: ", "no": "No: "}.get(reading.short, "")
    return Told(opens + said, reading.short)


def ledger(question: str, reading: Reading) -> tuple[LedgerEntry, ...]:
    """Return the quotes of a reading as the ledger's entry of the question, best first."""
    quotes = tuple(Quote(each.passage.n, each.text) for each in reading.quotes)
    state = "open" if reading.short is None else "supported"
    return (LedgerEntry("answer", question, state, quotes),) if quotes else ()


def _cited(sighting: Sighting) -> str:
    said = _MARK.sub(r"(\1)", " ".join(sighting.text.split()))
    closed = said if said.endswith((".", "!", "?")) else f"{said}."
    title = sighting.passage.title
    lead = f"{title}: " if title else ""
    return f"{lead}“{closed}” [{sighting.passage.n}]"
