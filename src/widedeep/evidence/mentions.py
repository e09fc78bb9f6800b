"""Which values does a sentence mention, and which words stand between them?"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from widedeep import text as words
from widedeep.evidence.concepts import WORKS, concept, known

_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_MONTHS = {name: at for at, name in enumerate(_MONTH.split("|"), start=1)}
_ITEM = re.compile(
    r"(?P<plain>[a-z]+(?:['’-][^\W_]+)*(?![^\W_]))"
    r"|(?P<title>[-](?:['’]s)?)"
    r"|(?P<iso>\b\d{4}-\d\d-\d\d\b)"
    rf"|(?P<day_first>\b(?P<d1>\d\d?)(?:st|nd|rd|th)? (?:of )?(?P<m1>{_MONTH})\b"
    r"(?:,? (?P<y1>\d{4})\b)?)"
    rf"|(?P<month_first>\b(?P<m2>{_MONTH})\b(?: (?P<d2>\d\d?)(?:st|nd|rd|th)?\b(?!,\d))?"
    r"(?:,? (?:of )?(?P<y2>\d{4})\b)?)"
    rf"|(?P<number>{words.NUMBER.pattern})"
    r"|(?P<name>[^\W\d_a-zß-ÿ\u0900-\u17ff][^\W_]*"
    rf"(?:(?:['’&]|- ?(?!{_MONTH}))[^\W_]+)*)"
    rf"|(?P<word>[^\W\d_]+(?:[{words.SIGNS}]+[^\W\d_]*)*(?:['’-][^\W_]+)*)"
    r"|(?P<stop>[,;:()]|[–—]|--|-(?= )|(?<= )-|(?<=\d)-(?=\d))"
)
_YEAR = re.compile(r"1\d\d\d|20\d\d")
_NATION = re.compile(
    r"(?:[a-z]{2,}(?:ian|ean|can|man|ish|ese|nch|iss|eek)|iraqi|thai|czech|dutch)$"
)
_FIRST = 0xE000
_MOST = 20
_QUOTES = re.compile(r"[\"“”]")
_QUOTED = re.compile(r"[\s,]*(?:[A-Z]|\d)[^\ue000-\uf8ff]{1,60}")
ARTICLES = frozenset({"a", "an", "the"})
_DASHES = frozenset({"–", "—", "--", "-"})
_FORMER = frozenset({"former", "late", "future"})
_PARTICLES = frozenset("von van der den de del di du da la le zu bin bint ibn".split())
_JOINS = frozenset({"and", "or"})
_TURNS = frozenset("who whom whose which while but where when although because".split())

VALUES = frozenset({"date", "number", "name", "nation"})
"""Kinds of pieces that can be the value of something."""


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of a sentence.

    `kind` is `word`, `small` (a stop word), `and`, `stop` (a comma, a bracket, a `who`), or that
    of a value: `date`, `number`, `name`, `nation` (an adjective of a place). `keys` are the
    concepts of a word, or what a value is known by.
    """

    kind: str
    keys: tuple[str, ...]
    text: str


def items(sentence: str, titles: Iterable[str] = ()) -> list[Item]:
    """Return the pieces of a sentence in order; neighbouring capitalised words are one name.

    Args:
        sentence: a line of text.
        titles: each is one name, whatever words it is made of; so is what stands in quotes.
    """
    sentence, wholes = _wholes(sentence, titles)
    found: list[Item] = []
    end = -1
    for match in _ITEM.finditer(sentence):
        plain = match.lastgroup == "plain"
        item = _small(match.group()) if plain else _item(match, wholes)
        if item.kind == "name" and len(found) > 1 and found[-1].text in _PARTICLES:
            item = _with_particle(found, item)
        last = found[-1] if found else None
        gap = sentence[end : match.start()]
        if last and last.kind == item.kind == "name" and _beside(gap, last):
            found[-1] = Item("name", last.keys + item.keys, f"{last.text} {item.text}")
        elif not (last and last.kind == "name" and match.group() == "I"):  # `Constantine I`
            found.append(item)
        end = match.end()
    settled = [_settled(item, found, at) for at, item in enumerate(found)]
    return _lives(settled) if any(item.text == "(" for item in settled) else settled


def _beside(gap: str, last: Item) -> bool:
    return gap in {" ", "- "} or (gap in {". ", "."} and len(last.keys[-1]) <= 2)


def _with_particle(found: list[Item], item: Item) -> Item:
    """Return the whole of a name like `Otto von Falk`, its beginning taken from those found."""
    first = len(found) - 1
    while first > 0 and found[first].text in _PARTICLES:
        first -= 1
    if found[first].kind != "name":
        return item
    parts = [*found[first:], item]
    del found[first:]
    return Item("name", parts[0].keys + item.keys, " ".join(part.text for part in parts))


