"""Whether the sentences of an answer stand in the sources that they cite."""

from __future__ import annotations

import re
from dataclasses import dataclass

from widedeep import text as words
from widedeep.evidence.pages import Pages, Standing
from widedeep.evidence.placing import misplaced
from widedeep.evidence.quotes import closest
from widedeep.evidence.rounding import stands
from widedeep.evidence.sources import Sources
from widedeep.messages import Citation

_MARK = re.compile(r"\[(\d+(?:\s*[,;]\s*\d+)*)\](?!\()")
_RULE = re.compile(r"^\|?[\s:|-]*-[\s:|-]*\|?$")


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that an answer states with a citation; `about` is the table row and column."""

    text: str
    cites: tuple[int, ...]
    about: str = ""


def cited(answer: str) -> list[int]:
    """Return the source numbers that a text cites, each once, in order."""
    found = [int(n) for mark in _MARK.findall(answer) for n in re.split(r"\s*[,;]\s*", mark)]
    return list(dict.fromkeys(found))


def check(answer: str, sources: Sources) -> tuple[tuple[Citation, ...], tuple[str, ...]]:
    """Check every citation of an answer against the sources it names.

    The numbers, dates and names of a sentence must occur in the joint text of the sources it
    cites, and each of these must hold one; a number that is rounded must round to it. What is
    stated of them must not fit another number or name of the source much better, unless a source
    has the sentence word for word. A sentence without any must share half its content words with
    one passage. A citation is verified when every sentence that cites it is supported.

    Args:
        answer: text in which sentences and table cells end in `[n]`.
        sources: what the run met.

    Returns:
        One citation for each source cited, and a note for each number that no source has.
    """
    supported: dict[int, list[bool]] = {}
    claims: dict[int, list[str]] = {}
    pages = Pages(sources)
    for claim in _claims(answer):
        known = [n for n in claim.cites if sources.titled(n) is not None]
        for n, holds in _support(claim, known, sources, pages).items():
            supported.setdefault(n, []).append(holds)
            claims.setdefault(n, []).append(f"{claim.about} {claim.text}")
    by_number = {source.n: source for source in sources.all()}
    citations = tuple(
        Citation(
            n=n,
            source=by_number[n].id,
            title=by_number[n].title,
            quote=closest(claims[n], by_number[n].title, sources.passages(n)),
            verified=all(supported[n]),
        )
        for n in sorted(supported)
    )
    unknown = [n for n in cited(answer) if n not in by_number]
    return citations, tuple(f"The answer cites [{n}], which no source has." for n in unknown)


def _claims(answer: str) -> list[Claim]:
    """Return the sentences and table cells of an answer that cite something."""
    claims: list[Claim] = []
    columns: list[str] = []
    lines = answer.splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=False):
        if not line.lstrip().startswith("|"):
            columns = []
            claims += [_claim(s) for s in words.sentences(line) if _MARK.search(s)]
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if _RULE.match(following.strip()):
            columns = cells
        for at, cell in enumerate(cells):
            if _MARK.search(cell):
                column = columns[at] if at < len(columns) else ""
                claims.append(_claim(cell, f"{cells[0] if at else ''} {column}"))
    return claims


def _claim(text: str, about: str = "") -> Claim:
    return Claim(_MARK.sub(" ", text).strip(), tuple(cited(text)), _MARK.sub(" ", about).strip())


def _support(claim: Claim, numbers: list[int], sources: Sources, pages: Pages) -> dict[int, bool]:
    """Return for each cited source whether the claim, and its part in it, is supported."""
    facts = _facts(claim.text)
    if not facts:
        wanted = words.content_words(claim.text)
        texts = {n: sources.titled(n) or "" for n in numbers}
        passages = {n: [texts[n], *sources.passages(n)] for n in numbers}
        return {
            n: bool(wanted) and max(words.overlap(wanted, p) for p in passages[n]) >= 0.5
            for n in numbers
        }
    held = {n: _held(facts, pages.page(n).stands, claim.text) for n in numbers}
    if not facts <= set[str]().union(*held.values()):
        return dict.fromkeys(numbers, False)
    quoting = not claim.about and any(pages.page(n).stands.says(claim.text) for n in numbers)
    elsewhere = set[int]() if quoting else _elsewhere(claim, numbers, pages)
    return {n: bool(held[n]) and n not in elsewhere for n in numbers}


def _elsewhere(claim: Claim, numbers: list[int], pages: Pages) -> set[int]:
    """Return which sources say a value of the claim of something else than the claim does."""
    cited = [pages.page(n) for n in numbers]
    if len(cited) == 1 and not cited[0].labels.bind(claim.text, claim.about):
        return set(numbers)
    found = misplaced(claim.text, [page.prose for page in cited])
    return {numbers[at] for at in found}


def _facts(claim: str) -> set[str]:
    """Return the numbers, days and names that a claim states, each with a mark of its kind."""
    days = {f"day {day}" for day in words.dates(claim)}
    rest = words.without_dates(claim)
    numbers = {f"number {number}" for number in words.numbers(rest)}
    return days | numbers | {f"name {name}" for name in words.names(rest)}


def _held(facts: set[str], source: Standing, claim: str) -> set[str]:
    """Return those facts of a claim that a source holds."""
    found: set[str] = set()
    for fact in facts:
        kind, _, value = fact.partition(" ")
        if kind == "number":
            holds = stands(value, source.numbers, claim)
        elif kind == "name":
            holds = value in source.words or value.removesuffix("'s") in source.words
        else:
            holds = fact in source.days
        if holds:
            found.add(fact)
    return found
