"""How near do the words of a sentence stand to one of its values?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from widedeep.evidence.concepts import WORKS, converse
from widedeep.evidence.mentions import ARTICLES, VALUES, Item

CLAUSE = 0.5
"""Nearness of a word in the clause of a value, with other words or values between them."""

SENTENCE = 0.35
"""Nearness of a word elsewhere in the sentence."""

_STEP = 0.95
"""What one word more between a word and the value leaves of their nearness."""

_PASSED = 0.8
"""What another value between them leaves of it."""

_LISTED = 0.97
"""The same where the two values stand in one list: `starring A, B and C`."""

_BY_FORM = 0.9
_OPEN = frozenset({",", "(", "–", "—", "--", "-"})
COPULAS = frozenset("is was are were".split())
_VERBS = COPULAS | {"has", "had"}
OWNERS = frozenset("his her its their".split())
"""Words that say whose the noun after them is."""

_PLACES = frozenset("in at near from".split())
BY_FORM = frozenset({"date", "year", "release", "nationality", "place", *WORKS.values()} - {""})
"""What the form of a value can say without a word."""


Near = list[tuple[str, float]]


def near(all: list[Item], at: int, *, by_form: bool = False) -> dict[str, float]:
    """Return for each concept and value of a sentence how near it stands to one value, 0 to 1.

    What governs a value in English stands directly before it (`directed by A`, `the son of A`) or
    directly after it (`A directed`); values of one list share what governs the first.

    Args:
        all: the pieces of the sentence.
        at: where the value is.
        by_form: whether to add what the form of the value says without a word: that a year in
            `a 1926 film` is that of its release, a name after `in` a place.
    """
    found: dict[str, float] = {}
    for item in all:
        for key in item.keys:
            found[key] = SENTENCE
    for item in _clause(all, at):
        for key in item.keys:
            found[key] = CLAUSE
    for key, nearness in _before(all, at) + _after(all, at):
        found[key] = max(nearness, found.get(key, 0.0))
    for key in all[at].keys:
        found.pop(key, None)
    if by_form:
        found = {converse(key): SENTENCE for key in found} | found
        for key in _said_by_form(all, at):
            found[key] = max(_BY_FORM, found.get(key, 0.0))
    return found


def _clause(all: list[Item], at: int) -> list[Item]:
    first = last = at
    while first > 0 and not _ends(all, first - 1):
        first -= 1
    while last + 1 < len(all) and not _ends(all, last + 1):
        last += 1
    return all[first : last + 1]


def _ends(all: list[Item], at: int) -> bool:
    """Say whether a clause ends here: not at a comma between values."""
    if all[at].kind != "stop" or all[at].text != ",":
        return all[at].kind == "stop"
    within = 0 < at < len(all) - 1
    return not (within and all[at - 1].kind in VALUES and all[at + 1].kind in VALUES)


def _before(all: list[Item], at: int) -> Near:
    """Return what stands before a value, up to the words that govern it."""
    found: Near = []
    nearness = 1.0
    kin: Near = []
    words = joined = of_it = copula = False
    subject = at + 1 < len(all) and all[at + 1].text in _VERBS
    before = list(_outside(reversed(all[:at]), ")", "("))
    for place, item in enumerate(before):
        if item.kind == "word":
            # `the son of A and his wife B`: what governs A governs B, and B is no wife of the son.
            found = [each for each in found if each not in kin]
            found += [(converse(key) if of_it else key, nearness) for key in item.keys]
            words, nearness, of_it = True, nearness * _STEP, False
        elif item.kind == "nation" or _of_noun(before, place):
            found += [(key, nearness) for key in item.keys]
        elif item.kind in VALUES:
            if _is_adjunct(before, place):
                continue
            if words or _after_by(before, place):
                break
            found += [(key, nearness) for key in item.keys]
            nearness *= _LISTED if joined else _PASSED
            joined = False
        elif item.text == "of":
            joined, of_it = True, not copula
        elif item.text in COPULAS:
            copula, of_it = True, False
        elif item.kind == "and" and (subject or not (found or _lists(before, place + 1))):
            break
        elif item.kind == "and":
            owned = place > 0 and before[place - 1].text in OWNERS
            kin = found if owned else []
            joined, words = True, words and not owned
        elif item.kind == "stop":
            if words or item.text not in _OPEN:
                break
            joined = item.text == ","
            nearness *= 1.0 if joined else _PASSED
    return found


def _after_by(before: list[Item], place: int) -> bool:
    """Say whether `by` stands after a name: what governs B in `based on B by A` governs no A."""
    return place > 0 and before[place].kind == "name" and before[place - 1].text == "by"


def _is_adjunct(before: list[Item], place: int) -> bool:
    """Say whether a value is the time or place of what was done by another: `built in V by A`."""
    by = place > 0 and before[place - 1].text == "by"
    return by and place + 1 < len(before) and before[place + 1].text in _PLACES


def _lists(before: list[Item], place: int) -> bool:
    """Say whether what stands before an `and` is a value, or the comma after one."""
    return place < len(before) and before[place].kind in {"stop", *VALUES}


def _of_noun(before: list[Item], place: int) -> bool:
    """Say whether a year belongs to the noun after it: `the 1897 novel A`."""
    if before[place].kind != "date" or not 0 < place < len(before) - 1:
        return False
    return before[place - 1].kind in {"word", "nation"} and before[place + 1].text in ARTICLES


def _after(all: list[Item], at: int) -> Near:
    """Return what stands after a value, up to the next one or the end of the clause."""
    found: Near = []
    nearness = _STEP
    joined = False
    owner = all[at].text.endswith(("'s", "’s"))
    following = list(_outside(all[at + 1 :], "(", ")"))
    for place, item in enumerate(following):
        if item.kind == "word":
            if joined or (place + 1 < len(following) and following[place + 1].text == "by"):
                break
            found += [(converse(key) if owner else key, nearness) for key in item.keys]
            nearness *= _PASSED if all[at].kind == "nation" else _STEP
        elif item.kind in VALUES:
            listed, joined = joined and not found, False
            found += [(key, nearness * _PASSED) for key in item.keys]
            if not listed:
                break
        elif item.kind == "and" or item.text == ",":
            if found:
                break
            joined = True
        elif item.kind == "stop":
            break
    return found


def _outside(all: Iterable[Item], opening: str, closing: str) -> Iterator[Item]:
    """Yield the pieces that stand in no bracket opened on the way."""
    depth = 0
    for item in all:
        if item.text == opening:
            depth += 1
        elif item.text == closing and depth:
            depth -= 1
        elif not depth:
            yield item


def _said_by_form(all: list[Item], at: int) -> list[str]:
    kind = all[at].kind
    before = [item.text for item in all[max(0, at - 3) : at]]
    if kind == "date":
        return ["date", "year", *(["release"] if _of_work(all, at) else [])]
    if kind == "nation":
        return ["nationality"] if {"is", "was"} & set(before) else []
    if kind != "name" or not before:
        return []
    maker = _maker(all, at)
    if maker:
        return [maker]
    listed = at > 1 and before[-1] == "," and all[at - 2].kind == "date"
    return ["place"] if listed or before[-1] in _PLACES else []


def _maker(all: list[Item], at: int) -> str:
    """Return what the one named has done when a work is by them: `an album by the band A`."""
    place = at - 1
    while place > 0 and all[place].kind in {"word", "small", "nation"} and all[place].text != "by":
        place -= 1
    if place < 1 or all[place].text != "by":
        return ""
    return WORKS.get(all[place - 1].text, "")


def _of_work(all: list[Item], at: int) -> bool:
    """Say whether a year is that of a work: `a 1926 silent film`."""
    if not at or all[at - 1].text not in ARTICLES:
        return False
    for item in all[at + 1 : at + 9]:
        if item.kind in {"stop", "date", "number"} and item.text != ",":
            return False
        if item.text in WORKS:
            return True
    return False
