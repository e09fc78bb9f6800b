"""Which words of the sources are kept for a question."""

from __future__ import annotations

from collections.abc import Iterable

from widedeep import text as words
from widedeep.evidence.sources import Sources
from widedeep.messages import LedgerEntry, Quote

LENGTH = 300
"""Characters of a quote."""


def kept(
    question: str, sources: Sources, ledger: Iterable[LedgerEntry], most: int = 5
) -> list[Quote]:
    """Return the quotes to answer with when the model cannot: the ledger's, else the closest."""
    quotes = [quote for entry in ledger for quote in entry.quotes]
    if quotes:
        return quotes[:most]
    wanted = words.content_words(question)
    best: list[tuple[float, Quote]] = []
    for source in sources.all():
        lines = words.sentences(source.text)
        if not lines:
            continue
        scores = [words.overlap(wanted, f"{source.title or ''} {line}") for line in lines]
        top = max(scores)
        best.append((top, Quote(source.n, lines[scores.index(top)][:LENGTH])))
    best.sort(key=lambda pair: (-pair[0], pair[1].n))
    return [quote for _, quote in best[:most]]


def closest(claims: list[str], title: str | None, passages: list[str]) -> str:
    """Return the line of the passages that is closest to what is claimed of them.

    Words of the title count only where nothing else is claimed: the heading would be closest.
    """
    said = set(words.content_words(" ".join(claims)))
    wanted = said - set(words.words(title or "")) or said
    lines = [line for passage in passages for line in words.sentences(passage)]
    if not lines:
        return ""
    return max(lines, key=lambda line: words.overlap(wanted, line))[:LENGTH]
