"""What do the sources met write with capitals that a question writes without?

A run of a question's words that is a title, or stands in prose as a name, is written as it is
there: the question can then be read like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from widedeep.models.builtin.chains.page import Page
from widedeep.models.builtin.chunks import chunks, is_open
from widedeep.models.builtin.clean import clean
from widedeep.models.builtin.folding import fold
from widedeep.models.builtin.names import OPENERS, is_caseless
from widedeep.models.builtin.words import is_generic
from widedeep.text import STOP

_ASIDE = re.compile(r"\s*\([^()]*\)")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_GAP = r"\W{1,3}"
_ARTICLES = frozenset(("the", "a", "an"))
_SMALL = frozenset(
    "of the a an and in on at for to with from by de la le el al del della di da do dos du des von "
    "van der den bin ibn y e".split()
)


def recased(text: str, titles: Iterable[str], pages: Sequence[Page]) -> str:
    """Return a question whose capitals say nothing with those that names have in the sources.

    Args:
        text: the question; one with telling capitals is returned as it is.
        titles: what the documents met are called.
        pages: those of them that are prose.
    """
    asked = clean(text)
    if not is_caseless(asked):
        return text
    low = asked.lower()
    met = (one.text for page in pages for each in page.sentences for one in each.mentions)
    said = frozenset(_words(low))
    kept = [words for words in dict.fromkeys(map(_named, (*titles, *met))) if _stands(words, said)]
    places = _apart(at for words in kept for at in _places(low, words, pages))
    for start, end, written in sorted(places, reverse=True):
        low = low[:start] + written + low[end:]
    return low if places else text


@lru_cache(maxsize=16384)
def _named(name: str) -> tuple[str, ...]:
    """Return the words of a name; none where one is small, as in the title `Prime minister`."""
    words = tuple(_WORD.findall(_ASIDE.sub("", name)))
    while words and words[0] in _SMALL:
        words = words[1:]
    telling = [word for word in words if word.lower() not in _SMALL]
    if not all(word.isdigit() or word != word.lower() for word in telling):
        return ()
    plain = [fold(word) for word in telling]
    says = any(not (w in STOP or w in OPENERS or w.isdigit() or is_generic(w)) for w in plain)
    return words if says else ()


def _stands(words: tuple[str, ...], said: frozenset[str]) -> bool:
    return bool(words) and all(word.lower() in said for word in words)


def _words(text: str) -> Iterator[str]:
    for match in _WORD.finditer(text):
        yield match.group()
        yield re.sub(r"['’]s?$", "", match.group())


def _places(
    low: str, words: tuple[str, ...], pages: Sequence[Page]
) -> Iterator[tuple[int, int, str]]:
    """Yield where a name stands in a question, and how it is written."""
    article = words[0] if words[0].lower() in _ARTICLES else ""
    rest = words[1:] if article else words
    pattern = _GAP.join(f"({re.escape(word.lower())})" for word in rest)
    lead = rf"(?:({article.lower()})\W+)?" if article else ""
    for match in re.finditer(rf"(?<![\w'’-]){lead}{pattern}(?![\w-])", low):
        if match.span() in _guessed(low) or not _is_plain(rest, pages):
            yield match.start(), match.end(), _written(match, words if article else rest)


def _written(match: re.Match[str], words: Sequence[str]) -> str:
    """Return the words of a match, each as a name's is; all between them stays as it is."""
    text, first = match.group(), match.start()
    for at, word in enumerate(words, start=1):
        if match.start(at) >= 0:
            text = text[: match.start(at) - first] + word + text[match.end(at) - first :]
    return text


def _guessed(low: str) -> frozenset[tuple[int, int]]:
    return frozenset((one.start, one.end) for one in chunks(low))


def _is_plain(words: tuple[str, ...], pages: Sequence[Page]) -> bool:
    """Tell whether the pages write the same words without capitals too."""
    if len(words) == 1:
        word = words[0].lower()
        return not is_open(fold(word)) or any(word in page.plain for page in pages)
    said = _GAP.join(re.escape(word.lower()) for word in words)
    small = re.compile(rf"\b{said}\b")
    return any(small.search(one.text) for page in pages for one in page.sentences)


def _apart(places: Iterable[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Return the longest places, none within another."""
    kept: list[tuple[int, int, str]] = []
    for one in sorted(places, key=lambda each: (each[0] - each[1], each)):
        if all(one[1] <= each[0] or one[0] >= each[1] for each in kept):
            kept.append(one)
    return kept
