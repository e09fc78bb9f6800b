"""Where in a question without capitals would names stand, by the grammar of English?

After a noun that says what something is (`the song x`), before `'s`, after a preposition without
an article, beside an auxiliary or a relative word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from widedeep.models.builtin.folding import fold
from widedeep.models.builtin.names import OPENERS
from widedeep.models.builtin.words import PREPOSITIONS, is_generic
from widedeep.text import STOP

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_WORKS = frozenset(
    "film movie song single album novel book play series show opera poem band magazine newspaper "
    "journal game musical episode".split()
)
_THINGS = frozenset(
    "city town village county country state province region district place location river lake "
    "mountain island company firm university college school club team person man woman actor "
    "actress singer author writer director composer producer performer artist politician king "
    "queen president founder owner character".split()
)
_KIN = frozenset(
    "father mother wife husband son daughter brother sister child spouse parent sibling".split()
)
_AUXILIARIES = frozenset(
    "is are was were be been do does did has have had can could will would".split()
)
_VERBS = _AUXILIARIES | frozenset(
    "born die died dies located situated found founded written wrote write writes directed release "
    "released published produced performed performing sung sang recorded composed formed fought "
    "held made created built played plays starred starring stars live lived lives work worked works"
    " married named known based served serve attend attended study studied graduated belong belongs"
    " come comes came start started begin began end ended win won happen happened become became "
    "sing occur occurred called said owned owns governed ruled released".split()
)
_RELATIVES = frozenset("where which that when who whom whose".split())
_RELATIONS = frozenset(
    "birth death burial origin marriage older younger oldest youngest earlier later earliest "
    "latest newer bigger smaller larger longer shorter higher lower".split()
)
_ARTICLES = frozenset(("the", "a", "an"))
_LISTING = frozenset(("and", "or"))
_NO_TITLE = _VERBS | _RELATIVES | PREPOSITIONS | _LISTING
"""What goes on with a sentence after `the film`, where no title follows."""

_JOINING = frozenset("of the de la von van der del di da du bin".split())
_PAUSE = re.compile(r"[,;:?!()\"]")
_AFTER_PREPOSITION = 0.7
"""Even `brother` is a name where it has no article."""

_NUMERAL = re.compile(r"i{1,3}|i?vi{0,3}|i?xi{0,3}")
_WEAKER = 0.4
"""What it costs that an article stands before words: common nouns have one too."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Words from `start` to before `end` that may be a name, and how likely that is, 0 to 1."""

    start: int
    end: int
    text: str
    likely: float


@dataclass(frozen=True, slots=True)
class _Said:
    """A question's words: their folded forms, where they stand, what stands before each."""

    text: str
    words: tuple[str, ...]
    places: tuple[tuple[int, int], ...]
    pauses: tuple[bool, ...]


@lru_cache(maxsize=512)
def chunks(text: str) -> tuple[Chunk, ...]:
    """Return where names may stand in a question, the likeliest first, none within another."""
    said = _said(text)
    kept: list[Chunk] = []
    for likely, first, end in sorted(_all(said), key=lambda one: (-one[0], one[1])):
        start, stop = said.places[first][0], said.places[end - 1][1]
        words = re.sub(r"['’]s?$", "", text[start:stop])
        if all(stop <= one.start or start >= one.end for one in kept):
            kept.append(Chunk(start, start + len(words), words, likely))
    return tuple(kept)


def _said(text: str) -> _Said:
    found = list(_TOKEN.finditer(text))
    before = [text[a.end() : b.start()] for a, b in pairwise(found)]
    return _Said(
        text,
        tuple(fold(match.group()) for match in found),
        tuple(match.span() for match in found),
        (True, *(bool(_PAUSE.search(gap)) for gap in before)),
    )


def _all(said: _Said) -> Iterator[tuple[float, int, int]]:
    """Yield how likely it is, and from which word to which, that a name stands there."""
    for at, word in enumerate(said.words):
        if word.endswith(("'s", "s'")):
            first = _backwards(said, at)
            if first <= at:
                yield 0.9, first, at + 1
        if at and said.pauses[at]:
            if (end := _forwards(said, at)) > at and _is_listed(said, end):
                yield 0.7, at, end
            continue
        before = said.words[at - 1] if at else ""
        if before in _WORKS and (end := _title(said, at)) > at:
            yield 1.0, at, end
        elif (likely := _likely(said, at, before)) > 0:
            yield from _run_from(said, at, likely)


