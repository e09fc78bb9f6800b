"""Which of two things comes first, or are they alike?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from widedeep.models.builtin.reading.asked import Asked
from widedeep.models.builtin.reading.lives import Fact, countries, key
from widedeep.models.builtin.reading.passage import Passage
from widedeep.models.builtin.reading.path import Path
from widedeep.models.builtin.reading.resolve import Found, about, follow

_LATEST = re.compile(
    r"\b(?:later|latest|younger|youngest|newer|newest|last|recent|recently|longer|longest)\b"
)
_ALIKE = re.compile(r"\b(?:same|both|share|shared|common|also)\b")
_AIM = re.compile(
    r"\b(?:first|earlier|earliest|older|oldest|before|sooner|later|latest|younger|youngest|newer"
    r"|newest|last|recent|recently|longer)\b"
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of a comparison, and for each side what it rests on."""

    short: str
    sides: tuple[Found, ...]


def is_ordered(asked: Asked) -> bool:
    """Tell whether the question asks which of two comes first or last."""
    return bool(asked.arms) and bool(_AIM.search(asked.bare))


def ordered(asked: Asked, path: Path, passages: Sequence[Passage]) -> Verdict | None:
    """Return which of the two arms comes first, or last, by its date."""
    sides: list[tuple[float, str, Found]] = []
    for arm in asked.arms:
        for found in follow(arm, path, passages):
            at = _moment(found.value, path)
            if at is not None:
                sides.append((at, arm, found))
                break
    if len(sides) < 2 or sides[0][0] == sides[1][0]:
        return None
    latest = bool(_LATEST.search(asked.bare))
    sides.sort(key=lambda side: side[0], reverse=latest)
    return Verdict(sides[0][1], tuple(found for _, _, found in sides))


def _moment(value: str, path: Path) -> float | None:
    """Return a date as a number of years, or the length of a life."""
    if path.aim == "age":
        born, _, died = value.partition(" – ")
        first, last = _moment(born, Path((), "other")), _moment(died, Path((), "other"))
        return None if first is None or last is None else last - first
    found = key(value)
    return None if found is None else found[0] + found[1] / 13 + found[2] / 500


def alike(asked: Asked, path: Path, passages: Sequence[Passage]) -> Verdict | None:
    """Return whether two things are of the same country."""
    if path.aim != "country" or not _ALIKE.search(asked.bare):
        return None
    sides: list[tuple[set[str], Found]] = []
    for arm in asked.names[:2]:
        ends = _ends(arm, path, passages)
        said = [(fact, of) for end in ends[:1] for fact, of in countries(_of(end))]
        if not said:
            return None
        end = ends[0]
        sides.append(
            ({of for _, of in said[:1]}, Found(end.value, end.passage, (*end.facts, said[0][0])))
        )
    if len(sides) < 2:
        return None
    same = bool(sides[0][0] & sides[1][0])
    return Verdict("yes" if same else "no", tuple(found for _, found in sides))


def _of(found: Found) -> Passage:
    assert found.passage is not None
    return found.passage


def _ends(arm: str, path: Path, passages: Sequence[Passage]) -> list[Found]:
    if not path.roles:
        return [Found(each.subject, each, ()) for each in about(arm, passages)]
    ends = follow(arm, Path(path.roles, "who"), passages)
    return [end for end in ends if end.passage is not None]


def fact_of(passage: Passage) -> Fact:
    """Return the first sentence of a passage as a fact."""
    return Fact(passage, 0, passage.subject)
