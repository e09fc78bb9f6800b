"""What is the value of a `label: value` line: a number, a date, a name, a word or two?"""

from __future__ import annotations

import re

from widedeep.evals.synth.types import Value

_NOTHING = frozenset(
    "na n/a none unknown nil null yes no true false tbd varies various other others negligible "
    "unspecified -".split()
)
_ASIDE = re.compile(r"\s*\((?P<inside>[^()]*)\)\s*$")
_INSIDE = re.compile(r"\s*\([^()]*\)")
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_NUMBER = re.compile(
    r"^(?P<money>[-−]?[$€£¥])?(?P<sign>[-−])?(?P<digits>\d{1,3}(?:,\d{3})+|\d+)(?P<part>\.\d+)?"
    r"(?: (?P<scale>thousand|million|billion|trillion))?"
    r"(?P<unit>%?(?: ?(?!(?:st|nd|rd|th)\b)[a-zA-Z°][^\d,;:()]{0,40})?)$"
)
_MONTHS = {
    name: number
    for number, name in enumerate(
        "January February March April May June July August September October November "
        "December".split(),
        1,
    )
}
_MONTH = "|".join(_MONTHS)
_DAY = re.compile(
    rf"^(?:(?P<d1>\d{{1,2}})(?:st|nd|rd|th)? (?P<m1>{_MONTH}),? (?P<y1>\d{{3,4}})"
    rf"|(?P<m2>{_MONTH}) (?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y2>\d{{3,4}}))$"
)
_SIZE_AFTER_NAME = re.compile(
    r"^(?P<name>[^\d;:]*[^\d;:\s(-]) -?\d[\d,.]* ?(?:m|km|ft|cm|mm|kg|g|t|mi)$"
)
_SHARE = re.compile(r"(?P<name>[^\d,;%<>~]+?) (?P<share>\d+(?:\.\d+)?)%")
_WORDS = re.compile(r"^[\w'’.\-&\" ]+$")
_ODD = re.compile(r"[<>{}\[\]|\\^~=_@#*]|\bhttps?:|\bnote\b|\.\.|\bsee\b", re.IGNORECASE)


def parsed(text: str) -> Value | None:
    """Return the value that a line gives, None when it is a list, a remark or nothing at all."""
    whole = " ".join(text.split())
    if not whole or whole.casefold() in _NOTHING or _ODD.search(whole) or len(whole) > 160:
        return None
    core, asides = _without_asides(whole)
    if not core or core.casefold() in _NOTHING or not all(map(_is_plain, asides)):
        return None
    aliases = (whole,) if whole != core else ()
    return day(core, aliases) or _number(core, aliases) or _words(core, whole)


def day(text: str, aliases: tuple[str, ...] = ()) -> Value | None:
    """Return a day written in English: `1 July 1966`, `July 1, 1966`."""
    match = _DAY.match(text)
    if not match:
        return None
    month = match["m1"] or match["m2"]
    number, year = int(match["d1"] or match["d2"]), int(match["y1"] or match["y2"])
    if not 1 <= number <= 31:
        return None
    others = (f"{number} {month} {year}", f"{month} {number}, {year}")
    more = tuple(dict.fromkeys(each for each in (*others, *aliases) if each != text))
    return Value(text, "date", more, ordinal(year, _MONTHS[month], number), "day")


def ordinal(year: int, month: int, number: int) -> float:
    """Return a day as a number that grows with time, about one a day."""
    return year * 372 + (month - 1) * 31 + number


def shares(text: str) -> Value | None:
    """Return the first name of a list like `Senegal 40%, Mali 12%`, if no other has its share."""
    if ";" in text or ":" in text:
        return None
    core, times = " ".join(text.split()), 1
    while times:
        core, times = _INSIDE.subn("", core)
    found = [_SHARE.fullmatch(part.strip()) for part in core.split(", ")]
    listed = [(each["name"].strip(), float(each["share"])) for each in found if each]
    if len(listed) < 2 or found[0] is None:
        return None
    (name, top), *rest = listed
    if any(share >= top for _, share in rest) or not _is_name(name):
        return None
    return Value(name, "name")


def _is_name(name: str) -> bool:
    """Tell whether the top of a list is a thing of its own and not the rest of it."""
    return bool(_WORDS.match(name)) and not re.match(
        r"(?:none|other|others|unknown|unspecified|no |non)\b", name, re.IGNORECASE
    )


def _without_asides(text: str) -> tuple[str, list[str]]:
    asides: list[str] = []
    while match := _ASIDE.search(text):
        asides.append(match["inside"])
        text = text[: match.start()].strip()
    return text, asides


def _is_plain(aside: str) -> bool:
    """Tell whether a remark in brackets only dates or renames what stands before it."""
    return ";" not in aside and len(aside) <= 60


def _number(core: str, aliases: tuple[str, ...]) -> Value | None:
    match = _NUMBER.match(core)
    if not match:
        return None
    amount = float(match["digits"].replace(",", "") + (match["part"] or ""))
    amount *= _SCALES.get(match["scale"] or "", 1)
    if match["sign"] or (match["money"] or "")[:1] in {"-", "−"}:
        amount = -amount
    unit = f"{(match['money'] or '').lstrip('-−')}{match['unit'].strip()}"
    if len(unit.split()) > 6:
        return None
    percent = "%" if match["unit"].startswith("%") else ""
    bare = core[: match.start("unit")].strip() + percent
    more = (bare,) if bare not in (core, *aliases) else ()
    return Value(core, "number", (*more, *aliases), amount, unit)


def _words(core: str, whole: str) -> Value | None:
    if (sized := _SIZE_AFTER_NAME.match(core)) and (name := _without_asides(sized["name"])[0]):
        core = name
    core = core.strip(' "“”')
    if not core or not _WORDS.match(core) or len(core.split()) > 7 or len(core) < 2:
        return None
    if re.search(r"\d", core) or core.casefold() in _NOTHING:
        return None
    if re.search(r"\b(?:and|or|but|which|that|because|with)\b", core) and core[0].islower():
        return None
    aliases = (whole,) if whole != core and len(whole) <= 80 else ()
    kind = "name" if core[0].isupper() or core[0] == "." else "text"
    return Value(core, kind, aliases)
