"""Whether a value is said of what a claim says it of, or only stands in the same source."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property

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


class Line:
    """One line of a source, taken apart once."""

    __slots__ = ("__dict__", "text")

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def label(self) -> str | None:
        """What stands before the colon of a `label: value` line."""
        return self.text.partition(": ")[0] if labelled(self.text) else None

    @cached_property
    def words(self) -> frozenset[str]:
        """The folded words."""
        return frozenset(words.words(self.text))

    @cached_property
    def numbers(self) -> set[str]:
        """The numbers, each in one form."""
        return words.numbers(self.text)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The beginnings of the content words."""
        return frozenset(_stems(self.text))

    @cached_property
    def label_stems(self) -> frozenset[str]:
        """The beginnings of the label's content words."""
        return frozenset(_stems(self.text.partition(": ")[0]))

    @cached_property
    def value(self) -> Line:
        """The line without its label and without the year that its value is of."""
        return Line(_AS_OF.sub(" ", self.text.partition(": ")[2]))

    def holds(self, value: str, claim: str) -> bool:
        """Say whether a number (perhaps rounded, as the claim says) or a word stands here."""
        if value.lstrip("-")[0].isdigit():
            return stands(value, self.numbers, claim)
        return value in self.words or value.removesuffix("'s") in self.words


class Labels:
    """The lines of a source as far as labels bind values to what they are said of."""

    def __init__(self, title: str, lines: Iterable[str]) -> None:
        self._title = title
        self._lines = [Line(line) for line in lines]
        self._labelled = [line for line in self._lines if line.label is not None]

    @cached_property
    def _words(self) -> set[str]:
        """The words of all labels: a capital letter makes no name of them."""
        return {word for line in self._labelled for word in words.words(line.label or "")}

    @cached_property
    def _weights(self) -> dict[str, float]:
        """How telling each word is: rare in the source's lines is telling."""
        counts = Counter(stem for line in self._lines for stem in line.stems)
        total = len(self._lines)
        return {stem: math.log(1 + total / count) for stem, count in counts.items()}

    def bind(self, claim: str, about: str) -> bool:
        """Say whether the source says the claim's values of what the claim says them of.

        Only lines `label: value` are judged: prose says a thing in too many ways for rules.

        Args:
            claim: the sentence or table cell, without its citation.
            about: what a table cell stands under and beside; else empty.

        Returns:
            False when the label of one line fits the claim's words well, and one of its values
            stands only in lines that fit them much worse.
        """
        title = self._title
        said = set(words.words(f"{title} {about} {claim}")) | NEUTRAL | words.STOP
        values = _values(claim, set(words.words(title)), self._words)
        held = self._holding(values, claim)
        subject = set(_stems(title))
        own = {stem for value in values for stem in _stems(value)}
        said_of = self._unqualified(f"{about} {claim}")
        wanted = (set(_stems(said_of)) - subject - own - NEUTRAL) & set(self._weights)
        if not wanted or any(
            _quoted(line, said, values) for found in held.values() for line in found
        ):
            return True
        fits = {id(line): self._fit(line, wanted, subject) for line in self._labelled}
        best = max(fits.values(), default=0.0)
        if best < CLEAR:
            return True
        asked = frozenset(wanted.difference(_stems(_stated(claim))))
        others = self._others(asked, subject | NEUTRAL)
        fitting = {key for key, fit in fits.items() if fit > best - MARGIN} - others
        return all(any(id(line) in fitting for line in found) for found in held.values())

    def _holding(self, values: list[str], claim: str) -> dict[str, list[Line]]:
        """Return for each value that the source has at all the lines that say it.

        A year that a value is of is not the value: no line may be left.
        """
        stated = words.numbers(words.without_dates(_stated(claim)))
        held: dict[str, list[Line]] = {}
        for value in values:
            found = [line for line in self._lines if line.holds(value, claim)]
            if not found:
                continue
            if stated == {value}:
                found = [line for line in found if _own(line).holds(value, claim)]
            held[value] = found
        return held

    def _unqualified(self, claim: str) -> str:
        """Return the claim without brackets that no label has: `Languages (largest share)`."""
        for bracket in _QUALIFIER.findall(claim):
            stems = _stems(bracket)
            if not any(line.label_stems.issuperset(stems) for line in self._labelled):
                claim = claim.replace(bracket, " ")
        return claim

    def _others(self, asked: frozenset[str], neutral: set[str]) -> set[int]:
        """Return the lines of other labels than the one that a claim names in full, if it does.

        They lack a word of it and have another: `female` for `male`.
        """
        if not any(line.label_stems - neutral == asked for line in self._labelled):
            return set()
        return {
            id(line)
            for line in self._labelled
            if not asked <= line.stems and not line.label_stems <= asked | neutral
        }

    def _fit(self, line: Line, wanted: set[str], subject: set[str]) -> float:
        """Return how well a labelled line fits the words: what it has, less what its label adds."""
        weights = self._weights
        whole = sum(weights[stem] for stem in wanted)
        shared = sum(weights[stem] for stem in wanted & line.stems)
        extra = line.label_stems - wanted - subject - NEUTRAL
        of_label = sum(weights[stem] for stem in wanted & line.label_stems)
        return (0.5 * shared + 0.5 * of_label - 0.3 * sum(weights[s] for s in extra)) / whole


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


def _quoted(line: Line, said: set[str], values: list[str]) -> bool:
    """Say whether a claim has every word of a line, and it says more than a value: no heading."""
    return not line.words.issubset(values) and line.words <= said


def _stated(claim: str) -> str:
    """Return what a claim says that something is: what follows its last `is`."""
    copula = _COPULA.match(claim)
    return claim[copula.end() :] if copula else ""


def _own(line: Line) -> Line:
    return line if line.label is None else line.value


def _values(claim: str, title: set[str], labels: set[str]) -> list[str]:
    """Return the numbers and the capitalised words of a claim that must stand in a fitting line.

    A word of a label need not, except in what the claim says that something is.
    """
    names = words.names(claim) - title - (labels - set(words.words(_stated(claim))))
    numbers = words.numbers(words.without_dates(claim))
    return sorted(numbers) + [name for name in words.words(claim) if name in names]


def _stems(text: str) -> list[str]:
    """Return the content words, cut so that forms of one word are equal."""
    return [word[:5] for word in words.content_words(text) if not word[0].isdigit()]
