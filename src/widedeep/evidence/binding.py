"""Whether a value is said of what a claim says it of, or only stands in the same source."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable

from widedeep import text as words
from widedeep.evidence.rounding import stands

NEUTRAL = frozenset("total overall all name amount value number approximately about est".split())
"""Words of a label that change nothing about what it means."""

NEAR = 6
"""Words within which a value that follows belongs to a word."""

MARGIN = 0.25
"""By how much another line must fit better before a value counts as taken from the wrong one."""

_TOKEN = re.compile(r"[^\W_]+(?:['’.,][^\W_]+)*")
_JOINED = re.compile(r"^[\s,;&/()]*(?:and|or|&)?[\s,;&/()]*$")


def bound(claim: str, about: str, source: tuple[str, list[str]]) -> bool:
    """Say whether the source says the claim's values of what the claim says them of.

    Args:
        claim: the sentence or table cell, without its citation.
        about: what a table cell stands under and beside; else empty.
        source: title and lines of the cited source.

    Returns:
        False when another line of the source fits the claim's words better than every line with
        its values, or when another value stands nearer to these words.
    """
    title, lines = source
    values = _values(claim)
    subject = set(_stems(title))
    own = {stem for value in values for stem in _stems(value)}
    wanted = set(_stems(f"{about} {claim}")) - subject - own - NEUTRAL
    holding = [line for line in lines if any(_holds(line, value, claim) for value in values)]
    said = set(words.words(f"{title} {about} {claim}")) | NEUTRAL
    if not wanted or not holding or any(_quoted(line, said) for line in holding):
        return True
    weights = _weights(lines)
    wanted &= set(weights)
    best = max(_fit(line, wanted, subject, weights) for line in lines)
    fits = {line: _fit(line, wanted, subject, weights) for line in holding}
    good = [line for line, fit in fits.items() if fit >= best - MARGIN]
    return any(_nearest(line, value, wanted, claim) for line in good for value in values)


def _quoted(line: str, said: set[str]) -> bool:
    """Say whether a claim has every word of a line: then it says the line itself."""
    return set(words.content_words(line)) <= said


def _values(claim: str) -> list[str]:
    """Return the numbers and the capitalised words of a claim, in one form each."""
    names = words.names(claim)
    return sorted(words.numbers(claim)) + [name for name in words.words(claim) if name in names]


def _holds(line: str, value: str, claim: str) -> bool:
    if value.lstrip("-")[0].isdigit():
        return stands(value, words.numbers(line), claim)
    return value in words.words(line)


def _stems(text: str) -> list[str]:
    """Return the content words, cut so that forms of one word are equal."""
    return [word[:5] for word in words.content_words(text) if not word[0].isdigit()]


def _weights(lines: Iterable[str]) -> dict[str, float]:
    """Return how telling each word is: rare in the source's lines is telling."""
    counts: Counter[str] = Counter()
    total = 0
    for line in lines:
        counts.update(set(_stems(line)))
        total += 1
    return {stem: math.log(1 + total / count) for stem, count in counts.items()}


def _fit(line: str, wanted: set[str], subject: set[str], weights: dict[str, float]) -> float:
    """Return how well a line fits the words: what of them it has, less what its label adds."""
    whole = sum(weights[stem] for stem in wanted) or 1.0
    shared = sum(weights[stem] for stem in wanted & set(_stems(line)))
    label, colon, _ = line.partition(": ")
    if not colon or len(label.split()) > 12:
        return shared / whole
    extra = set(_stems(label)) - wanted - subject - NEUTRAL
    of_label = sum(weights[stem] for stem in wanted & set(_stems(label)))
    return (0.5 * shared + 0.5 * of_label - 0.3 * sum(weights[s] for s in extra)) / whole


def _nearest(line: str, value: str, wanted: set[str], claim: str) -> bool:
    """Say whether the value is the one that its words in the line are nearest to."""
    if not _holds(line, value, claim):
        return False
    label, colon, rest = line.partition(": ")
    place = rest if colon and len(label.split()) <= 12 and _holds(rest, value, claim) else line
    tokens = list(_TOKEN.finditer(place))
    rivals = [at for at, token in enumerate(tokens) if _alike(token.group(), value)]
    words_at = [at for at, token in enumerate(tokens) if set(_stems(token.group())) & wanted]
    if not words_at or not rivals:
        return True
    return any(
        _holds(place[tokens[rival].start() : tokens[rival].end() + 12], value, claim)
        for word in words_at
        for rival in _beside(word, rivals, tokens, place)
    )


def _alike(token: str, value: str) -> bool:
    """Say whether a token is of the value's kind: a number, or a capitalised word."""
    return token[0].isdigit() if value.lstrip("-")[0].isdigit() else token[0].isupper()


def _beside(at: int, rivals: list[int], tokens: list[re.Match[str]], line: str) -> list[int]:
    """Return the values that stand beside a word: those that follow soon, else those before."""
    after = [rival for rival in rivals if at < rival <= at + NEAR]
    run = after or [rival for rival in reversed(rivals) if rival <= at]
    if not run:
        return []
    kept = [run[0]]
    for rival in run[1:]:
        low, high = sorted((kept[-1], rival))
        if not _JOINED.match(line[tokens[low].end() : tokens[high].start()]):
            break
        kept.append(rival)
    return kept
