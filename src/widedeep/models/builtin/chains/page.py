"""What does a passage of prose mention, and where in its sentences?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from widedeep.models.builtin.chains.roots import JOINING, PARTICLES, key_of, root
from widedeep.models.builtin.folding import fold
from widedeep.models.builtin.reading.passage import names_at_start
from widedeep.models.builtin.splitting import sentences
from widedeep.text import STOP

MOST_SENTENCES = 40
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ASIDE = re.compile(r"\s*\([^()]*\)")
_JOINS = frozenset((" ", "-", ". ", "–", "/", " & "))
_CALENDAR = frozenset(
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday".split()
)
_MOST_WORDS = 8
_MOST_TITLE = 10
_MOST_SMALL = 3
"""Words of what is defined where they are small: `Twinkie defense is`."""
_PRONOUNS = frozenset("he she it they this that these those in on at his her its their".split())


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a sentence: the tokens from `start` to before `end`; `key` are its telling words.

    `before`: the word that stands before it, or before the names it is listed with, folded;
    `modifies`: a common noun follows, as in `American actor`.
    """

    start: int
    end: int
    text: str
    key: frozenset[str]
    before: str = ""
    modifies: bool = False


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: the root of each token, its folded tokens as a set, and its names."""

    text: str
    roots: tuple[str, ...]
    words: frozenset[str]
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A passage of prose: what it is called, and its sentences.

    `names`: what it is called, the shortest first, `keys` the telling words of each; `words`: all
    its words, `plain` those that it writes without a capital letter; `titled`: its title is known,
    and not only the name that it opens with.
    """

    title: str
    names: tuple[str, ...]
    keys: tuple[frozenset[str], ...]
    sentences: tuple[Sentence, ...]
    words: frozenset[str]
    plain: frozenset[str]
    titled: bool


@lru_cache(maxsize=4096)
def page(title: str, text: str) -> Page:
    """Read a passage; without a title the name it opens with is what it is called."""
    rows = _without_heading(title, text)
    found: list[Sentence] = []
    plain: set[str] = set()
    full: dict[str, Mention] = {}
    for row in sentences(rows)[:MOST_SENTENCES]:
        one, small = _sentence(row)
        plain |= small
        mentions = tuple(_full(each, full) for each in one.mentions)
        found.append(one if mentions == one.mentions else replace(one, mentions=mentions))
    opening = found[0].mentions[0] if found and found[0].mentions else None
    if opening is not None and opening.start > 1:
        opening = None
    bare = _ASIDE.sub("", title).strip()
    own = () if bare or not found else _defined(found[0].text)
    called = bare or next(iter(own), "") or (opening.text if opening else "")
    short = bare.split(",")[0]
    forms = [short, bare, *sorted(own, key=len), opening.text if opening else ""]
    kept = tuple(form for form in dict.fromkeys(forms) if key_of(form))
    keys = tuple(key_of(form) for form in kept)
    words = frozenset[str]().union(*(one.words for one in found))
    return Page(called, kept, keys, _without_openers(found), words, frozenset(plain), bool(bare))


def _defined(text: str) -> tuple[str, ...]:
    """Return the names that a text opens with and then says what it is, however written."""
    return tuple(name for name in names_at_start(text) if _is_name(name.split()))


def _is_name(words: Sequence[str]) -> bool:
    if not 0 < len(words) <= _MOST_TITLE or fold(words[0]) in _PRONOUNS:
        return False
    if not (words[0][0].isupper() or words[0].isdigit()):
        return False
    short = len(words) <= _MOST_SMALL and not any(fold(word) in STOP for word in words)
    return words[-1][0].isupper() or short


