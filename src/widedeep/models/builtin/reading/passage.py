"""What does a passage of prose say, sentence by sentence?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from widedeep.models.builtin.folding import fold
from widedeep.models.builtin.reading.countries import is_state, named
from widedeep.models.builtin.splitting import sentences
from widedeep.models.builtin.words import concept, tokens
from widedeep.text import STOP

_JOIN = (
    r"(?:of the|of|the|de la|de|del|du|des|da|do|dos|di|van der|van|von|den|der|la|le|el|al|bin"
    r"|ibn|y|ap|mac|&|and the|in the|on the|for the|for)"
)
_CAPITAL = r"(?:O'|D'|d'|l'|al-|el-)?[^\W\d_a-zß-ÿ][^\W_]*(?:[-'’.&](?!s\b)[^\W_]+)*\.?"
NAME = re.compile(
    rf"(?<![\w])(?:{_CAPITAL})(?:(?:\s{_JOIN})?\s(?:{_CAPITAL}|\d+(?=\s[A-Z])|\d{{1,2}}(?![\d,.]?\d)))*(?![^\W_])"
)
_ASIDE = re.compile(r"\s*\([^()]*\)")
_SUBJECT = re.compile(
    r"^(?:[A-Z][a-z]+ed in \d{4},? )?(?:The |A |An )?(?P<name>[^(,]{2,80}?)\s*"
    r"(?:\(|,| (?:is|was|are|were|refers|(?:also|better) known|[a-z]+ed)\b)"
)
_IS = re.compile(r"\b(?:is|was|are|were)\b")
_ADVERB = re.compile(r" [a-z]+ly$")
_SMALL = re.compile(r"[a-z]\w*")

TITLES = (
    r"Duke|Duchess|Archduke|Archduchess|Count|Countess|Margrave|Marquess|Marchioness|Earl|King|Queen"
    r"|Prince|Princess|Baron|Baroness|Lord|Lady|Landgrave|Elector|Emperor|Empress|Viscount|Tsar"
)
_RANKED = re.compile(
    rf", (?:\d+(?:st|nd|rd|th) )?(?:{TITLES}) (?:of (?:the )?)?{NAME.pattern}(?:- [A-Z]\w+)?"
)
_NICKNAME = re.compile(r"[\"“]([\w' ]{2,20})[\"”]\s*")
_KNOWN = re.compile(
    r"\b(?:(?P<best>(?:better|best|commonly|usually|professionally|popularly) known"
    r"|known (?:simply|professionally|popularly|mononymously)|referred to|stage name)|known)\b"
    rf"[a-z ]{{0,24}}? (?P<name>{NAME.pattern})"
)
_IMPLIED = (
    (re.compile(r"\([^()]*\d{3,4}[^()]*[–—-][^()]*\d{3,4}[^()]*\)"), ("birth", "death")),
    (re.compile(r"\((?:[^()]*[;,] ?)?(?:born|b\.)\s[^()]*\d{4}"), ("birth",)),
    (re.compile(r"\b(?:is|was) an? (?:[\w-]+ )?(?:19|20)\d\d\b"), ("release",)),
)
"""What a sentence says without its word: a life in parentheses, the year of a work."""
STEM = 8
"""Letters after which the ends of long words do not count: `investigative`, `investigation`."""

_MOST_SENTENCES = 60


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: `words` are its concepts, `folded` its folded tokens between spaces."""

    text: str
    words: frozenset[str]
    folded: str


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """Source `n` as prose about `subject`; `keys` are its names as they would stand elsewhere."""

    n: int
    title: str
    subject: str
    keys: tuple[str, ...]
    words: frozenset[str]
    sentences: tuple[Sentence, ...]


@lru_cache(maxsize=16384)
def sentence(text: str) -> Sentence:
    """Return a sentence with what is compared of it."""
    found = tokens(text)
    words = {concept(token) for token in found if token not in STOP}
    words.update(
        concept(word) for pattern, implied in _IMPLIED if pattern.search(text) for word in implied
    )
    words.update(_place_words(text))
    words.update(word[:STEM] for word in tuple(words) if len(word) > STEM)
    return Sentence(text, frozenset(words), spaced(found))


