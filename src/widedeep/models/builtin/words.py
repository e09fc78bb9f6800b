"""Which words of English carry a question, and which of them mean the same?

Ordinary English only: nothing here may come from a corpus or from a set of questions.
"""

from __future__ import annotations

import re
from functools import lru_cache

from widedeep.models.builtin.folding import fold
from widedeep.text import STOP

_TOKEN = re.compile(r"\d[\d.,]*\d|[^\W_]+(?:'[^\W_]+)?|%")

_IRREGULAR = {
    "spoken": "speak",
    "spoke": "speak",
    "men": "man",
    "women": "woman",
    "children": "child",
    "people": "people",
    "born": "born",
    "died": "die",
    "written": "write",
    "wrote": "write",
    "rose": "rise",
    "led": "lead",
    "won": "win",
    "made": "make",
    "sold": "sell",
    "bought": "buy",
    "built": "build",
    "founded": "found",
    "sung": "sing",
    "sang": "sing",
    "media": "media",
    "gas": "gas",
    "growth": "grow",
}


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """Return a word's stem: no plural, no -ing, -ed, -ly, no closing e."""
    word = word.removesuffix("'s")
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if not word.isalpha() or len(word) < 4:
        return word
    word = _singular(word)
    for ending in ("ing", "ed", "ly"):
        root = word.removesuffix(ending)
        if root != word and len(root) >= 3 and re.search(r"[aeiouy]", root):
            word = root[:-1] if root[-1] == root[-2] and root[-1] not in "lsz" else root
            break
    if word.endswith("y") and len(word) > 4:
        word = word[:-1] + "i"
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


_SAME = (
    "population inhabitant populace populous populated",
    "area surface",
    "currency money",
    "head chief leader ruler lead rule govern",
    "expenditure spending spend outlay",
    "border boundary frontier neighbour neighbor",
    "language tongue speak",
    "religion faith belief religious creed",
    "highest tallest",
    "largest biggest greatest",
    "smallest littlest",
    "point peak summit",
    "independence independent",
    "climate weather",
    "coastline coast shoreline seacoast",
    "percent percentage proportion share %",
    "railway railroad rail",
    "airport airfield",
    "road highway roadway",
    "location situated located position",
    "female woman",
    "male man",
    "average mean",
    "birth born",
    "death die mortality",
    "telephone phone",
    "emission emit",
    "physician doctor",
    "export exporter",
    "import importer",
    "product production produce producer",
    "kind type sort form",
    "consumption consume consumer",
    "user use usage",
    "urban urbanization",
    "literate literacy",
    "unemployment unemployed jobless joblessness",
    "fertile fertility",
    "military armed",
    "author write writer",
    "direct director",
    "found founder establish",
    "spouse wife husband marry married",
    "mountain mount",
    "elect election",
    "resource resources",
    "ethnic ethnicity",
    "hazard danger",
    "industry industrial",
    "nationality demonym",
    "obese obesity",
    "party parties",
    "suffrage vote voting voter",
    "century centuries",
)
_CANON = {stem(word): stem(line.split()[0]) for line in _SAME for word in line.split()}
_MEANT = frozenset(_CANON.values())
_SPELLED = {stem(line.split()[0]): line.split()[0] for line in _SAME}


def _stems(text: str) -> frozenset[str]:
    return frozenset(_CANON.get(stem(word), stem(word)) for word in text.split())


_GENERIC = frozenset(
    stem(word)
    for word in (
        "have has had get got give gives given tell find show list use used using uses "
        "usually live lives living reside dwell inhabit exist called known entitled "
        "titled become became gain gained win achieve obtain reach follow practise "
        "practised practiced observe profess adhere belong pay go goes going went come "
        "comes stand stands happen fall lie lies make makes take takes see say says "
        "said look like please there here today currently presently nowadays people "
        "person someone one ones everyone citizen resident folk amount many much count "
        "respect regard terms compare compared comparison differ difference versus vs "
        "table each every according approximately roughly exactly around latest recent "
        "most more less least fewer fewest whichever across among amongst respectively "
        "well rank ranked order sorted together let regarding concerning want need know "
        "curious wonder wondering ask asking question answer officially actually "
        "precisely describe explain provide thing things newborn fast quickly rapidly "
        "contrast tabulate summarise summarize outline present display identify "
        "juxtapose cover occupy sell sold abroad face faces also locally call term "
        "generally typically fact data information detail details world following own "
        "put goods side end boast run express measured counted reported recorded may "
        "might serve act function threaten feature contain possess offer consist "
        "comprise equal sit stretch extend suffer experience enjoy celebrate mark "
        "register host operate maintain keep hold rule item globe earth "
    ).split()
)
"""What a question says beside what it asks for; never required of a line that answers it."""

HARMLESS = _stems(
    "official real actual current national general overall main major principal primary "
    "average country group natural estimated estimate annual yearly latest total whole "
    "common exact adult standard nominal s "
)
"""Modifiers that hardly change what is meant."""

SOFT = _stems(
    "rate ratio length height depth width extent duration level number amount size figure index "
    "value percent degree kind type sort form date year makeup composition breakdown network"
)
"""Words of measure: `literacy rate` may stand as `literacy`."""

NEUTRAL = _stems("total overall name title all general whole value both estimate description")
"""A label that ends so means the thing itself."""

PREPOSITIONS = frozenset(
    "of in on at by for from to with per as than between among under over above below during "
    "within into through since until against about across after before".split()
)


@lru_cache(maxsize=32768)
def concept(word: str) -> str:
    """Return what a word means: its stem, or the stem of the ordinary word for it."""
    root = stem(word)
    return _CANON.get(root, root)


@lru_cache(maxsize=16384)
def tokens(text: str) -> tuple[str, ...]:
    """Return the folded words and numbers of a text in order."""
    return tuple(_TOKEN.findall(fold(text)))


@lru_cache(maxsize=16384)
def concepts(text: str) -> tuple[str, ...]:
    """Return the concepts of a text in order, without stop words and prepositions."""
    return tuple(
        concept(token) for token in tokens(text) if token not in STOP and token not in PREPOSITIONS
    )


def ordinary(token: str) -> str:
    """Return the most ordinary word for what a folded word means, itself if none is known."""
    return _SPELLED.get(concept(token), token)


def is_ordinary(token: str) -> bool:
    """Tell whether a folded word is common English, and so no name in small letters."""
    return token in STOP or token in PREPOSITIONS or is_generic(token) or _is_measured(token)


def _is_measured(token: str) -> bool:
    root = concept(token)
    return root in HARMLESS or root in SOFT or root in NEUTRAL or root in _MEANT


def is_generic(token: str) -> bool:
    """Tell whether a folded word says nothing of what is asked for."""
    return stem(token) in _GENERIC
