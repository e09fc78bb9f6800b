"""Whether a value is said of what a claim says it of, or only stands in the same source."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable

from widedeep import text as words
from widedeep.evidence.rounding import stands

NEUTRAL = frozenset("total overall all name amount value number approximately about est".split())
"""Words of a label that change nothing about what it means."""

LABEL = 12
"""Words that the label of a `label: value` line has at most."""

_CLAUSE = re.compile(r"\b(?:he|she|it|they|is|was|are|were|has|had|that|as|by)\b")
_QUALIFIER = re.compile(r"\([^()]*\)")
_AS_OF = re.compile(r"\((?:FY)?\d{4}\b[^()]*\)")
_COPULA = re.compile(r"^.*\b(?:is|was|are|were)\b", re.DOTALL)

CLEAR = 0.7
"""How well a labelled line must fit the words of a claim before it says what they are about."""

MARGIN = 0.5
"""By how much that line must fit better than those that hold the value."""


def bound(claim: str, about: str, title: str, lines: list[str]) -> bool:
    """Say whether the source says the claim's values of what the claim says them of.

    Only lines `label: value` are judged: prose says a thing in too many ways for rules.

    Args:
        claim: the sentence or table cell, without its citation.
        about: what a table cell stands under and beside; else empty.
        title: of the cited source.
        lines: of the cited source.

    Returns:
        False when the label of one line fits the claim's words well, and one of its values stands
        only in lines that fit them much worse.
    """
    said = set(words.words(f"{title} {about} {claim}")) | NEUTRAL
    values = _values(claim, set(words.words(title)), _label_words(lines))
    held = {value: [line for line in lines if _holds(line, value, claim)] for value in values}
    held = {value: _saying(holding, value, claim) for value, holding in held.items() if holding}
    subject = set(_stems(title))
    own = {stem for value in values for stem in _stems(value)}
    weights = _weights(lines)
    said_of = _unqualified(f"{about} {claim}", lines)
    wanted = (set(_stems(said_of)) - subject - own - NEUTRAL) & set(weights)
    if not wanted or any(_quoted(line, said) for holding in held.values() for line in holding):
        return True
    fits = {line: _fit(line, wanted, subject, weights) for line in lines if labelled(line)}
    best = max(fits.values(), default=0.0)
    if best < CLEAR:
        return True
    return all(
        any(fits.get(line, 0.0) > best - MARGIN for line in holding) for holding in held.values()
    )


def _unqualified(claim: str, lines: list[str]) -> str:
    """Return the claim without brackets that no label has: `Languages (largest share)`."""
    labels = [set(_stems(line.partition(": ")[0])) for line in lines if labelled(line)]
    for bracket in _QUALIFIER.findall(claim):
        if not any(label.issuperset(_stems(bracket)) for label in labels):
            claim = claim.replace(bracket, " ")
    return claim


def _label_words(lines: Iterable[str]) -> set[str]:
    """Return the words of all labels: a capital letter makes no name of them."""
    labels = [line.partition(": ")[0] for line in lines if labelled(line)]
    return {word for label in labels for word in words.words(label)}


def labelled(line: str, title: str = "") -> bool:
    """Say whether a line is `label: value`; a title or a clause before a colon is no label."""
    label, colon, _ = line.partition(": ")
    return (
        bool(colon)
        and len(label.split()) <= LABEL
        and not (title and title.startswith(label))
        and label.count("(") == label.count(")")
        and not _CLAUSE.search(label)
    )


def _quoted(line: str, said: set[str]) -> bool:
    """Say whether a claim has every word of a line: then it says the line itself."""
    return set(words.content_words(line)) <= said


def _stated(claim: str) -> str:
    """Return what a claim says that something is: what follows its last `is`."""
    copula = _COPULA.match(claim)
    return claim[copula.end() :] if copula else ""


def _saying(lines: list[str], value: str, claim: str) -> list[str]:
    """Return the lines that say the value of their label: the year of a value is none."""
    stated = words.numbers(words.without_dates(_stated(claim)))
    if stated != {value}:
        return lines
    said = {line: _AS_OF.sub(" ", line.partition(": ")[2]) for line in lines if labelled(line)}
    return [line for line in lines if _holds(said.get(line, line), value, claim)]


def _values(claim: str, title: set[str], labels: set[str]) -> list[str]:
    """Return the numbers and the capitalised words of a claim that must stand in a fitting line.

    A word of a label need not, except in what the claim says that something is.
    """
    names = words.names(claim) - title - (labels - set(words.words(_stated(claim))))
    numbers = words.numbers(words.without_dates(claim))
    return sorted(numbers) + [name for name in words.words(claim) if name in names]


def _holds(line: str, value: str, claim: str) -> bool:
    if value.lstrip("-")[0].isdigit():
        return stands(value, words.numbers(line), claim)
    return value in words.words(line)


def _stems(text: str) -> list[str]:
    """Return the content words, cut so that forms of one word are equal."""
    return [word[:5] for word in words.content_words(text) if not word[0].isdigit()]


def _weights(lines: Iterable[str]) -> dict[str, float]:
    """Return how telling each word is: rare in the source's lines is telling."""
    counts: Counter[str] = Counter()
    total = 0
    for line in lines:
        counts.update(set(_stems(line)))
        total += 1
    return {stem: math.log(1 + total / count) for stem, count in counts.items()}


def _fit(line: str, wanted: set[str], subject: set[str], weights: dict[str, float]) -> float:
    """Return how well a labelled line fits the words: what it has, less what its label adds."""
    label = line.partition(": ")[0]
    whole = sum(weights[stem] for stem in wanted)
    shared = sum(weights[stem] for stem in wanted & set(_stems(line)))
    extra = set(_stems(label)) - wanted - subject - NEUTRAL
    of_label = sum(weights[stem] for stem in wanted & set(_stems(label)))
    return (0.5 * shared + 0.5 * of_label - 0.3 * sum(weights[s] for s in extra)) / whole
