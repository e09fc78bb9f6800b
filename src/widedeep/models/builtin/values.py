"""What is the value in a line, in its shortest form, as a number, as years?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_SCALE = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_NUMBER = re.compile(
    r"(?P<before>[-−–]?\s?[$€£¥]?\s?)(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?:\s?(?P<scale>thousand|million|billion|trillion)\b)?\s?(?P<unit>%|[^\W\d_][\w./²³]*)?",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<![\d,.$])(1[0-9]\d\d|20\d\d|21\d\d)(?![\d,]|\.\d)")
_RANGE = re.compile(r"(?<!\d)((?:19|20)\d\d)\s?[-–/]\s?(\d{2}|(?:19|20)\d\d)(?!\d)")
_ASIDE = re.compile(r"\s*[(\[][^()\[\]]*(?:\([^()]*\)[^()]*)*[)\]]")
_NOTE = re.compile(r"\s*[;,.]?\s*\bnote\b\s*\d*\s*[-:–].*$", re.IGNORECASE)
_RATE = re.compile(r"\s+per\s+\S.*$")
MONTHS = (
    "january february march april may june july august september october november december".split()
)
DATE = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{'|'.join(MONTHS)}),?(?: \d{{3,4}})?"
    rf"|(?:{'|'.join(MONTHS)})(?: \d{{1,2}}(?:st|nd|rd|th)?)?,? \d{{3,4}}|\d{{4}}-\d\d-\d\d)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Number:
    """A number with what stands beside it."""

    value: float
    unit: str


@lru_cache(maxsize=16384)
def number(text: str) -> Number | None:
    """Return the first number of a text, scale words and signs applied."""
    match = _NUMBER.search(text)
    if match is None:
        return None
    value = float(match["digits"].replace(",", "")) * _SCALE.get((match["scale"] or "").lower(), 1)
    before = match["before"].strip()
    if before[:1] in "-−–" and before and not text[: match.start()].strip():
        value = -value
    money = next((sign for sign in before if sign in "$€£¥"), "")
    return Number(value, money or (match["unit"] or "").lower())


@lru_cache(maxsize=65536)
def years(text: str) -> frozenset[int]:
    """Return the years a text names; `2020-25` names all of them."""
    found = {int(year) for year in _YEAR.findall(text)}
    for first, last in _RANGE.findall(text):
        end = int(first[:2] + last) if len(last) == 2 else int(last)
        found.update(range(int(first), min(end, int(first) + 30) + 1))
    return frozenset(found)


def short(value: str) -> str:
    """Return a value without asides and notes: `18,479,841 (2025 est.)` is `18,479,841`."""
    plain = _NOTE.sub("", value)
    plain = _ASIDE.sub("", plain) if not _ASIDE.fullmatch(plain.strip()) else plain
    plain = plain.strip().rstrip(" -–;,:").strip()
    if not re.search(r"\d", plain):
        plain = _RATE.sub("", plain)
    return plain or value.strip()


def measure(text: str) -> str | None:
    """Return the number at the end of a name, with its unit: `8,849 m` of `Mount Everest 8,849 m`.

    None when the text is not a name with a number after it.
    """
    found = re.match(
        r"^[^\W\d][^\d;,]*?\s(?P<measure>[-−$€£]?\d[\d,]*(?:\.\d+)?(?:\s\S+){0,2})$", text
    )
    return found["measure"] if found else None


def is_placeholder(value: str) -> bool:
    """Tell whether a value only says that there is none."""
    return short(value).lower() in {"", "na", "n/a", "-", "--", "unknown", "not available"}
