"""When and where does `(5 May 1901, Lyon - 7 June 1980, Paris)` say that someone lived?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from widedeep.evals.synth.patterns import DASH, PLACES, WHEN

_UNSURE = re.compile(
    r"\bc\.|\bca\.|circa|\?|/|\bO\.?S\b|N\.S\.|\bor\b|before|after|baptised|baptized|about|fl\.|BC"
    r"|reign|ruled|christened|approximately|between"
)
_BORN = re.compile(
    rf"\b(?:born|b\.)(?: [^\d;()]{{0,60}}?[;,]?)?(?: on| in)? (?P<when>{WHEN})"
    rf"(?: in (?P<place>{PLACES})(?=$|[;.)]|{DASH}))?"
)
_SPAN = re.compile(
    rf"(?:^|[;,] |born )(?:(?P<place1>{PLACES}), )?(?P<when1>{WHEN})"
    rf"(?:(?: in|,) (?P<place2>{PLACES}))?"
    rf"{DASH}(?:died )?(?:(?P<place3>{PLACES}), )?(?P<when2>{WHEN})"
    rf"(?:(?: in|,) (?P<place4>{PLACES}))?$"
)
_FULL = re.compile(r"[A-Za-z]")


def facts(brackets: str) -> Iterator[tuple[str, str]]:
    """Yield relation and value of what the brackets after a person's name say."""
    if _UNSURE.search(brackets):
        return
    if span := _SPAN.search(brackets):
        yield _dated("birth", span["when1"])
        yield _dated("death", span["when2"])
        for relation, names in (
            ("birth place", ("place1", "place2")),
            ("death place", ("place3", "place4")),
        ):
            if place := next((span[name] for name in names if span[name]), None):
                yield relation, place
    elif born := _BORN.search(brackets):
        yield _dated("birth", born["when"])
        if born["place"]:
            yield "birth place", born["place"]


def _dated(event: str, when: str) -> tuple[str, str]:
    return f"{event} {'date' if _FULL.search(when) else 'year'}", when
