"""Whether a number that an answer states is one that a source holds, perhaps rounded."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SPOKEN = re.compile(
    r"\b(about|around|approximately|roughly|nearly|almost|some|over|under|more than|less than|ca"
    r"|thousand|million|billion|trillion)\b|~|≈",
    re.IGNORECASE,
)


def stands(value: str, numbers: Iterable[str], claim: str) -> bool:
    """Say whether a claimed number is among a source's, as it is or rounded.

    A number counts as rounded when it has decimals, or when the claim says so: `about`, `million`.

    Args:
        value: the claimed number in the form of `text.numbers`.
        numbers: those of the source, in the same form.
        claim: the sentence that states it.
    """
    held = set(numbers)
    if value in held:
        return True
    if "." not in value and not _SPOKEN.search(claim):
        return False
    half = _place(value) / 2
    return any(abs(float(number) - float(value)) <= half for number in held)


def _place(value: str) -> float:
    """Return the unit of the last digit that a number is written with."""
    whole, _, fraction = value.lstrip("-").partition(".")
    if fraction:
        return 10.0 ** -len(fraction)
    return 10.0 ** min(len(whole) - len(whole.rstrip("0")), max(len(whole) - 1, 0))
