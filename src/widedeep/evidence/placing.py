"""Whether a source's prose says a value of what a claim says it of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from widedeep import text as words
from widedeep.evidence.mentions import Item
from widedeep.evidence.nearness import CLAUSE
from widedeep.evidence.prose import Mention, Prose, is_title
from widedeep.evidence.roles import KIN, can_be, of_kin, sex_of
from widedeep.evidence.rounding import stands
from widedeep.evidence.slots import Slot, slots

CLEAR = 0.5
"""How well another value must fit the words of a claim before it can refute the claimed one."""

MARGIN = 0.25
"""By how much it must fit them better than the claimed value does."""

CLAIMED_TOO = 0.5
"""The same where the claim has that other value too, and says something else of it."""

ANY_KIND = 0.75
"""How well a value of another kind must fit, a name against a date say, before it can refute."""

_NARROW = 0.05
_OF_KIN = 0.6
_NOWHERE = 0.2


class Verdict(Enum):
    """What one source says of a claimed value."""

    HELD = 1
    ELSEWHERE = 2
    ABSENT = 3


Standing = list[tuple[Mention, list[Slot]]]
"""The values of a source, each with the values of a claim that it can be."""


@dataclass(slots=True)
class _Fits:
    """How well the claimed value fits, and how well those that the source has instead."""

    own: float = -1.0
    able: bool = False
    same_kind: float = 0.0
    claimed_too: float = 0.0
    any_kind: float = 0.0


def misplaced(claim: str, sources: Sequence[Prose]) -> set[int]:
    """Return which sources hold a value of the claim, but say it of something else.

    Each value stands near some words of the claim. In the source, the place where it stands near
    the same words is compared with the places of other values; it is misplaced when another value
    fits the words much better. A value that one source holds in its place is in no other misplaced.

    Args:
        claim: the sentence, without its citation.
        sources: the prose of each source that it cites.

    Returns:
        The positions of the sources. One that has the words of a name, but none together in one
        sentence, says that name of nothing.
    """
    known = frozenset(word for prose in sources for word in prose.title)
    found: set[int] = set()
    stated = slots(
        claim, [name for prose in sources for name in prose.names if name in claim], known
    )
    standing = [_standing(stated, prose, claim) for prose in sources]
    for slot in stated:
        verdicts = [
            _verdict(slot, prose, held, claim)
            for prose, held in zip(sources, standing, strict=True)
        ]
        if Verdict.HELD in verdicts:
            continue
        found |= {at for at, verdict in enumerate(verdicts) if verdict is Verdict.ELSEWHERE}
    return found


def _standing(stated: list[Slot], prose: Prose, claim: str) -> Standing:
    """Return which values of a claim each value of a source can be, but for its title."""
    found: Standing = []
    for mention in prose.mentions:
        same = [slot for slot in stated if matches(slot.item, mention.item, claim)]
        if same or not is_title(mention.item, prose.title):
            found.append((mention, same))
    return found


def _verdict(slot: Slot, prose: Prose, held: Standing, claim: str) -> Verdict:
    verdict = _in_sentences(slot, prose, held)
    if verdict is Verdict.ELSEWHERE and _labelled(slot, prose, claim):
        return Verdict.HELD
    return verdict


def _labelled(slot: Slot, prose: Prose, claim: str) -> bool:
    """Say whether a line `label: value` has the value, and words that stand near it."""
    for line in prose.labelled:
        keys = {key for item in line for key in item.keys if not matches(slot.item, item, claim)}
        held = not slot.near.keys().isdisjoint(keys)
        if held and any(matches(slot.item, item, claim) for item in line):
            return True
    return False


def _in_sentences(slot: Slot, prose: Prose, held: Standing) -> Verdict:
    if _no_number(slot.item, prose):
        return Verdict.ELSEWHERE
    wanted = {
        key: nearness**2 * prose.weights[key]
        for key, nearness in slot.near.items()
        if key in prose.weights and key not in prose.title
    }
    fits = _fits(slot, wanted, prose, held)
    if fits.own < 0:
        return _of_words(slot.item, prose)
    if not fits.able:
        return Verdict.ELSEWHERE
    if slot.asked:
        best = max(fits.same_kind, fits.claimed_too)
        best = max(best, fits.any_kind) if fits.any_kind >= ANY_KIND else best
        margin = _NARROW if _no_kind_of(slot) else MARGIN
        return _of(elsewhere=best >= CLEAR and fits.own < best - margin)
    governed = any(slot.near[key] > CLAUSE for key in wanted)
    if not governed and slot.item.kind not in {"date", "number"}:
        return Verdict.HELD
    # A date may open a sentence and be governed by nothing: then all of the sentence is its place.
    if fits.same_kind >= CLEAR and fits.own < fits.same_kind - MARGIN:
        return Verdict.ELSEWHERE
    return _of(
        elsewhere=governed
        and (
            (fits.claimed_too >= CLEAR and fits.own < fits.claimed_too - CLAIMED_TOO)
            or (fits.any_kind >= ANY_KIND and fits.own < _NOWHERE)
        )
    )


def _no_kind_of(slot: Slot) -> bool:
    """Say whether a value cannot be what is asked: a date no place, a name no date."""
    if slot.item.kind in {"date", "number"}:
        return "place" in slot.near
    return not slot.near.keys().isdisjoint({"date", "year"})


def _of(*, elsewhere: bool) -> Verdict:
    return Verdict.ELSEWHERE if elsewhere else Verdict.HELD


def _fits(slot: Slot, wanted: dict[str, float], prose: Prose, held: Standing) -> _Fits:
    fits = _Fits()
    whole = sum(wanted.values())
    rivals: Standing = []
    sexes: set[str] = set()
    for mention, same in held:
        if any(each is slot for each in same):
            fit = _fit(slot, wanted, prose, mention) / whole if whole else 1.0
            able = _able(slot, prose, mention)
            fits.own = max(fits.own, fit if able else 0.0)
            fits.able |= able
            sexes.add(_sex(slot, prose, mention))
        elif _able(slot, prose, mention) and _sex(slot, prose, mention) in {"", slot.of_sex}:
            rivals.append((mention, same))
    sexes.discard("")
    fits.able = fits.able and (not sexes or slot.of_sex in sexes)
    if not whole or not 0 <= fits.own < 1 - (_NARROW if slot.asked else MARGIN):
        return fits
    for mention, same in rivals:
        fit = _fit(slot, wanted, prose, mention) / whole
        if same:
            fits.claimed_too = max(fits.claimed_too, fit)
        elif slot.item.kind == mention.item.kind:
            fits.same_kind = max(fits.same_kind, fit)
        else:
            fits.any_kind = max(fits.any_kind, fit)
    return fits


def _able(slot: Slot, prose: Prose, mention: Mention) -> bool:
    return can_be(slot.asked, prose.sentences[mention.sentence], mention.at)


def _sex(slot: Slot, prose: Prose, mention: Mention) -> str:
    """Return what a source shows of a person's sex, where the claim asks for one."""
    said = prose.sentences[mention.sentence]
    return sex_of(slot.asked, said, mention.at) if slot.of_sex else ""


