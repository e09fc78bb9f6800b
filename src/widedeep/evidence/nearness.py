"""How near do the words of a sentence stand to one of its values?"""

from __future__ import annotations

from widedeep.evidence.concepts import WORKS, converse
from widedeep.evidence.governing import PASSED, PLACES, STEP, Near, before, outside
from widedeep.evidence.mentions import ARTICLES, VALUES, Item

CLAUSE = 0.5
"""Nearness of a word in the clause of a value, with other words or values between them."""

SENTENCE = 0.35
"""Nearness of a word elsewhere in the sentence."""

_BY_FORM = 0.9
BY_FORM = frozenset({"date", "year", "release", "nationality", "place", *WORKS.values()} - {""})
"""What the form of a value can say without a word."""


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
    for key, nearness in before(all, at) + _after(all, at):
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


def _after(all: list[Item], at: int) -> Near:
    """Return what stands after a value, up to the next one or the end of the clause."""
    found: Near = []
    nearness = STEP
    joined = False
    owner = all[at].text.endswith(("'s", "’s"))
    following = list(outside(all[at + 1 :], "(", ")"))
    for place, item in enumerate(following):
        if item.kind == "word":
            if joined or (place + 1 < len(following) and following[place + 1].text == "by"):
                break
            found += [(converse(key) if owner else key, nearness) for key in item.keys]
            nearness *= PASSED if all[at].kind == "nation" else STEP
        elif item.kind in VALUES:
            listed, joined = joined and not found, False
            found += [(key, nearness * PASSED) for key in item.keys]
            if not listed:
                break
        elif item.kind == "and" or item.text == ",":
            if found:
                break
            joined = True
        elif item.kind == "stop":
            break
    return found


def _said_by_form(all: list[Item], at: int) -> list[str]:
    kind = all[at].kind
    words = [item.text for item in all[max(0, at - 3) : at]]
    if kind == "date":
        return ["date", "year", *(["release"] if _of_work(all, at) else [])]
    if kind == "nation":
        return ["nationality"] if {"is", "was"} & set(words) else []
    if kind != "name" or not words:
        return []
    maker = _maker(all, at)
    if maker:
        return [maker]
    listed = at > 1 and words[-1] == "," and all[at - 2].kind == "date"
    return ["place"] if listed or words[-1] in PLACES else []


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