def _likely(said: _Said, at: int, before: str) -> float:
    if not before:
        return 0.6
    if before in _RELATIVES and said.words[at].endswith("ed"):
        return 0.0
    if before in _THINGS or before in _KIN:
        return 0.8
    if before in PREPOSITIONS:
        return _AFTER_PREPOSITION
    if before in _RELATIVES:
        return 0.65
    if before in _AUXILIARIES:
        return 0.6
    return 0.7 if before in _LISTING else 0.0


def _is_listed(said: _Said, end: int) -> bool:
    """Tell whether a list goes on, or ends, where words after a comma end."""
    return end == len(said.words) or said.pauses[end] or said.words[end] in _LISTING


def _run_from(said: _Said, at: int, likely: float) -> Iterator[tuple[float, int, int]]:
    if said.words[at] in _ARTICLES:
        end = _forwards(said, at + 1)
        if end > at + 2:
            yield likely - _WEAKER, at + 1, end
    elif (end := _forwards(said, at)) > at:
        if not _is_verb(said, at, end):
            yield likely, at, end
    elif said.words[at] in _KIN and likely == _AFTER_PREPOSITION:
        yield likely, at, at + 1


def _is_verb(said: _Said, at: int, end: int) -> bool:
    """Tell whether a word says what a thing does: `the river flows through`."""
    after = said.words[end] if end < len(said.words) else ""
    does = at > 0 and said.words[at - 1] in _THINGS and said.words[at].endswith("s")
    return does and end == at + 1 and (after in PREPOSITIONS or after in _ARTICLES)


def _title(said: _Said, at: int) -> int:
    """Return where the title of a work ends: it may hold small words, but start with an article."""
    first = at + 1 if said.words[at] in _ARTICLES else at
    if first >= len(said.words) or said.words[first] in _NO_TITLE:
        return at
    end = first + 1
    while end < len(said.words) and not _ends(said, end):
        end += 1
    return end


def _ends(said: _Said, at: int) -> bool:
    word = said.words[at]
    if said.pauses[at] or word in _VERBS or word in _RELATIVES or word == "or":
        return True
    after = said.words[at + 1 : at + 3]
    return (word == "and" and after[:1] == ("the",)) or after == ("the", "same")


def _forwards(said: _Said, at: int) -> int:
    """Return where a run of words that are no ordinary ones ends; `of the` may join them."""
    end = at
    while end < len(said.words) and (end == at or not said.pauses[end]):
        if is_open(said.words[end]) or (end > at and _goes_on(said, end)):
            end += 1
            continue
        over = end
        while over < len(said.words) and said.words[over] in _JOINING and not said.pauses[over]:
            over += 1
        goes_on = over < len(said.words) and not said.pauses[over] and is_open(said.words[over])
        if end in (at, over) or not goes_on:
            break
        end = over + 1
    return end if any(not word.isdigit() for word in said.words[at:end]) else at


def _goes_on(said: _Said, at: int) -> bool:
    """Tell whether a word belongs to the one before: after a hyphen, or as a monarch's number."""
    if said.text[said.places[at - 1][1] : said.places[at][0]] == "-":
        return True
    return _NUMERAL.fullmatch(said.words[at]) is not None


def _backwards(said: _Said, at: int) -> int:
    """Return where a run of words that are no ordinary ones starts, `at` being its last."""
    first = at + 1
    while first > 0 and is_open(said.words[first - 1].removesuffix("'s")):
        first -= 1
        if said.pauses[first]:
            break
    return first


def is_open(word: str) -> bool:
    """Tell whether a folded word is none of those that questions are built of."""
    one = word.removesuffix("s")
    if word in STOP or word in OPENERS or word in _VERBS or word in PREPOSITIONS:
        return False
    if word in _KIN or word in _RELATIONS or {word, one} & (_WORKS | _THINGS):
        return False
    return word.isdigit() or not is_generic(word)
