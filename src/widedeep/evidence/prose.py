"""Which values does a source's prose mention, and what stands near them?"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from widedeep import text as words
from widedeep.evidence.concepts import converse
from widedeep.evidence.mentions import VALUES, Item, items, quoted
from widedeep.evidence.nearness import BY_FORM, near

CARRIED = 0.3
"""Nearness of what the next sentence says when a pronoun opens it: it is about this one's names."""

_CARRY = 10
"""Sentences, this one included, that may go on about its names."""

_LONGEST = 200
"""Pieces of a sentence."""

_GOES_ON = frozenset("he she it they his her its their this these the".split())
_SAID_BY_FORM = 0.7
_LIGHT = frozenset("become make take give go include name hold begin end".split())
_LIGHTLY = 0.3


_QUALIFIER = re.compile(r" \([^()]*\)$")


@dataclass(frozen=True, slots=True)
class Mention:
    """A value in a sentence of a source: the sentence's number, and where in it the value is."""

    item: Item
    sentence: int
    at: int


@dataclass(slots=True)
class Prose:
    """The sentences of a source in pieces, and how telling each concept is of one of them."""

    names: frozenset[str]
    title: frozenset[str]
    sentences: list[list[Item]]
    weights: dict[str, float]
    keys: list[frozenset[str]]
    lines: list[str]
    mentions: list[Mention]
    _labelled: list[list[Item]] = field(default_factory=list[list[Item]])
    _near: dict[tuple[int, int], dict[str, float]] = field(
        default_factory=dict[tuple[int, int], dict[str, float]]
    )

    @property
    def labelled(self) -> list[list[Item]]:
        """The pieces of each line `label: value`."""
        if self.lines and not self._labelled:
            self._labelled += map(items, self.lines)
        return self._labelled

    def near(self, mention: Mention) -> dict[str, float]:
        """Return how near each concept stands to a value; what it takes is done once."""
        place = mention.sentence, mention.at
        if place not in self._near:
            around = near(self.sentences[mention.sentence], mention.at, by_form=True)
            carried = self.carried(mention.sentence)
            self._near[place] = dict.fromkeys(carried, CARRIED) | around if carried else around
        return self._near[place]

    def carried(self, number: int) -> frozenset[str]:
        """Return what the sentences say that go on about this one: those that `It` opens."""
        found = frozenset[str]()
        for at in range(number + 1, min(number + _CARRY, len(self.sentences))):
            line = self.sentences[at]
            if not line or line[0].text not in _GOES_ON:
                break
            found |= self.keys[at]
        return found


def read(title: str, lines: Iterable[str], labelled: Iterable[str] = ()) -> Prose:
    """Return the sentences of a source in pieces.

    Args:
        title: of the source; its words are the subject, not what is said of it.
        lines: its sentences.
        labelled: its lines `label: value`; a value that one of them holds is not judged here.
    """
    name = _QUALIFIER.sub("", title)
    wholes = [name] if " " in name else []
    lines = list(lines)
    quotes = {each for line in lines for each in quoted(line) if " " in each}
    said = [part for line in lines for part in _parts(items(line, wholes))]
    keys = [frozenset(key for item in line for key in item.keys) for line in said]
    counts = Counter(key for line in keys for key in line)
    weights = {key: math.log(1 + len(said) / count) for key, count in counts.items()}
    for key, weight in list(weights.items()):
        weights.setdefault(converse(key), weight)
    for key in BY_FORM:
        weights.setdefault(key, _SAID_BY_FORM)
    for key in _LIGHT & weights.keys():
        weights[key] *= _LIGHTLY
    named = {*words.words(title), *(key for item in items(title) for key in item.keys)}
    mentions = [
        Mention(item, number, at)
        for number, line in enumerate(said)
        for at, item in enumerate(line)
        if item.kind in VALUES
    ]
    names = frozenset([*wholes, *quotes])
    return Prose(names, frozenset(named), said, weights, keys, list(labelled), mentions)


def _parts(said: list[Item]) -> list[list[Item]]:
    """Return the pieces of a line in parts that no sentence exceeds: some pages are one line."""
    return [said[at : at + _LONGEST] for at in range(0, len(said), _LONGEST)]


def is_title(item: Item, title: frozenset[str]) -> bool:
    """Say whether a value is a title or a part of it: its subject."""
    return item.kind in {"name", "nation", "number"} and title.issuperset(item.keys)