def _without_openers(found: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Leave out single words that have a capital only because a sentence starts with them."""
    inner = {m.key for one in found for m in one.mentions if m.start > 0 or len(m.key) > 1}
    named = frozenset[str]().union(*inner) if inner else frozenset[str]()
    kept: list[Sentence] = []
    for one in found:
        first = one.mentions[0] if one.mentions else None
        opens = first is not None and first.start == 0 and first.end == 1
        if first is not None and opens and len(first.key) == 1 and not first.key <= named:
            kept.append(replace(one, mentions=one.mentions[1:]))
        else:
            kept.append(one)
    return tuple(kept)


def _without_heading(title: str, text: str) -> str:
    first, line, rest = text.partition("\n")
    heading = first.lstrip("# ").strip()
    return rest if line and heading and heading.casefold() == title.casefold() else text


@lru_cache(maxsize=16384)
def _sentence(text: str) -> tuple[Sentence, frozenset[str]]:
    """Return a sentence, its mentions as they stand; and its words without a capital."""
    tokens = list(_TOKEN.finditer(text))
    said = [token.group() for token in tokens]
    folded = [word.lower() for word in said] if text.isascii() else [fold(word) for word in said]
    small = frozenset(word for word, own in zip(folded, said, strict=True) if own.islower())
    mentions = tuple(_listed(text, tokens, folded))
    roots = tuple(root(word) for word in folded)
    return Sentence(text, roots, frozenset(folded), mentions), small


def _listed(text: str, tokens: Sequence[re.Match[str]], folded: Sequence[str]) -> Iterator[Mention]:
    """Yield the names of a sentence; one after a comma stands as that before it does."""
    last: Mention | None = None
    for mention in _mentions(text, tokens, folded):
        gap = text[tokens[last.end - 1].end() : tokens[mention.start].start()] if last else ""
        last = replace(mention, before=last.before) if last and gap == ", " else mention
        yield last


def _full(mention: Mention, full: dict[str, Mention]) -> Mention:
    """Give a surname the full name that the passage has used before."""
    words = mention.text.split()
    last = fold(words[-1])
    if len(words) > 1:
        full.setdefault(last, mention)
        return mention
    known = full.get(last)
    if known is None:
        return mention
    return replace(mention, text=known.text, key=known.key)


def _mentions(
    text: str, tokens: Sequence[re.Match[str]], folded: Sequence[str]
) -> Iterator[Mention]:
    at = 0
    for place, token in enumerate(tokens):
        if place < at or not _is_capital(token.group()):
            continue
        at = end = _end(text, tokens, folded, place)
        start = 1 if place == 0 and folded[0] in STOP else place
        words = folded[start:end]
        if start < end and (mention := _mention(text, tokens, folded, start, end)) is not None:
            if start == 0 and len(words) == 1 and words[0] in STOP:
                continue
            yield mention


def _mention(
    text: str, tokens: Sequence[re.Match[str]], folded: Sequence[str], start: int, end: int
) -> Mention | None:
    words = folded[start:end]
    name = text[tokens[start].start() : tokens[end - 1].end()].removesuffix("'s").removesuffix("’s")
    key = key_of(name)
    if all(len(word) < 2 or word.isdigit() or word in _CALENDAR for word in key):
        return None
    if len(words) == 1 and words[0] in STOP:
        return None
    before = folded[start - 1] if start else ""
    return Mention(start, end, name, key, before, _modifies(text, tokens, folded, end))


def _modifies(text: str, tokens: Sequence[re.Match[str]], folded: Sequence[str], end: int) -> bool:
    """Tell whether a common noun follows without a pause."""
    if end >= len(tokens) or text[tokens[end - 1].end() : tokens[end].start()] not in (" ", "-"):
        return False
    return folded[end] not in STOP and folded[end] not in PARTICLES and folded[end].isalpha()


def _end(text: str, tokens: Sequence[re.Match[str]], folded: Sequence[str], at: int) -> int:
    """Return where the name that starts here ends: capitals and numbers, particles between."""
    end = at + 1
    while end < len(tokens) and end - at < _MOST_WORDS:
        word = tokens[end - 1].group()
        if word.endswith(("'s", "’s")):
            break
        gap = text[tokens[end - 1].end() : tokens[end].start()]
        if gap not in _JOINS or (gap == ". " and len(word) > 2):
            break
        if _is_capital(tokens[end].group()) or (tokens[end].group().isdigit() and gap == " "):
            end += 1
            continue
        over = _over_particles(text, tokens, folded, end)
        if over is None:
            break
        end = over + 1
    return end


def _over_particles(
    text: str, tokens: Sequence[re.Match[str]], folded: Sequence[str], at: int
) -> int | None:
    """Return where a name goes on after `of the` and the like, if it does."""
    for ahead in range(at, min(at + 3, len(tokens))):
        if text[tokens[ahead - 1].end() : tokens[ahead].start()] not in (" ", "-"):
            return None
        if _is_capital(tokens[ahead].group()):
            return ahead if ahead > at else None
        if folded[ahead] not in JOINING:
            return None
    return None


def _is_capital(token: str) -> bool:
    return token[0].isupper() or (len(token) > 2 and token[1] in "'’" and token[2].isupper())
