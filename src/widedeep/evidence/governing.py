"""What governs a value of a sentence from before it: the `directed` of `directed by A`?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from widedeep.evidence.concepts import converse
from widedeep.evidence.mentions import ARTICLES, VALUES, Item

Near = list[tuple[str, float]]
"""Concepts and values, each with how near it stands to a value, 0 to 1."""

STEP = 0.95
"""What one word more between a word and the value leaves of their nearness."""

PASSED = 0.8
"""What another value between them leaves of it."""

_LISTED = 0.97
"""The same where the two values stand in one list: `starring A, B and C`."""

COPULAS = frozenset("is was are were".split())
OWNERS = frozenset("his her its their".split())
"""Words that say whose the noun after them is."""

PLACES = frozenset("in at near from".split())
_VERBS = COPULAS | {"has", "had"}
_OPEN = frozenset({",", "(", "–", "—", "--", "-"})


def before(all: list[Item], at: int) -> Near:
    """Return what stands before a value, up to the words that govern it.

    Args:
        all: the pieces of the sentence.
        at: where the value is.
    """
    subject = at + 1 < len(all) and all[at + 1].text in _VERBS
    way = _Way(list(outside(reversed(all[:at]), ")", "(")), subject)
    for place in range(len(way.items)):
        if not way.goes_past(place):
            break
    return way.found


def outside(all: Iterable[Item], opening: str, closing: str) -> Iterator[Item]:
    """Yield the pieces that stand in no bracket opened on the way."""
    depth = 0
    for item in all:
        if item.text == opening:
            depth += 1
        elif item.text == closing and depth:
            depth -= 1
        elif not depth:
            yield item


@dataclass(slots=True)
class _Way:
    """The way back from a value to the words that govern it.

    Args:
        items: the pieces before the value, the nearest first.
        subject: whether a verb stands directly after the value.
    """

    items: list[Item]
    subject: bool
    found: Near = field(default_factory=list[tuple[str, float]])
    nearness: float = 1.0
    words: bool = False
    joined: bool = False
    of_it: bool = False
    copula: bool = False
    kin: Near = field(default_factory=list[tuple[str, float]])

    def goes_past(self, place: int) -> bool:
        """Note a piece, and say whether what stands before it can still govern the value."""
        item = self.items[place]
        if item.kind == "word":
            return self._word(item)
        if item.kind == "nation" or _of_noun(self.items, place):
            return self._note(item.keys)
        if item.kind in VALUES:
            return self._value(place)
        if item.kind == "and":
            return self._and(place)
        if item.kind == "stop":
            return self._stop(item)
        return self._small(item)

    def _note(self, keys: Iterable[str]) -> bool:
        self.found += [(key, self.nearness) for key in keys]
        return True

    def _word(self, item: Item) -> bool:
        # `the son of A and his wife B`: what governs A governs B, and B is no wife of the son.
        self.found = [each for each in self.found if each not in self.kin]
        self._note(converse(key) if self.of_it else key for key in item.keys)
        self.words, self.of_it = True, False
        self.nearness *= STEP
        return True

    def _value(self, place: int) -> bool:
        if _is_adjunct(self.items, place):
            return True
        if self.words or _after_by(self.items, place):
            return False
        self._note(self.items[place].keys)
        self.nearness *= _LISTED if self.joined else PASSED
        self.joined = False
        return True

    def _and(self, place: int) -> bool:
        if self.subject or not (self.found or _lists(self.items, place + 1)):
            return False
        owned = place > 0 and self.items[place - 1].text in OWNERS
        self.kin = self.found if owned else []
        self.joined = True
        self.words = self.words and not owned
        return True

    def _stop(self, item: Item) -> bool:
        if self.words or item.text not in _OPEN:
            return False
        self.joined = item.text == ","
        self.nearness *= 1.0 if self.joined else PASSED
        return True

    def _small(self, item: Item) -> bool:
        if item.text == "of":
            self.joined, self.of_it = True, not self.copula
        elif item.text in COPULAS:
            self.copula, self.of_it = True, False
        return True


def _after_by(items: list[Item], place: int) -> bool:
    """Say whether `by` stands after a name: what governs B in `based on B by A` governs no A."""
    return place > 0 and items[place].kind == "name" and items[place - 1].text == "by"


def _is_adjunct(items: list[Item], place: int) -> bool:
    """Say whether a value is the time or place of what was done by another: `built in V by A`."""
    by = place > 0 and items[place - 1].text == "by"
    return by and place + 1 < len(items) and items[place + 1].text in PLACES


def _lists(items: list[Item], place: int) -> bool:
    """Say whether what stands before an `and` is a value, or the comma after one."""
    return place < len(items) and items[place].kind in {"stop", *VALUES}


def _of_noun(items: list[Item], place: int) -> bool:
    """Say whether a year belongs to the noun after it: `the 1897 novel A`."""
    if items[place].kind != "date" or not 0 < place < len(items) - 1:
        return False
    return items[place - 1].kind in {"word", "nation"} and items[place + 1].text in ARTICLES