def _fit(slot: Slot, wanted: dict[str, float], prose: Prose, mention: Mention) -> float:
    """Return how much of what stands near the claimed value stands as near to the mention."""
    found = 0.0
    around = prose.near(mention)
    for key, weight in wanted.items():
        nearness = around.get(key)
        if nearness:
            found += weight * min(1.0, nearness / slot.near[key])
    said = prose.sentences[mention.sentence]
    return found * _OF_KIN if KIN.isdisjoint(slot.near) and of_kin(said, mention.at) else found


def _no_number(item: Item, prose: Prose) -> bool:
    """Say whether a number is in the source only the day of a date."""
    if item.kind != "number" or any(item.keys[0] in keys for keys in prose.keys):
        return False
    return any(f"day {item.keys[0]}" in keys for keys in prose.keys)


def _of_words(item: Item, prose: Prose) -> Verdict:
    """Say what a source says of a name that it does not have as it stands in the claim."""
    name = set(item.keys) - prose.title
    if item.kind != "name" or len(item.keys) == 1:
        return Verdict.ABSENT
    lines = [{word for each in line for word in words.words(each.text)} for line in prose.sentences]
    if any(name <= line for line in lines):
        return Verdict.HELD
    return Verdict.ELSEWHERE if name <= set[str]().union(*lines) else Verdict.ABSENT


def matches(claimed: Item, held: Item, claim: str) -> bool:
    """Say whether a claimed value is the one that a source holds, perhaps shorter or rounded."""
    if claimed.kind in {"number", "date"}:
        if held.kind != claimed.kind:
            return False
        if claimed.kind == "date":
            return _same_day(claimed.keys, held.keys)
        return claimed.keys == held.keys or stands(claimed.keys[0], held.keys, claim)
    return held.kind in {"name", "nation"} and _same_name(claimed.keys, held.keys)


def _same_name(claimed: tuple[str, ...], held: tuple[str, ...]) -> bool:
    """Say whether two names can be one: `Paul`, `King Paul`, `Ann Lee`, `Ann Mary Lee`."""
    if claimed == held:
        return True
    if set(claimed).issubset(held):
        return True
    if claimed[-1] == held[-1] or (len(held) > 1 and claimed[0] == held[0]):
        return set(held).issubset(claimed)
    return False


def _same_day(one: tuple[str, ...], two: tuple[str, ...]) -> bool:
    mine = dict(part.split() for part in one)
    theirs = dict(part.split() for part in two)
    shared = mine.keys() & theirs.keys()
    return bool(shared) and all(mine[part] == theirs[part] for part in shared)
