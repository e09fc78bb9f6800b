"""Where in the evidence is an attribute stated, and which document is described?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from widedeep.models.builtin.folding import fold
from widedeep.models.builtin.match import FITS, HALF_FITS, SURE, fitter, label_fit, preference
from widedeep.models.builtin.prose import sentence_fit, span
from widedeep.models.builtin.question import Attribute, Described
from widedeep.models.builtin.read import Document, Line, about
from widedeep.models.builtin.values import measure, short, years
from widedeep.models.builtin.words import stem, tokens


@dataclass(frozen=True, slots=True)
class Finding:
    """What a line of a document states: `value` is the part that answers.

    `is_sure`: a better line is hardly to be expected elsewhere in the document.
    """

    document: Document
    line: Line
    value: str
    short: str
    fit: float
    is_sure: bool = True


def stated(
    document: Document, asked: Attribute, year: int | None, item: str | None
) -> Finding | None:
    """Return the labelled line that states an attribute best, the latest of equals.

    Args:
        document: where to look.
        asked: the attribute.
        year: the year asked for.
        item: a name that the value must hold.
    """
    best: tuple[tuple[float, int, int], Finding] | None = None
    fit = fitter(asked, year)
    for at, line in enumerate(document.lines):
        fits = fit(line)
        if fits < FITS or (item and not mentions(line.value, item)):
            continue
        latest = max(years(line.text), default=0) if year is None else 0
        key = (round(fits + preference(asked, line.value), 2), latest, -at)
        if best is None or key > best[0]:
            best = (
                key,
                Finding(
                    document,
                    line,
                    line.value,
                    answering(asked, line.value, item),
                    fits,
                    fits >= SURE and not _may_have_later(document, line, year),
                ),
            )
    return best[1] if best else _role(document, asked)


def _may_have_later(document: Document, line: Line, year: int | None) -> bool:
    """Tell whether a value for a later year may stand right beside what has been read."""
    return year is None and bool(years(line.label)) and line not in document.inner


def answering(asked: Attribute, value: str, item: str | None) -> str:
    """Return the part of a value that answers: the measure after a name, the place after "from"."""
    plain = short(value)
    if item is not None and asked.kind in ("number", "percent"):
        parts = (short(part) for part in re.split(r"[;,](?!\d)", value) if mentions(part, item))
        plain = next(parts, plain)
    if asked.kind == "number" and (found := measure(plain)):
        return found
    if asked.kind == "place" and (origin := re.search(r"\((?:\w+ )?from ([^()]+)\)", value)):
        return origin[1]
    return plain


def told(
    documents: Iterable[Document], asked: Attribute, year: int | None, name: str
) -> Finding | None:
    """Return the sentence of prose that states an attribute of what bears a name best."""
    best: Finding | None = None
    for document in documents:
        titled = about(document, name) >= 1.0
        for line in document.prose:
            fits = sentence_fit(asked, line.value, year, name, titled=titled)
            if fits >= FITS and (best is None or fits > best.fit):
                value = span(asked, line.value, name) or ""
                best = Finding(document, line, value, value, fits)
    return best


_ROLE_NAME = r"\s+(?P<name>[^\W\d_a-zß-ÿ][\w'.-]*(?:\s(?:[a-z]{2,3}\s)?[^\W\d_a-zß-ÿ][\w'.-]*)*)"


def _role(document: Document, asked: Attribute) -> Finding | None:
    """Return who is said to bear a title: `chief of state: President Ada LOVELACE`."""
    if asked.kind != "person" or not asked.required:
        return None
    title = r"[\s-]+".join(re.escape(word) for word in asked.text.split())
    pattern = re.compile(rf"(?:^|[;(,]\s*)(?i:{title}){_ROLE_NAME}")
    for line in document.lines:
        if line.label and (match := pattern.search(line.value)):
            return Finding(document, line, line.value, match["name"], FITS)
    return None


def described(documents: Iterable[Document], subject: Described) -> list[Finding]:
    """Return the documents that a description fits best, each with the line that says so."""
    found: dict[int, Finding] = {}
    for document in documents:
        for line in document.lines:
            fits = _described_fit(subject, document, line)
            if fits >= FITS and (document.n not in found or fits > found[document.n].fit):
                found[document.n] = Finding(document, line, line.value, short(line.value), fits)
    best = max((finding.fit for finding in found.values()), default=0.0)
    return [finding for finding in found.values() if finding.fit >= best - 0.03]


def _described_fit(subject: Described, document: Document, line: Line) -> float:
    if line.label:
        fits = label_fit(subject.attribute, line.label)
        return _stated_fit(subject, line.value, fits) if fits >= HALF_FITS else 0.0
    if document.is_structured or fold(document.title) == fold(subject.value):
        return 0.0
    if not holds(line.value, subject.value):
        return 0.0
    fits = sentence_fit(subject.attribute, line.value, None, document.title, titled=True)
    return fits if fits >= FITS else 0.0


def _stated_fit(subject: Described, value: str, fits: float) -> float:
    """Return the fit of a line by its label and its value; the very value makes up for a label."""
    stated = holds(value, subject.longer) if subject.longer else 0.0
    stated = stated or 0.97 * holds(value, subject.value)
    if fits < FITS:
        return FITS if stated > 0.95 else 0.0
    return fits * stated


@lru_cache(maxsize=65536)
def holds(text: str, value: str) -> float:
    """Return how plainly a text states a value: 1 it is the value, 0.6 it holds it, 0 not."""
    wanted, found = _stems(value), _stems(text)
    if not wanted or not _within(wanted, found):
        return 0.0
    plain = _stems(short(text))
    if wanted in (plain, found):
        return 1.0 if tokens(value) == tokens(short(text)) else 0.96
    if any(wanted == _stems(item) for item in _items(text)):
        return 0.9
    if plain[: len(wanted)] == wanted and (len(plain) - len(wanted) <= 3):
        return 0.85 if fold(value) in fold(text) else 0.78
    return 0.62 if len(found) <= len(wanted) + 12 else 0.0


def mentions(text: str, name: str) -> bool:
    """Tell whether a text holds a name, as whole words."""
    return _within(_stems(name), _stems(text))


def _items(text: str) -> Iterator[str]:
    for part in re.split(r"[;,]| or | and ", re.sub(r"\([^()]*\)", " ", text)):
        yield short(part)
        yield re.sub(r"[-–]?[\d.,]+\s?(?:%|km|m|sq km)?", " ", part)
    yield from re.findall(r"\(([^()]*)\)", text)
    yield from re.findall(r"\"([^\"]*)\"", text)


@lru_cache(maxsize=65536)
def _stems(text: str) -> tuple[str, ...]:
    return tuple(stem(token) for token in tokens(text) if token not in ("the", "a", "an"))


def _within(wanted: tuple[str, ...], found: tuple[str, ...]) -> bool:
    size = len(wanted)
    return any(found[at : at + size] == wanted for at in range(len(found) - size + 1))
