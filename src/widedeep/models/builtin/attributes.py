"""Which attributes does a stretch of a question ask for?"""

from __future__ import annotations

import re
from collections.abc import Iterable

from widedeep.models.builtin.folding import fold
from widedeep.models.builtin.question import Attribute, Kind, Order
from widedeep.models.builtin.wordings import reworded
from widedeep.models.builtin.words import (
    HARMLESS,
    NEUTRAL,
    PREPOSITIONS,
    SOFT,
    concept,
    is_generic,
    ordinary,
    stem,
    tokens,
)
from widedeep.text import STOP

_ADJECTIVES = {
    "area": "big bigger biggest large larger largest small smaller smallest size extensive vast",
    "length": "long longer longest short shorter shortest",
    "height": "tall taller tallest high higher highest",
    "age": "old older oldest young younger youngest",
    "population": "populous populated crowded",
    "depth": "deep deeper deepest shallow",
    "width": "wide wider widest broad",
    "temperature": "hot hotter hottest cold colder coldest warm warmer",
}
_NOUN_OF = {word: noun for noun, words in _ADJECTIVES.items() for word in words.split()}
_MOST = frozenset(
    "most more largest larger biggest bigger highest higher greatest greater longest longer oldest "
    "older tallest taller richest richer max maximum top exceeds above exceed latest later "
    "fastest faster strongest".split()
)
_LEAST = frozenset(
    "least less fewest fewer smallest smaller lowest lower shortest shorter youngest younger "
    "poorest poorer min minimum bottom below ascending earliest earlier first slowest slower "
    "weakest".split()
)
_SOME_YEAR = r"(?:1[5-9]|20|21)\d\d"
_CUT = re.compile(
    rf"\b(?:as of|as at|since|during|in|for|by|from|around|circa) (?:the )?(?:year )?{_SOME_YEAR}\b"
    r"|\baccording to\b.*$"
    r"|\bper (?:\d[\d,]*|hundred|thousand|million) (?:people|inhabitants|persons|residents|women)\b"
    rf"|\([^()]*\)|\b{_SOME_YEAR}\b(?: est(?:imate|imated)?\b)?"
    r"|\b(?:at|right) (?:present|the moment|now)\b|\bthese days\b",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"\s*(?:,(?!\d)|[;:]|\band\b|\bor\b|\bas well as\b|\balong with\b|\btogether with\b|\bplus\b|&"
    r"|\bvs\.?|\bversus\b)\s*",
    re.IGNORECASE,
)
_ASKED_TYPE = re.compile(
    r"\b(?:which|what) (countr(?:y|ies)|nations?|states?|cit(?:y|ies)|places?|year|date|day|month"
    r"|persons?|people|compan(?:y|ies)|goods|products|commodities|items|age)\b(?! code)"
)
_EMPTY = frozenset({"s"})
_OVERVIEW = frozenset(
    "tell describe description know information info fact facts give show explain overview summary "
    "summarise summarize introduce introduction detail details everything something called like "
    "please question country nation place there list find today currently".split()
)
_PASSIVE = re.compile(r"\b(?:which|what) (?:[\w-]+ ){1,4}?(?:is|are|was|were) (\w+(?:ed|en|wn))\b")
_PEOPLE = concept("population")
_PERCENT = concept("percent")
_WHERE = concept("location")
_USER = concept("user")
_YEAR = re.compile(r"(?<![\d.,])((?:1[5-9]|20|21)\d\d)(?![\d.,]\d|\d)")


def year(text: str) -> int | None:
    """Return the year a question asks for."""
    found = _YEAR.search(text)
    return int(found[1]) if found else None


def order(text: str) -> Order | None:
    """Return which end of the scale a question asks for."""
    found = tokens(text)
    for token in found:
        if token in _MOST:
            return "max"
        if token in _LEAST:
            return "min"
    return "max" if any(stem(token) == "rank" for token in found) else None


_ORDERS = re.compile(
    r"\b(?:which|who|rank|order|sort|than)\b|\bwhat (?:country|nation|state|city|place|one|film)\b"
    r"|^(?:is|are|was|were|does|do|did|has|have|had)\b",
    re.IGNORECASE,
)


def is_ordered(text: str) -> bool:
    """Tell whether a question wants its subjects put in order."""
    return bool(_ORDERS.search(text)) and order(text) is not None


def attributes(
    marked: str, mark: str, *, ordered: bool, several: bool = False
) -> tuple[Attribute, ...]:
    """Return the attributes that a question asks for, in order.

    Args:
        marked: the question with a mark in the place of its subjects.
        mark: that mark.
        ordered: the subjects are to be put in order, so that `largest` is no part of an attribute.
        several: there are several subjects.
    """
    text = marked.replace(mark, " ")
    verbs = _verbs(marked, mark)
    chunks = [piece for piece in _BETWEEN.split(_CUT.sub(" ", text)) if piece.strip()]
    found: dict[tuple[str, ...], Attribute] = {}
    kind: Kind | None = None
    for chunk in chunks:
        kind = _kind(chunk, several=several) or kind
        made = _attribute(chunk, kind or "any", ordered=ordered, verbs=verbs) or _size(chunk)
        if made is not None:
            found.setdefault(made.required, made)
            kind = None
    if not found:
        return _last_resort(text)
    return tuple(found.values())


def plain(text: str) -> Attribute:
    """Return the attribute that a noun phrase names."""
    last = re.split(r"\band\b", reworded(text))[-1]
    made = _attribute(last, "any", ordered=False)
    return made or Attribute(text, tuple(map(concept, tokens(text))), frozenset(), text)


