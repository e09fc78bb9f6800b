"""How text is compared and cut: words, sentences, numbers, dates, names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

STOP = frozenset(
    (
        "a about above after again all also am an and any are as at be because been before being "
        "below between both but by can could did do does doing down during each few for from "
        "further had has have having he her here hers him his how i if in into is it its itself "
        "just me more most my no nor not now of off on once only or other our out over own same "
        "she should so some such than that the their them then there these they this those "
        "through to too under until up very was we were what when where which while who whom why "
        "will with would you your"
    ).split()
)

SIGNS = (
    r"\u0900-\u0963\u0971-\u0df3\u0e30-\u0e4e\u0eb0-\u0ece"
    r"\u0f71-\u0f84\u102b-\u103e\u17b4-\u17d3"
)
"""Vowel signs of the scripts of South Asia: parts of a word that `\\w` does not match."""

_LETTERS = rf"[^\W_]+(?:[{SIGNS}]+[^\W_]*)*"
_WORD = re.compile(rf"{_LETTERS}(?:['’][^\W_]+)?")
_MARKED = re.compile(r"[^\x00-\u02ff]+")
_END = re.compile(
    r"(?<=[.!?。！？।॥])[\"'”’)\]]*(?:\s*\[\d+(?:\s*[,;]\s*\d+)*\])*[.!?।॥]?(?=\s|$)|(?<=[。！？])"
)
_SHORT = re.compile(
    r"(?:\b(?:[A-Z]|Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|vs|etc|e\.g|i\.e|cf|est|ca|approx|No|Vol|Fig|Inc"
    r"|Ltd|Co|Corp|Gen|Col|Lt|Sgt|Rev|Hon|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.)$"
)
_LONGEST_SHORT = 8
NUMBER = re.compile(
    r"(?P<sign>(?<![\w)])[-−](?=\d))?"
    r"(?P<whole>\d{1,3}(?:[,'\u202f\u00a0]\d{3}(?!\d))+|\d+)(?:\.(?P<part>\d+))?"
    r"(?:[\s-]?(?P<scale>thousand|million|billion|trillion)\b)?",
    re.IGNORECASE,
)
_SCALE = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_MONTHS = {
    name: month
    for month, names in enumerate(
        "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug"
        "|september sep sept|october oct|november nov|december dec".split("|"),
        start=1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATES = (
    re.compile(
        rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<month>{_MONTH})\.?,? "
        r"(?P<year>\d{4})\b",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?P<month>{_MONTH})\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>\d{{4}})\b",
        re.IGNORECASE,
    ),
    re.compile(r"\b(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})\b"),
)
_SHORT_TEXT = 1000
"""Characters: words and sentences come again and again; of whole pages none is kept."""
_NAME = re.compile(r"(?<![^\W_])[^\W\d_a-zß-ÿ][^\W_]*(?:[-'’.&][^\W_]+)*")


def fold(text: str) -> str:
    """Return the text without case, accents and odd forms of a letter, spaces collapsed."""
    return _kept(text) if len(text) <= _SHORT_TEXT else _folded(text)


def _folded(text: str) -> str:
    if text.isascii():
        return " ".join(text.lower().split())
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    plain = _MARKED.sub(_unmarked, decomposed)
    return " ".join(plain.replace("’", "'").split())


def _unmarked(match: re.Match[str]) -> str:
    return "".join(c for c in match.group() if not unicodedata.combining(c))


_kept = lru_cache(maxsize=4096)(_folded)


def words(text: str) -> list[str]:
    """Return the folded words of the text."""
    return _WORD.findall(fold(text))


def content_words(text: str) -> list[str]:
    """Return the folded words that are no stop words, in order, repeats kept."""
    return [word for word in words(text) if word not in STOP]


def sentences(text: str) -> list[str]:
    """Return the sentences of the text; a line break ends one, an abbreviation does not."""
    found: list[str] = []
    for line in text.splitlines():
        start = 0
        for match in _END.finditer(line):
            if _SHORT.search(line, max(start, match.start() - _LONGEST_SHORT), match.start()):
                continue
            found.append(line[start : match.end()].strip())
            start = match.end()
        found.append(line[start:].strip())
    return [sentence for sentence in found if sentence]


def numbers(text: str) -> set[str]:
    """Return the numbers in the text in one form each: `1,234.50` and `1234.5` are the same."""
    return {plain_number(match) for match in NUMBER.finditer(text)}


def dates(text: str) -> set[tuple[int, int, int]]:
    """Return the days named in the text as (year, month, day)."""
    return {date for date, _ in _dates(text)}


def without_dates(text: str) -> str:
    """Return the text with the days named in it left out."""
    for _, span in _dates(text):
        text = text.replace(span, " ")
    return text


def names(sentence: str) -> set[str]:
    """Return the folded words of a sentence that look like parts of names: capitalised ones.

    The first word counts only when the next one is capitalised too: every sentence starts so.
    A script without capitals has no names.
    """
    found = list(_NAME.finditer(sentence))
    first = _WORD.search(sentence)
    kept: set[str] = set()
    for at, match in enumerate(found):
        opens = first is not None and match.start() == first.start()
        beside = at + 1 < len(found) and found[at + 1].start() - match.end() == 1
        if match.group()[0].isupper() and (not opens or beside):
            kept.update(word for word in words(match.group()) if word not in STOP)
    return kept


def overlap(wanted: Iterable[str], text: str) -> float:
    """Return the share of the wanted words that occur in the text, 0 to 1."""
    unique = set(wanted)
    if not unique:
        return 0.0
    return len(unique & set(words(text))) / len(unique)


def _dates(text: str) -> list[tuple[tuple[int, int, int], str]]:
    found: list[tuple[tuple[int, int, int], str]] = []
    for pattern in _DATES:
        for match in pattern.finditer(text):
            month = match["month"]
            number = int(month) if month.isdigit() else _MONTHS[month.lower()]
            found.append(((int(match["year"]), number, int(match["day"])), match.group()))
    return found


def plain_number(match: re.Match[str]) -> str:
    """Return a number that `NUMBER` matched without grouping, scale word and closing zeros."""
    if match.group().isdigit():
        return match.group().lstrip("0") or "0"
    places = _SCALE.get((match["scale"] or "").lower(), 0)
    fraction = match["part"] or ""
    whole = re.sub(r"\D", "", match["whole"]) + fraction[:places].ljust(places, "0")
    whole, fraction = whole.lstrip("0") or "0", fraction[places:].rstrip("0")
    sign = "-" if match["sign"] else ""
    return f"{sign}{whole}.{fraction}" if fraction else f"{sign}{whole}"
