"""Which values does a claim state, and of what?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from widedeep.evidence.concepts import known, sex
from widedeep.evidence.governing import COPULAS
from widedeep.evidence.mentions import VALUES, Item, items
from widedeep.evidence.nearness import near
from widedeep.evidence.prose import is_title
from widedeep.evidence.roles import PEOPLE

_GENERIC = frozenset({"date", "year", "place"})
_MODIFIER = 0.7
_OWNERS = frozenset("the its his her their".split())


@dataclass(frozen=True, slots=True)
class Slot:
    """A value of a claim and how near each concept of the claim stands to it.

    `asked` is what the claim says that the value is, where it says no more (`The height of A is
    V`), and `of_sex` the sex that this is of, if any.
    """

    item: Item
    near: dict[str, float]
    asked: frozenset[str]
    of_sex: str


def slots(claim: str, titles: Sequence[str], known: frozenset[str]) -> list[Slot]:
    """Return the values of a claim that are no part of the titles of what it cites.

    Such a part counts where the claim says that it is somebody: `The singer of A is A`.

    Args:
        claim: the sentence, without its citation.
        titles: of what it cites.
        known: the words of those titles.
    """
    said = items(claim, titles)
    found: list[Slot] = []
    for at, item in enumerate(said):
        if item.kind not in VALUES:
            continue
        asked = _attribute(said, at)
        keys = [key for word in asked for key in word.keys]
        role = frozenset(keys + ["agent"] * any(map(_is_agent, asked)))
        if is_title(item, known) and PEOPLE.isdisjoint(role):
            continue
        around = _asked(keys) if asked else near(said, at)
        of_sex = next(filter(None, (sex(word.text) for word in asked)), "")
        found.append(Slot(item, around, role, of_sex))
    return found


def _is_agent(item: Item) -> bool:
    """Say whether a noun is one that does something: `founder`."""
    return item.text.endswith(("er", "or")) and known(item.text)


def _asked(asked: list[str]) -> dict[str, float]:
    """Return how much each word says of what is asked: `composer` most in `film composer`."""
    telling = [key for key in asked if key not in _GENERIC] or asked
    return {key: 1.0 if key == telling[-1] else _MODIFIER for key in asked}


def _attribute(said: list[Item], at: int) -> list[Item]:
    """Return what the claim says that the value is, if it says no more: `The height of A is V`."""
    while at and said[at - 1].kind == "small" and said[at].text not in COPULAS:
        at -= 1
    if not at or said[at].text not in COPULAS:
        return []
    asked: list[Item] = []
    for item in said[_opening(said, at) + 1 : at]:
        if item.text in {"of", "in"}:
            return asked
        if item.kind not in {"word", "small"}:
            return []
        asked.append(item)
    return asked


def _opening(said: list[Item], at: int) -> int:
    """Return where the clause before a place opens with `the`, `its` or `A's`; else that place."""
    for place in range(at - 1, -1, -1):
        item = said[place]
        opens = place == 0 or said[place - 1].kind in {"and", "stop"}
        if opens and (item.text in _OWNERS or item.text.endswith(("'s", "’s"))):
            return place
    return at