def _verbs(marked: str, mark: str) -> frozenset[str]:
    """Return the verbs that stand by the subject: `which hazards threaten X`, `does X face`."""
    found: set[str] = set()
    words = r"(?P<noun>(?:[\w-]+ )+?)"
    before = rf"\b(?:which|what) {words}(?P<verb>\w+) (?:the )?{mark}"
    after = rf"\b(?:which|what|how \w+) {words}(?:does|do|did) (?:the )?{mark}\s*(?P<verb>\w+)"
    for pattern in (before, after):
        match = re.search(pattern, fold(marked))
        noun = _ASKED_TYPE.sub(" ", f"which {match['noun']}") if match else ""
        if match is None or not _is_content(match["verb"]):
            continue
        if any(_is_content(token) for token in tokens(noun)):
            found.add(concept(match["verb"]))
    return frozenset(found)


def _size(chunk: str) -> Attribute | None:
    if "size" not in tokens(chunk):
        return None
    return Attribute("area", ("area",), frozenset(), "area size", "number")


def _noun(text: str) -> str | None:
    return next((_NOUN_OF[token] for token in tokens(text) if token in _NOUN_OF), None)


def _last_resort(text: str) -> tuple[Attribute, ...]:
    """Return what an adjective or a plain verb asks for: `how big`, `who won`."""
    noun = _noun(text)
    if noun is not None:
        return (Attribute(noun, (noun,), frozenset(), noun, "number"),)
    left = [each for each in tokens(_CUT.sub(" ", text)) if _is_left(each)]
    if not left:
        return ()
    kind = _kind(text, several=False) or "any"
    words = tuple(dict.fromkeys(concept(token) for token in left))
    return (Attribute(" ".join(left), words, frozenset(), _query(left), kind),)


def _is_left(token: str) -> bool:
    plain = token in STOP or token in PREPOSITIONS or token in _OVERVIEW or token in _EMPTY
    return not plain and concept(token) not in SOFT


def _attribute(
    chunk: str, kind: Kind, *, ordered: bool, verbs: frozenset[str] = frozenset()
) -> Attribute | None:
    content = [token for token in tokens(chunk) if _is_content(token)]
    measure = re.search(r"\bhow (\w+)", fold(chunk))
    noun = _NOUN_OF.get(measure[1], "") if measure else ""
    if measure and noun and measure[1] in content:
        content.remove(measure[1])
    words = list(dict.fromkeys(concept(token) for token in content))
    if kind == "percent" and len(words) > 1:
        words = [word for word in words if word != _PERCENT]
    optional = {word for word in words if word in HARMLESS or word in SOFT or word in NEUTRAL}
    if kind in ("number", "percent") and any(stem(token) == "use" for token in tokens(chunk)):
        words.append(_USER)
        optional.add(_USER)
    optional |= {concept(noun) for noun in _ASKED_TYPE.findall(fold(chunk))}
    passive = _PASSIVE.search(fold(chunk))
    if passive and concept(passive[1]) == stem(passive[1]):
        optional.add(concept(passive[1]))
    optional |= {_WHERE, *verbs}
    if words and noun and concept(noun) not in SOFT and concept(noun) not in words:
        words.append(concept(noun))
        optional.add(concept(noun))
    if ordered:
        optional |= {concept(token) for token in content if token in _MOST or token in _LEAST}
    solid = [word for word in words if word not in optional]
    if kind not in ("number", "percent") and _PEOPLE in solid[1:]:
        optional.add(_PEOPLE)
    if all(word in optional for word in words):
        if ordered or not any(word in NEUTRAL or word == _WHERE for word in words):
            return None
        optional &= HARMLESS
    shown = [each for each in content if concept(each) not in optional or concept(each) in SOFT]
    said = _phrase(chunk, shown) if shown else chunk.strip()
    return Attribute(
        _NOUN_OF.get(said, said),
        tuple(words),
        frozenset(optional),
        _query(content),
        kind,
    )


def _is_content(token: str) -> bool:
    return not (token in _EMPTY or token in STOP or token in PREPOSITIONS or is_generic(token))


def _phrase(chunk: str, shown: list[str]) -> str:
    """Return the words from the first to the last that count, as they were written."""
    written = re.findall(r"[^\W_]+(?:['.-][^\W_]+)*|%", chunk)
    at = [place for place, word in enumerate(written) if set(tokens(word)) & set(shown)]
    return " ".join(written[at[0] : at[-1] + 1]) if at else " ".join(shown)


def _query(content: Iterable[str]) -> str:
    said = list(dict.fromkeys(content))
    more = (ordinary(token) for token in said)
    return " ".join(dict.fromkeys([*said, *more]))


def _kind(chunk: str, *, several: bool) -> Kind | None:
    found = tokens(chunk)
    plain = " ".join(found)
    if re.search(r"\b(?:percent|percentage|proportion|share of|fraction of)\b|%", plain):
        return "percent"
    if re.search(r"\bhow (?:many|much|long|big|large|high|tall|old|deep|wide|far|small)\b", plain):
        return "number"
    if re.search(
        r"\bwhen\b|\b(?:what|which|the) (?:year|date|day|month)\b|\bhow long ago\b", plain
    ):
        return "date"
    if re.search(r"\bwho(?:m|se)?\b", plain):
        return "person"
    if re.search(r"\b(?:which|what) (?:countr|nation|cit|town|state|place)\w*\b(?! code)", plain):
        return "place"
    does = "do|does|did" if several else "do|does|did|are"
    if re.search(rf"\bwhat (?:{does})\b|\bwhich (?:goods|products|things|commodities)\b", plain):
        return "thing"
    return None