def _place_words(text: str) -> set[str]:
    """Return `country` and `state` where a sentence names one."""
    return {concept("state" if is_state(word) else "country") for _, word, _ in named(text)}


def spaced(found: tuple[str, ...]) -> str:
    """Return tokens as one text in which whole words can be looked up."""
    plain = (token.removesuffix("'s").removesuffix("'") for token in found)
    return f" {' '.join(plain)} "


@lru_cache(maxsize=4096)
def passage(n: int, title: str, text: str) -> Passage:
    """Return a source's text as a passage; without a title its first words name its subject."""
    found = tuple(sentence(each) for each in sentences(text)[:_MOST_SENTENCES])
    plain = _ASIDE.sub("", title).strip()
    said = names_at_start(found[0].text) if found else ()
    own = said[0] if said else ""
    subject = plain or own
    forms = [plain, own if _shares(own, plain) else ""] if plain else said
    keys = tuple(dict.fromkeys(key for form in forms if (key := name_key(form))))
    words = frozenset(concept(token) for token in tokens(title or own) if token not in STOP)
    return Passage(n, title, subject, keys, words, found)


@lru_cache(maxsize=8192)
def names_at_start(text: str) -> tuple[str, ...]:
    """Return what a text says at its start that it is about, by what it is best known first.

    `John Roe, Duke of Kent (`, `John "Jack" Roe`, `John Roe, better known as Roey, is`.
    """
    opening = _SUBJECT.match(text)
    whole = _ADVERB.sub("", opening["name"].strip(" \"“”'")) if opening else ""
    if opening is None or not whole or _SMALL.fullmatch(whole):
        return ()
    forms = [whole]
    if ranked := _RANKED.match(text, opening.end("name")):
        forms.insert(0, f"{whole}{ranked.group()}")
    if nick := _NICKNAME.search(whole):
        forms += [
            f"{nick[1]} {whole[nick.end() :]}",
            f"{whole[: nick.start()]}{whole[nick.end() :]}",
        ]
    is_ = _IS.search(text)
    known = _KNOWN.search(text, opening.end("name"), is_.start() if is_ else len(text))
    if known:
        forms.insert(0 if known["best"] else len(forms), known["name"].rstrip(".,'’"))
    return tuple(dict.fromkeys(" ".join(form.split()) for form in forms))


def _shares(first: str, second: str) -> bool:
    return bool(set(fold(first).split()) & set(fold(second).split()) - STOP)


@lru_cache(maxsize=16384)
def name_key(name: str) -> str:
    """Return a name as it can be looked up in folded tokens; empty when it says too little."""
    found = tuple(token for token in tokens(name) if token not in ("the", "a", "an"))
    said = [token for token in found if token not in STOP]
    if not said or (len(said) == 1 and len(said[0]) < 3):
        return ""
    return spaced(found)


@lru_cache(maxsize=16384)
def spans(text: str) -> tuple[tuple[int, str], ...]:
    """Return the names of a sentence with the places where they start."""
    found: list[tuple[int, str]] = []
    for match in NAME.finditer(text):
        name = match.group().rstrip(".,'’") if not _is_initial(match.group()) else match.group()
        at = match.start()
        if at == 0 or text[:at].strip(" \"'“(") == "":
            first, _, rest = name.partition(" ")
            if fold(first) in STOP or fold(first) in _OPENERS:
                if not rest:
                    continue
                bare = _LEADING.sub("", rest)
                at, name = at + len(name) - len(bare), bare
        if all(word in _CALENDAR or word.isdigit() for word in fold(name).split()):
            continue
        if name and not (fold(name) in STOP or fold(name) in _OPENERS):
            found.append((at, name))
    return tuple(found)


_LEADING = re.compile(rf"^(?:{_JOIN} )+")
_CALENDAR = frozenset(
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday".split()
)
_OPENERS = frozenset(
    "although since however while during despite later according originally today born many most "
    "several some one two three four five also additionally furthermore moreover therefore thus "
    "upon within without among along like unlike following based known currently january february "
    "march april may june july august september october november december".split()
)


def _is_initial(name: str) -> bool:
    return bool(re.search(r"\b(?:Jr|Sr|[A-Z])\.$", name))
