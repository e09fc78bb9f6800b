"""Which sentence of prose states an attribute, and which words of it are the value?"""

from __future__ import annotations

import re
from functools import lru_cache

from widedeep.models.builtin.folding import fold
from widedeep.models.builtin.question import Attribute
from widedeep.models.builtin.read import name_key
from widedeep.models.builtin.values import DATE, years
from widedeep.models.builtin.words import concept, concepts, tokens
from widedeep.text import STOP

_MOST_WORDS = 60
_NUMBER = re.compile(
    r"[-−]?[$€£]?\d[\d,]*(?:\.\d+)?(?:\s(?:thousand|million|billion|trillion))?"
    r"(?:\s?%|\s(?:percent|per cent|sq(?:uare)? \w+|km2|km|met(?:er|re)s?|m|ft|feet|miles|years"
    r"|people|inhabitants)\b)?"
)
_NAME = re.compile(
    r"[^\W\d_a-zß-ÿ][\w'’.-]*(?:\s(?:(?:of|the|de|la|van|von|der|del|da|di|du|al|el|and|&)\s){0,2}"
    r"[^\W\d_a-zß-ÿ][\w'’.-]*)*"
)


@lru_cache(maxsize=16384)
def sentence_fit(
    asked: Attribute, sentence: str, year: int | None, name: str, *, titled: bool
) -> float:
    """Return how well a sentence states an attribute of what bears a name, 0 to 1.

    Args:
        asked: the attribute; the sentence must hold all its required words.
        sentence: the sentence.
        year: the year asked for, which the sentence must name.
        name: the subject's name.
        titled: the sentence stands in a document with that title.
    """
    held = concepts(sentence)
    if len(held) > _MOST_WORDS or not asked.required:
        return 0.0
    words = set(held)
    if not set(asked.required) <= words or (year is not None and year not in years(sentence)):
        return 0.0
    mentions = name_key(name) <= set(tokens(sentence))
    if not titled and not mentions:
        return 0.0
    if (
        asked.kind in ("number", "percent", "date", "person")
        and span(asked, sentence, name) is None
    ):
        return 0.0
    extra = sum(0.03 for word in asked.optional if word not in words)
    return max(0.0, 0.7 + 0.05 * mentions + 0.1 * titled - 0.003 * len(held) - extra)


def span(asked: Attribute, sentence: str, name: str) -> str | None:
    """Return the words of a sentence that answer: of the right sort, closest to what is asked."""
    cue = _cue(asked, sentence)
    best: tuple[float, str] | None = None
    for start, words in _candidates(asked, sentence):
        if _is_known(words, name, asked):
            continue
        distance = start - cue if start >= cue else 2.5 * (cue - start)
        if best is None or distance < best[0]:
            best = distance, words
    return best[1] if best else None


def _cue(asked: Attribute, sentence: str) -> int:
    """Return where the sentence speaks of what is asked: the end of the last word of it."""
    wanted = set(asked.required)
    ends = [
        match.end()
        for match in re.finditer(r"[^\W_]+", sentence)
        if concept(fold(match.group())) in wanted
    ]
    return ends[0] if ends else 0


def _candidates(asked: Attribute, sentence: str) -> list[tuple[int, str]]:
    if asked.kind in ("number", "percent"):
        found = [(match.start(), match.group().strip()) for match in _NUMBER.finditer(sentence)]
        return [each for each in found if asked.kind == "number" or re.search(r"%|per", each[1])]
    if asked.kind == "date":
        dates = [(match.start(), match.group()) for match in DATE.finditer(sentence)]
        return dates or [(sentence.find(str(each)), str(each)) for each in sorted(years(sentence))]
    return [
        (match.start(), match.group().rstrip(".,'’"))
        for match in _NAME.finditer(sentence)
        if match.start() > 0 or " " in match.group()
    ]


def _is_known(words: str, name: str, asked: Attribute) -> bool:
    """Tell whether a candidate only repeats the question."""
    found = {token for token in tokens(words) if token not in STOP}
    if not found:
        return True
    return found <= set(tokens(name)) | set(tokens(asked.text))
