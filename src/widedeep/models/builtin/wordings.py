"""Which round-about wordings of English stand for which plain nouns?

`how many people live in` asks for a population, `who runs` for a leader. Only wordings that mean
the same in any text belong here.
"""

from __future__ import annotations

import re

_PEOPLE = r"(?:people|persons|inhabitants|residents|citizens|souls|individuals|men and women)"
_LIVE_IN = r"\b(?:people |who |that )*(?:live|lives|living|reside|resides|dwell) in"
_UNITS = (
    r"(?:square |sq\.? ?|cubic )?(?:kilomet(?:er|re)s?|km2?|met(?:er|re)s?|miles|us dollars|dollars"
    r"|usd|years|percent|per cent|feet|nautical miles)"
)
_NOW = r"(?:currently |presently |now |officially )?"

_WORDINGS = tuple(
    (re.compile(pattern, re.IGNORECASE), said)
    for pattern, said in (
        (r"\b(what|who|where|how|when|which|that|it|there)'s\b", r"\1 is"),
        (
            r"\bhow (?:long|many years) (?:do|does|can|is|are|may|will)\b(?=.*\blive\b)",
            "what life expectancy",
        ),
        (r"\bhow old (?:do|does|can)\b(?=.*\b(?:get|live|become)\b)", "what life expectancy"),
        (r"\b(?:average |mean )?life ?spans?\b", "life expectancy"),
        (r"\b(?:expected|expect) to live\b", " "),
        (rf"{_LIVE_IN} (?:cities|towns|urban areas|the city)\b", "urban population"),
        (rf"{_LIVE_IN} (?:the countryside|rural areas|villages)\b", "rural population"),
        (
            (
                r"\b(how many|number of|the most|has most|have most|more|less|(?:the )?fewest"
                rf"|fewer) {_PEOPLE}\b"
            ),
            r"\1 population",
        ),
        (rf"\s*\b(?:expressed |measured |given )?in {_UNITS}\b", ""),
        (r"\b(?:can|able to) read and write\b", "literacy"),
        (r"\bCO2\b", "carbon dioxide"),
        (
            (
                r"\bhow many (?:(?:square )?(?:kilomet(?:er|re)s|km|miles|met(?:er|re)s)|hectares"
                r"|acres|tons|tonnes|barrels|lit(?:er|re)s|dollars|kilowatt[- ]hours) of\b"
            ),
            "how much",
        ),
        (
            (
                r"\bhow many (?:children|babies|kids) (?=(?:does|do|are|will) .*\b(?:woman|women"
                r"|mother|mothers)\b)"
            ),
            "what fertility ",
        ),
        (r"\bper (?:person|head|inhabitant)\b", "per capita"),
        (r"\b(?:can be|are|is|be) found\b", "are"),
        (r"\bhow many square (?:kilomet(?:er|re)s|km|miles)\b(?! of)", "how large"),
        (r"\bcapital (?:city|town)\b", "capital"),
        (
            (
                rf"\bwho {_NOW}(?:leads|rules|governs|runs|heads|is (?:in charge of|leading|ruling"
                rf"|running|governing))\b"
            ),
            "who is the leader of",
        ),
        (r"\bneighbou?r(?:s|ing (?:countries|states|nations))\b", "border countries"),
        (
            (
                r"\b(?:cc ?tld|(?:country[- ]code )?top[- ]level domain|tld"
                r"|internet (?:suffix|extension|domain)|web (?:domain|suffix))\b"
            ),
            "internet code",
        ),
        (r"\b(?-i:peak)\b(?! (?:year|demand|oil))", "highest point"),
        (
            (
                r"\b(?:highest|tallest|biggest) "
                r"(?:highest point|mountain|summit|elevation|place|spot)\b"
            ),
            "highest point",
        ),
        (r"\b(?:paid|pay) with\b", "currency"),
        (
            (
                r"\bwhere (?:exactly )?(?:(?:in|on) (?:the )?(?:world|earth|globe|map) )?"
                r"(?:is|are|was|were|does|do|can)\b"
            ),
            "what location",
        ),
        (r"\b(?:what|which) age\b(?=.*\bexpect(?:ed)? to\b)", "what life expectancy"),
        (r"\bexpect(?:ed)? to reach\b", " "),
        (r"\b(?:a |the )?(?:person|child|baby|man|woman|people|someone) born in\b", "in"),
        (
            (
                r"\bthe \w+ (?:officially |formally |formerly |also |now |once )*"
                r"(?:named|called|known as) (?=(?-i:[A-Z]))"
            ),
            "",
        ),
        (r"\bwhat share\b", "what percentage"),
    )
)


def reworded(text: str) -> str:
    """Return a question with round-about wordings replaced by the nouns they mean."""
    for pattern, said in _WORDINGS:
        text = pattern.sub(said, text)
    return text
