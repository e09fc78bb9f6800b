"""Whether a number that an answer states is one that a source holds, perhaps rounded."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from widedeep.text import NUMBER, plain_number

_ABOUT = re.compile(r"(?:\babout|\baround|\bapproximately|\broughly|\bnearly|\balmost|~|≈)\s*$")


def stands(value: str, numbers: Collection[str], claim: str) -> bool:
    """Say whether a claimed number is among a source's, as it is or rounded.

    A number counts as rounded when it has decimals, a scale word (`million`), or a word like
    `about` directly before it.

    Args:
        value: the claimed number in the form of `text.numbers`.
        numbers: those of the source, in the same form.
        claim: the sentence that states it.
    """
    if value in numbers:
        return True
    half = _half(value, claim)
    return half > 0 and any(abs(float(number) - float(value)) <= half for number in numbers)


@lru_cache(maxsize=256)
def _half(value: str, claim: str) -> float:
    """Return by how much a number may differ from the one that was rounded to it."""
    written = [match for match in NUMBER.finditer(claim) if plain_number(match) == value]
    return max((_unit(match, claim) for match in written), default=0.0) / 2


def _unit(match: re.Match[str], claim: str) -> float:
    """Return the unit of the last digit that a rounded number is written with, 0 if exact."""
    places = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
    scale = 10.0 ** places.get((match["scale"] or "").lower(), 0)
    if match["part"]:
        return scale * 10.0 ** -len(match["part"])
    if match["scale"]:
        return scale
    digits = re.sub(r"\D", "", match["whole"])
    zeros = len(digits) - len(digits.rstrip("0"))
    if zeros and zeros < len(digits) and _ABOUT.search(claim[: match.start()].lower()):
        return 10.0**zeros
    return 0.0