def quoted(sentence: str) -> list[str]:
    """Return the names that stand in quotes."""
    parts = _QUOTES.split(sentence)
    within = parts[1::2] if len(parts) % 2 else []
    return [part.strip(" ,.") for part in within if _QUOTED.fullmatch(part)]


def _wholes(sentence: str, titles: Iterable[str]) -> tuple[str, list[str]]:
    """Return the sentence with one sign for each title and quoted name, and what they stand for."""
    wholes: list[str] = []
    for title in titles:
        sign = chr(_FIRST + len(wholes))
        marked = re.sub(rf"(?<!\w){re.escape(title)}(?!\w)", sign, sentence)
        if marked != sentence:
            sentence = marked
            wholes.append(title)
    parts = _QUOTES.split(sentence)
    if len(parts) % 2 and len(parts) <= 2 * _MOST:
        for at in range(1, len(parts), 2):
            if _QUOTED.fullmatch(parts[at]):
                wholes.append(parts[at].strip(" ,."))
                parts[at] = f" {chr(_FIRST + len(wholes) - 1)} "
        sentence = "".join(parts)
    return sentence, wholes


def _item(match: re.Match[str], wholes: list[str]) -> Item:
    whole = match.group()
    if match["title"]:
        at = ord(whole[0]) - _FIRST
        return _name(f"{wholes[at]}{whole[1:]}") if at < len(wholes) else Item("small", (), "")
    if match["number"]:
        plain = words.plain_number(match)
        if _YEAR.fullmatch(whole):
            return Item("date", (f"year {plain}",), whole)
        return Item("number", (plain,), whole)
    if match["name"]:
        return _name(whole) if whole[0].isupper() else _small(whole)
    if match["word"]:
        return _small(whole)
    if match["stop"]:
        return Item("stop", (), whole)
    if match["iso"]:
        year, month, day = whole.split("-")
        return _date(year, int(month), day, whole)
    month = match["m1"] or match["m2"]
    return _date(match["y1"] or match["y2"], _MONTHS[month], match["d1"] or match["d2"], whole)


def _name(whole: str) -> Item:
    keys = tuple(w.removesuffix("'s") for w in words.words(whole) if w not in words.STOP)
    return Item("name", keys, whole) if keys else _small(whole)


def _date(year: str | None, month: int, day: str | None, whole: str) -> Item:
    parts = [f"month {month}"]
    parts += [f"year {year}"] if year else []
    parts += [f"day {int(day)}"] if day else []
    return Item("date", tuple(parts), whole)


@lru_cache(maxsize=16384)
def _small(whole: str) -> Item:
    folded = words.fold(whole)
    if folded in _JOINS:
        return Item("and", (), folded)
    if folded in words.STOP or folded in _FORMER:
        return Item("stop" if folded in _TURNS else "small", (), folded)
    return Item("word", tuple(concept(part) for part in folded.split("-")), folded)


def _settled(item: Item, said: list[Item], at: int) -> Item:
    """Return the item as its neighbours show it: a first word is seldom a name."""
    if item.kind != "name":
        return item
    word = item.keys[0]
    if at == 0 and len(item.keys) == 1 and known(word):
        return Item("word", (concept(word),), item.text)
    follows = said[at + 1] if at + 1 < len(said) else None
    if not at or not follows or follows.kind not in {"word", "name"}:
        return item
    whole = all(map(_NATION.search, item.keys))
    qualifies = follows.text in WORKS or _NATION.search(item.keys[-1])
    if whole or (qualifies and _has_article(said, at)):
        return Item("nation", item.keys, item.text)
    return item


def _has_article(said: list[Item], at: int) -> bool:
    """Say whether a name qualifies the noun after it: `the 1920 Ann Lee play`."""
    before = [item for item in said[max(0, at - 2) : at] if item.kind != "date"]
    return bool(before) and before[-1].text in ARTICLES


def _lives(said: list[Item]) -> list[Item]:
    """Add the words that a span of life in brackets leaves out: `(born 1886 - died 1975)`."""
    added: dict[int, Item] = {}
    first = dash = 0
    for at, item in enumerate(said):
        if item.text == "(" or (item.text in {";", ":"} and not dash):
            first, dash = at + 1, 0
        elif item.text in _DASHES:
            dash = dash or at
        elif item.text in {")", ";"} and first and dash:
            if _is_day(said[first:dash]) and _is_day(said[dash + 1 : at]):
                added[first] = Item("word", ("birth",), "born")
                added[dash + 1] = Item("word", ("death",), "died")
            first = dash = 0
    pieces: list[Item] = []
    for at, item in enumerate(said):
        pieces += [added[at], item] if at in added else [item]
    return pieces


def _is_day(part: list[Item]) -> bool:
    kinds = {item.kind for item in part}
    return "date" in kinds and "word" not in kinds
