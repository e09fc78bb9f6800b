"""Which names and which other words of a question can documents speak to?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from widedeep.models.builtin.chains.kin import stepwise
from widedeep.models.builtin.chains.page import Page
from widedeep.models.builtin.chains.roots import Sort, is_content, key_of, root, sort_of
from widedeep.models.builtin.clean import clean
from widedeep.models.builtin.folding import fold
from widedeep.models.builtin.names import Span, names
from widedeep.models.builtin.reading.roles import ROLE_OF, Role
from widedeep.models.builtin.words import is_generic, tokens

MOST_UNITS = 40
NAME_WEIGHT = 2.0
GENERIC_WEIGHT = 0.3
_KIN = frozenset(root(word) for word in ("father", "spouse", "child", "brother"))
"""Relations that a question may ask for twice over: the father of the father."""

_DECAY = 0.12
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_RANKED = re.compile(
    r"(?:arch)?(?:duke|duchess|earl|count|countess|margrave|landgrave|prince|princess|king|queen"
    r"|baron|baroness|lord|lady|elector|marquess|viscount|emperor|empress) of ",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"^[\s,]*(?:\band\b|\bor\b|\bthan\b|,)[\s,]*(?:the |is |was )?$")
_COMPARING = frozenset(
    "first last earlier earliest later latest older oldest younger youngest longer longest shorter "
    "shortest larger largest smaller smallest higher highest lower lowest same different both two "
    "name named kind type part another common whose next previous number".split()
)
_COMPARES = re.compile(
    r"\b(?:both|same|or|than|older|younger|earlier|later|first|more|most|which of|between|also"
    r"|neither|either|share|common)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A name, or one other word, of a question: `bit` marks it in the sets of what is covered.

    `place`: which word of the question it is, a name from there to `end`; `sort`: what it says is
    looked for; `role` which role it asks for.
    """

    text: str
    roots: frozenset[str]
    key: frozenset[str]
    bit: int
    place: int
    weight: float
    is_name: bool
    sort: Sort = "other"
    end: int = 0
    role: Role | None = None

    def away(self, other: Unit) -> int:
        """Return how many words lie between this unit and another."""
        if self.place <= other.place:
            return max(0, other.place - max(self.place, self.end) - 1)
        return other.away(self)


@dataclass(frozen=True)
class Asked:
    """A question as its units; `arms`: its names are to be compared with one another."""

    text: str
    units: tuple[Unit, ...]
    arms: bool

    @cached_property
    def names(self) -> tuple[Unit, ...]:
        """The units that are names."""
        return tuple(unit for unit in self.units if unit.is_name)

    def order(self, covered: int, unit: Unit) -> float:
        """Return how soon a word is to come, 0 to 1: a question is covered outwards."""
        away = [unit.away(each) for each in self.units if each.bit & covered]
        return 1.0 / (1.0 + _DECAY * min(away, default=0))

    @cached_property
    def others(self) -> tuple[Unit, ...]:
        """The units that are not."""
        return tuple(unit for unit in self.units if not unit.is_name)


def asked(question: str, pages: Iterable[Page]) -> Asked:
    """Take a question apart; what the documents met are called, or write as a name, is a name."""
    text = stepwise(clean(question))
    kept = tuple(pages)
    return _asked(text, _known(text, kept))


@lru_cache(maxsize=512)
def _asked(text: str, known: tuple[str, ...]) -> Asked:
    spans = _joined(text, _apart([*_found(text, known), *names(text)]))
    spans = [span for span in spans if not _is_aside(text, span)]
    units: list[Unit] = []
    at = 0
    for span in [*spans, None]:
        end = span.start if span else len(text)
        for match in _WORD.finditer(text, at, end):
            _add_word(units, match.group(), len(text[: match.start()].split()))
        if span is not None:
            _add_name(units, span.name, len(text[: span.start].split()))
            at = span.end
    return Asked(text, tuple(units[:MOST_UNITS]), _are_arms(text, spans))


def _add_word(units: list[Unit], word: str, place: int) -> None:
    folded = fold(word).removesuffix("'s")
    own = root(folded)
    same = sum(1 for unit in units if own in unit.roots and not unit.is_name)
    if not is_content(folded) or same > (own in _KIN):
        return
    weight = GENERIC_WEIGHT if is_generic(folded) or folded in _COMPARING else 1.0
    bit = 1 << len(units)
    units.append(
        Unit(
            word,
            frozenset((own,)),
            frozenset(),
            bit,
            place,
            weight,
            is_name=False,
            sort=sort_of(folded),
            role=ROLE_OF.get(folded) or ROLE_OF.get(folded.removesuffix("s")),
        )
    )


def _add_name(units: list[Unit], name: str, place: int) -> None:
    key = key_of(name)
    if not key or any(unit.key == key for unit in units):
        return
    roots = frozenset(root(word) for word in key)
    end = place + len(name.split()) - 1
    units.append(Unit(name, roots, key, 1 << len(units), place, NAME_WEIGHT, is_name=True, end=end))


def _apart(spans: Iterable[Span]) -> list[Span]:
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (-(span.end - span.start), span.start)):
        if all(span.end <= each.start or span.start >= each.end for each in kept):
            kept.append(span)
    return sorted(kept, key=lambda span: span.start)


def _is_aside(text: str, span: Span) -> bool:
    """Tell whether a word only says in brackets what the name before it is."""
    opens = text.rfind("(", 0, span.start)
    return opens > 0 and ")" not in text[opens : span.start] and ")" in text[span.end :]


def _joined(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return the spans; `John, Duke of Kent` and `Storm: The Return` are one each."""
    joined: list[Span] = []
    for span in spans:
        last = joined[-1] if joined else None
        gap = text[last.end : span.start] if last else ""
        if last and (gap == ": " or (gap == ", " and _RANKED.match(span.name))):
            joined[-1] = Span(last.start, span.end, text[last.start : span.end], last.sort)
        else:
            joined.append(span)
    return [span for span in joined if key_of(span.name)]


def _are_arms(text: str, spans: Sequence[Span]) -> bool:
    if len(spans) < 2:
        return False
    gaps = [text[first.end : second.start] for first, second in pairwise(spans)]
    return any(_BETWEEN.match(gap) for gap in gaps) or (
        len(spans) == 2 and _COMPARES.search(text) is not None and " and " in gaps[0]
    )


def _known(text: str, pages: Sequence[Page]) -> tuple[str, ...]:
    """Return the names of more than one word of the documents that stand in the question."""
    words = frozenset(word.removesuffix("'s") for word in tokens(text))
    plain = frozenset[str]().union(*(page.plain for page in pages))
    found: dict[str, None] = {}
    for page in pages:
        for key in page.keys:
            if key <= words and len(key) > 1 and not key <= plain:
                found.setdefault(page.title if key == key_of(page.title) else " ".join(key))
    return tuple(found)


def _found(text: str, known: Iterable[str]) -> list[Span]:
    """Return where names that are known stand in the question."""
    spans: list[Span] = []
    low = text.lower()
    for name in known:
        bare = re.sub(r"\s*\([^()]*\)", "", name).strip().removeprefix("The ")
        words = _WORD.findall(bare)
        if not words or not all(word.lower() in low for word in words):
            continue
        pattern = r"\W+".join(re.escape(word) for word in words)
        spans += [
            Span(match.start(), match.end(), match.group(), "title")
            for match in re.finditer(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE)
        ]
    return spans
