"""Can a value of a source be what a claim says that it is: a mother no `his`, a writer no place?"""

from __future__ import annotations

from widedeep.evidence.concepts import sex
from widedeep.evidence.governing import OWNERS
from widedeep.evidence.mentions import ARTICLES, Item

KIN = frozenset({"parent", "child", "spouse", "sibling"})
"""What people are to each other."""

PEOPLE = KIN | {"star", "write", "compose", "direct", "perform", "agent"}
"""What only somebody can be; an `agent` is one who does a thing."""

_MUTUAL = frozenset({"spouse", "sibling"})
_NAMED = PEOPLE | {"work"}
_UNDATED = _NAMED | {"place", "nationality"}
_OPPOSITE = {"male": "female", "female": "male", "": ""}
_OF_OWNER = {"his": "male", "her": "female"}
_PLACES = frozenset("in at near on under during into through over".split())
_JOINS = frozenset({"and", "by", "with"})


def can_be(asked: frozenset[str], said: list[Item], at: int) -> bool:
    """Say whether a value of a sentence can be what is asked, by its form and its place there.

    Args:
        asked: the concepts that the claim says the value is, and `agent` for one who does a thing.
        said: the pieces of the source's sentence.
        at: where the value is.
    """
    kind = said[at].kind
    if (kind == "date" and _UNDATED & asked) or (kind == "nation" and _NAMED & asked):
        return False
    if _owns(said[at]) and at + 1 < len(said) and (asked - _MUTUAL).intersection(said[at + 1].keys):
        return False  # `after V's death` is said of V and not of the subject.
    return PEOPLE.isdisjoint(asked) or not (_ends_a_name(said, at) or _is_place(said, at))


def sex_of(asked: frozenset[str], said: list[Item], at: int) -> str:
    """Return `male` or `female` where a sentence shows it of a person, else an empty string.

    A parent is also of the sex that the other parent is not. The arguments are those of `can_be`.
    """
    own = _own_sex(said, at)
    return own or (_OPPOSITE[_partners_sex(said, at)] if "parent" in asked else "")


def of_kin(said: list[Item], at: int) -> bool:
    """Say whether the clause of a value is about somebody's kin: `after his father died in V`."""
    for place in range(at - 1, 0, -1):
        if said[place].kind in {"stop", "and"}:
            return False
        if not KIN.isdisjoint(said[place].keys):
            return any(_owns(item) for item in said[max(0, place - 2) : place])
    return False


def _owns(item: Item) -> bool:
    return item.text in OWNERS or item.text.endswith(("'s", "’s"))


def _ends_a_name(said: list[Item], at: int) -> bool:
    """Say whether a value is the end of a name: `Duke Paul of V`, `Paul the V`."""
    return at > 1 and said[at - 1].text in {"of", "the"} and said[at - 2].kind == "name"


def _is_place(said: list[Item], at: int) -> bool:
    """Say whether a value stands where only a place or a work can: `killed at V`, `seen in V`."""
    before = [item.text for item in said[max(0, at - 2) : at] if item.text not in ARTICLES]
    return bool(before) and before[-1] in _PLACES and not _owns(said[at])


def _own_sex(said: list[Item], at: int) -> str:
    """Return the sex that a title in a name, the noun before it or a `his` after it shows."""
    keys = said[at].keys
    found = [sex(key) for key in keys[:-1] or keys]
    before = at - 1
    while before > 0 and (said[before].text == "," or said[before].text in ARTICLES):
        before -= 1
    found += [sex(said[before].text)] if before >= 0 else []
    after = _end(said, at)
    if after + 1 < len(said) and said[after].text in _JOINS:
        found.append(_OF_OWNER.get(said[after + 1].text, ""))
    return next(filter(None, found), "")


def _partners_sex(said: list[Item], at: int) -> str:
    """Return the sex of the one whom an `and` joins to a parent."""
    before = at - 1
    while before > 0 and said[before].kind in {"word", "small"}:
        before -= 1
    if before > 0 and said[before].kind == "and" and said[before - 1].kind == "name":
        return _own_sex(said, _start(said, before - 1))
    after = _end(said, at)
    if after < len(said) and said[after].kind == "and":
        names = (place for place in range(after, len(said)) if said[place].kind == "name")
        partner = next(names, None)
        return "" if partner is None else _own_sex(said, partner)
    return ""


def _start(said: list[Item], at: int) -> int:
    """Return where a name begins that a value ends: at `Paul` of `Paul of Russia`."""
    while _ends_a_name(said, at):
        at -= 2
    return at


def _end(said: list[Item], at: int) -> int:
    """Return the place after the name that a value begins: past `Paul, Duke of Kent`."""
    at += 1
    while at + 1 < len(said) and said[at + 1].kind == "name":
        titled = said[at].text == "," and at + 2 < len(said) and said[at + 2].text == "of"
        if not titled and said[at].text not in {"of", "the"}:
            break
        at += 2
    return at
