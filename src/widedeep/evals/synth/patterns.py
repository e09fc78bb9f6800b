"""How do English sentences write names, places and days?"""

from __future__ import annotations

import re

_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
DAY = rf"(?:\d{{1,2}} {_MONTH},? \d{{3,4}}|{_MONTH} \d{{1,2}},? \d{{3,4}})(?!\d)"
YEAR = r"(?:1[0-9]\d{2}|20[0-2]\d)(?!\d)"
WHEN = rf"(?:{DAY}|{YEAR})"
DASH = r"\s*[-–—−]\s*"

_CAP = r"[^\W\d_a-zß-öø-ÿ]"
_WORD = rf"{_CAP}[^\W\d_]*(?:['’-][^\W\d_]+)*"
_TOKEN = rf"(?:{_CAP}\.(?:-?{_CAP}\.)*|(?:Jr|Sr|St|Dr|Mrs|Mr)\.|{_WORD})"
_SMALL = (
    "(?:de|von|van|der|den|ten|ter|la|le|les|di|da|del|della|dos|do|bin|ibn|al|el|y|e|af|zu|du|des)"
)
NAME = rf"{_TOKEN}(?:,? (?:Jr|Sr)\.| (?:{_SMALL} ){{0,2}}{_TOKEN}){{0,5}}"
"""A name of one to six words."""
_RANK = (
    "(?:King|Queen|Prince|Princess|Duke|Duchess|Count|Countess|Earl|Lord|Lady|Baron|Marquess"
    "|Margrave|Landgrave|Elector|Emperor|Grand Duke|Archduke)"
)
NOBLE = rf"{NAME}(?: of (?:the )?{NAME})*(?:, {_RANK} of (?:the )?{NAME})?"
"""A name with an "of" in it: `Henry II, Duke of Brabant`."""
PLACE = rf"{_WORD}(?:[ -](?:(?:of|upon|on|am|an der|de|la|le|del|sur|in) )?{_TOKEN}){{0,4}}"
PLACES = rf"{PLACE}(?:, (?:{PLACE}|[A-Z]\.[A-Z]\.(?:[A-Z]\.)?)){{0,3}}"

_SPACES = (
    (re.compile(r"\(\s+"), "("),
    (re.compile(r"\s+([,.;)])"), r"\1"),
    (re.compile(r"(?<=\w)\("), " ("),
    (re.compile(r"(?<=[^\W\d_])- (?=[^\W\d_])"), "-"),
    (re.compile(r"\s+"), " "),
)


def tidy(sentence: str) -> str:
    """Return a sentence with single spaces, none inside brackets or before a comma."""
    for pattern, instead in _SPACES:
        sentence = pattern.sub(instead, sentence)
    return sentence.strip()


def compiled(text: str) -> re.Pattern[str]:
    """Return a pattern written with `<NAME>`, `<PLACE>`, `<DAY>` and the like, each a group `v`."""
    parts = {"NAME": NAME, "NOBLE": NOBLE, "PLACES": PLACES, "DAY": DAY, "YEAR": YEAR}
    parts |= {"NUMBER": r"\d{1,3}(?:,\d{3})+|\d{2,7}", "QUOTED": r"[^\"“”]{2,60}"}
    for name, pattern in parts.items():
        text = text.replace(f"<{name}>", f"(?P<v>{pattern})", 1)
        text = text.replace(f"<{name}>", f"(?:{pattern})")
    return re.compile(text)
