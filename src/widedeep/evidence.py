"""What the run has met and whether the answer rests on it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from widedeep import text as words
from widedeep.messages import Citation, Found, LedgerEntry, Quote, Source

PATIENCE = 3
"""Turns in a row that may bring nothing new before the run must answer."""

QUOTE_LENGTH = 300
"""Characters of a quote."""

_MARK = re.compile(r"\[(\d+(?:\s*[,;]\s*\d+)*)\](?!\()")


class Sources:
    """The numbered sources of a run; a source met again keeps its number."""

    def __init__(self) -> None:
        self._first: dict[str, Source] = {}
        self._texts: dict[int, list[str]] = {}
        self._fresh: list[Source] = []

    def __len__(self) -> int:
        return len(self._first)

    def meet(self, found: Found, turn: int) -> Source:
        """Return the source as met now."""
        known = self._first.get(found.id)
        n = known.n if known else len(self._first) + 1
        first_turn = known.turn if known else turn
        source = Source(n, found.id, found.text, found.kind, found.title, found.url, first_turn)
        texts = self._texts.setdefault(n, [])
        if found.text not in texts:
            texts.append(found.text)
            self._fresh.append(source)
        self._first.setdefault(found.id, source)
        return source

    def take_fresh(self) -> tuple[Source, ...]:
        """Return what was met since this was last asked: new sources, or more of known ones."""
        fresh, self._fresh = tuple(self._fresh), []
        return fresh

    def all(self) -> tuple[Source, ...]:
        """Return every source once, with all of its text that was met."""
        return tuple(_whole(source, self._texts[source.n]) for source in self._first.values())

    def titled(self, n: int) -> str | None:
        """Return title and text of source `n`, or None when there is no such source."""
        if n not in self._texts:
            return None
        source = next(s for s in self._first.values() if s.n == n)
        return "\n".join([source.title or "", *self._texts[n]])

    def passages(self, n: int) -> list[str]:
        """Return the texts of source `n` in the order they were met."""
        return self._texts.get(n, [])


class Novelty:
    """The stop rule: `PATIENCE` turns in a row that bring nothing new end the search."""

    def __init__(self) -> None:
        self._ledger: dict[str, LedgerEntry] = {}
        self._stale = 0

    def changed(self, entries: Iterable[LedgerEntry]) -> tuple[LedgerEntry, ...]:
        """Return the ledger entries that were added or changed, and remember them."""
        fresh = tuple(entry for entry in entries if self._ledger.get(entry.id) != entry)
        self._ledger.update({entry.id: entry for entry in fresh})
        return fresh

    @property
    def ledger(self) -> tuple[LedgerEntry, ...]:
        """The ledger as it stands."""
        return tuple(self._ledger.values())

    def turn(self, *, new: bool) -> bool:
        """Count a turn; True when the search has gone stale."""
        self._stale = 0 if new else self._stale + 1
        return self._stale >= PATIENCE


def _whole(source: Source, texts: list[str]) -> Source:
    """Return the source with all of its text; most were met once and stay as they are."""
    return source if len(texts) == 1 else replace(source, text="\n".join(texts))


def cited(answer: str) -> list[int]:
    """Return the source numbers that a text cites, each once, in order."""
    found = [int(n) for mark in _MARK.findall(answer) for n in re.split(r"\s*[,;]\s*", mark)]
    return list(dict.fromkeys(found))


def check(answer: str, sources: Sources) -> tuple[tuple[Citation, ...], tuple[str, ...]]:
    """Check every citation of an answer against the sources it names.

    The numbers, dates and names of a sentence must occur in the joint text of the sources it
    cites, and each of these must hold one; a sentence with none must share half its content words
    with one passage. A citation is verified when every sentence that cites it is supported.

    Args:
        answer: text in which sentences and table cells end in `[n]`.
        sources: what the run met.

    Returns:
        One citation for each source cited, and a note for each number that no source has.
    """
    supported: dict[int, list[bool]] = {}
    claims: dict[int, list[str]] = {}
    for claim in _claims(answer):
        known = [n for n in cited(claim) if sources.titled(n) is not None]
        stated = _MARK.sub(" ", claim)
        for n, holds in _support(stated, known, sources).items():
            supported.setdefault(n, []).append(holds)
            claims.setdefault(n, []).append(stated)
    by_number = {source.n: source for source in sources.all()}
    citations = tuple(
        Citation(
            n=n,
            source=by_number[n].id,
            title=by_number[n].title,
            quote=_quote(claims[n], sources.passages(n)),
            verified=all(supported[n]),
        )
        for n in sorted(supported)
    )
    unknown = [n for n in cited(answer) if n not in by_number]
    return citations, tuple(f"The answer cites [{n}], which no source has." for n in unknown)


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
        best.append((top, Quote(source.n, lines[scores.index(top)][:QUOTE_LENGTH])))
    best.sort(key=lambda pair: (-pair[0], pair[1].n))
    return [quote for _, quote in best[:most]]


def _claims(answer: str) -> list[str]:
    """Return the sentences and table cells of an answer that cite something."""
    claims: list[str] = []
    for line in answer.splitlines():
        if line.lstrip().startswith("|"):
            claims += [cell for cell in line.strip().strip("|").split("|") if _MARK.search(cell)]
        else:
            claims += [sentence for sentence in words.sentences(line) if _MARK.search(sentence)]
    return claims


def _support(claim: str, numbers: list[int], sources: Sources) -> dict[int, bool]:
    """Return for each cited source whether the claim, and its part in it, is supported."""
    texts = {n: sources.titled(n) or "" for n in numbers}
    facts = _facts(claim)
    if not facts:
        wanted = words.content_words(claim)
        passages = {n: [texts[n], *sources.passages(n)] for n in numbers}
        return {
            n: bool(wanted) and max(words.overlap(wanted, p) for p in passages[n]) >= 0.5
            for n in numbers
        }
    held = {n: facts & _held(text, claim) for n, text in texts.items()}
    whole = facts <= set[str]().union(*held.values()) if held else False
    return {n: whole and bool(held[n]) for n in numbers}


def _facts(claim: str) -> set[str]:
    """Return the numbers, days and names that a claim states, each with a mark of its kind."""
    days = {f"day {day}" for day in words.dates(claim)}
    rest = words.without_dates(claim)
    numbers = {f"number {number}" for number in words.numbers(rest)}
    return days | numbers | {f"name {name}" for name in words.names(rest)}


def _held(text: str, claim: str) -> set[str]:
    """Return all facts that a source's text holds, in the form of `_facts`."""
    days = {f"day {day}" for day in words.dates(text)} if words.dates(claim) else set[str]()
    numbers = {f"number {number}" for number in words.numbers(text)}
    plain = words.words(text)
    parts = [part for word in plain for part in word.split("'")]
    return days | numbers | {f"name {word}" for word in (*plain, *parts)}


def _quote(claims: list[str], passages: list[str]) -> str:
    """Return the line of the passages that is closest to what is claimed of them."""
    wanted = set(words.content_words(" ".join(claims)))
    lines = [line for passage in passages for line in words.sentences(passage)]
    if not lines:
        return ""
    return max(lines, key=lambda line: words.overlap(wanted, line))[:QUOTE_LENGTH]
