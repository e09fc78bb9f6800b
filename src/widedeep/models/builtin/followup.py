"""Which whole question does a further one ask, that leaves out what was said before?

`and in 2023?`, `of Peru?`, `what about its area?`, `when was she born?`: the rest stands in the
question before it, and what a pronoun means there or in its answer. Rules of English alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from widedeep.messages import Assistant, Message, Results, User
from widedeep.models.builtin import attributes
from widedeep.models.builtin.clean import clean
from widedeep.models.builtin.meant import meant
from widedeep.models.builtin.names import Span, is_caseless, names
from widedeep.models.builtin.parse import parse
from widedeep.models.builtin.question import Named
from widedeep.models.builtin.words import is_generic, is_ordinary, tokens
from widedeep.text import STOP

_LEAD = re.compile(
    r"^(?:(?:and|but|so|also|or|then|now|next|okay|ok|again)\b[\s,:]*)*"
    r"(?:(?:(?:and )?(?:what|how) about|what of"
    r"|(?:the )?same (?:question |thing )?(?:for|about|with)|likewise for"
    r"|(?:do|ask) (?:the same|that) for)\b[\s,:]*)?",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"^(?:(?:in|on|at|by|to|from|of|for|with|since|under) )?(?:what|which|who|whom|whose|when|where"
    r"|why|how)\b|^(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|compare"
    r"|list|name|give|tell|show|find|rank|order|sort|describe|explain|identify|contrast)\b",
    re.IGNORECASE,
)
_ALONE = re.compile(
    r"^(?:who|when|where|why|how|how (?:many|much|long|old|often|far))$", re.IGNORECASE
)
_FIRST = re.compile(r"^\W*(?:how \w+|\w+)", re.IGNORECASE)
_YEAR = re.compile(
    r"(?:^|,? )(?:(?:in|for|by|from|as of|during|since|around|of|the year|year) )*"
    r"(?P<year>(?:1[5-9]|20|21)\d\d)$",
    re.IGNORECASE,
)
_MARKED = re.compile(r"(?:the|a|an|its|his|her|their)\b", re.IGNORECASE)
_PLACED = re.compile(
    r"^(?P<how>of|in|for|with|from|to|by|at|on|about|against|than|between)\s+(?=\S)", re.IGNORECASE
)
_NARROWING = frozenset("with from to by against than between".split())
_LISTING = re.compile(r"[\s,&/;]*(?:and|or|vs\.?|versus|the|with|to|than|[\s,&/;])*", re.IGNORECASE)
_OPEN = re.compile(
    r"\b(?:the|how (?:many|much|big|large|high|tall|long|old|deep|wide|far))\b", re.IGNORECASE
)
_ELSEWHERE = re.compile(r"\b(?:of|world|earth|globe)\b", re.IGNORECASE)
_BODIES = frozenset("US USA UK UAE EU DRC".split())
"""Acronyms that name a place: `what about the UK`, not as `the GDP`."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The question of a history that is to be answered, whole; `since` is what came after it.

    `nth`: how many questions it is the last of; `said`: it in the user's own words.
    """

    text: str
    said: str
    since: Sequence[Message]
    nth: int = 1


def asked(history: Sequence[Message]) -> Asked:
    """Return the last question of a history; what it leaves out is taken from those before."""
    places = [at for at, one in enumerate(history) if isinstance(one, User) and one.asks]
    places = places or [at for at, one in enumerate(history) if isinstance(one, User)][:1]
    if not places:
        return Asked("", "", history)
    said = [_text(history[at]) for at in places]
    whole = said[0]
    for at, text in zip(places[1:], said[1:], strict=True):
        whole = completed(text, whole, _answer(history[:at]), _titles(history[:at]))
    return Asked(whole, said[-1], history[places[-1] + 1 :], len(places))


def completed(text: str, before: str, answer: str = "", titles: tuple[str, ...] = ()) -> str:
    """Return a question with what it leaves out.

    Args:
        text: the user's words.
        before: the question before it, whole.
        answer: what that was answered with.
        titles: titles of documents met by then.
    """
    rest = _LEAD.sub("", " ".join(text.split())).strip(" ,:")
    bare = _LEAD.sub("", clean(rest)).strip(" ?.!,")
    if not bare:
        return before
    leads = rest.rstrip(" ?.!") != text.strip().rstrip(" ?.!")
    if _CLAUSE.match(bare):
        return _clause(bare, before, answer, titles, leads=leads) or rest
    return _fragment(bare, before, answer, titles)


def _clause(
    bare: str, before: str, answer: str, titles: tuple[str, ...], *, leads: bool
) -> str | None:
    """Return a clause with its pronouns and its subject filled in; None = it lacks nothing."""
    old = clean(before)
    if _ALONE.match(bare):
        return _FIRST.sub(bare.capitalize(), old, count=1)
    filled = meant(bare, old, answer, titles)
    if filled is not None:
        return f"{filled}?"
    named = names(bare, titles) or (is_caseless(old) and _guessed(bare))
    asks = any(word not in STOP and not is_generic(word) for word in tokens(bare))
    stands = bool(_OPEN.search(bare)) and not _ELSEWHERE.search(bare)
    if named or not asks or not (leads or stands) or len(bare.split()) > 12:
        return None
    return _attached(bare, old, answer, titles)


def _guessed(bare: str) -> bool:
    """Tell whether small letters name a subject, and not only what is asked of one."""
    found = [one.name for one in parse(bare).subjects if isinstance(one, Named)]
    return any(not is_ordinary(word) for name in found for word in tokens(name))


def _attached(bare: str, old: str, answer: str, titles: tuple[str, ...]) -> str | None:
    """Return a clause or a noun phrase with the subject of the question before it."""
    subject = meant("it", old, answer, titles)
    how = "in" if bare.endswith(" there") else "of"
    return f"{bare} {how} {subject}?" if subject else None


def _fragment(bare: str, before: str, answer: str, titles: tuple[str, ...]) -> str:
    """Return the question before with a part of it replaced, or of its subject another one."""
    old = clean(before)
    year = _YEAR.search(bare)
    if year is not None:
        rest = bare[: year.start()].strip(" ,")
        whole = _fragment(rest, before, answer, titles) if rest else before
        return _in_year(whole, year["year"], titles)
    if (turned := _turned(bare, old)) is not None:
        return turned
    placed = _PLACED.match(bare)
    rest = bare[placed.end() :] if placed else bare
    if (parallel := _parallel(bare, old, titles)) is not None:
        return parallel
    rest = rest.removesuffix("'s")
    if _is_name(rest, old, titles, placed=placed is not None):
        return _replaced(old, placed["how"].lower() if placed else "", rest, titles)
    asks = bare if _MARKED.match(bare) else f"the {bare}"
    filled = meant(f"what is {asks}", old, answer, titles)
    if filled is not None:
        return f"{_capital(filled)}?"
    if names(bare, titles) and any(not one.name.isupper() for one in names(bare, titles)):
        return f"What is {asks}?"
    return _attached(f"What is {asks}", old, answer, titles) or f"What is {asks}?"


def _parallel(bare: str, old: str, titles: tuple[str, ...]) -> str | None:
    """Return the question with another name after the same words: `the author of "Emma"`."""
    spans = names(bare, titles)
    lead = bare[: spans[0].start].lower() if spans else ""
    if not lead.strip() or _PLACED.fullmatch(lead) or bare[spans[0].end :].strip():
        return None
    at = old.lower().find(lead)
    found = [one for one in names(old, titles) if at >= 0 and one.start == at + len(lead)]
    return _put(old, found, bare[spans[0].start :]) if found else None


def _is_name(rest: str, old: str, titles: tuple[str, ...], *, placed: bool) -> bool:
    """Tell whether a fragment is nothing but names: `Chile and Peru`, not `the area of Chile`."""
    spans = names(rest, titles)
    left = rest
    for span in reversed(spans):
        left = f"{left[: span.start]} {left[span.end :]}"
    if spans and _LISTING.fullmatch(left):
        measures = all(span.sort == "acronym" and span.name not in _BODIES for span in spans)
        return placed or not measures
    small = not spans and rest.islower() and not re.match(r"(?:the|a|an|its)\b", rest)
    unknown = not any(is_ordinary(word) for word in tokens(rest))
    return small and unknown and (placed or is_caseless(old))


def _replaced(old: str, how: str, new: str, titles: tuple[str, ...]) -> str:
    """Return a question with other names in the place of its subjects.

    With a preposition that only narrows (`with Chile`) the name that has the same one is replaced.
    """
    spans = names(old, titles)
    subjects = {one.name for one in parse(old, titles).subjects if isinstance(one, Named)}
    narrowed = [one for one in spans if re.search(rf"\b{how} (?:the )?$", old[: one.start])]
    if how in _NARROWING and narrowed:
        return _put(old, narrowed, new)
    chosen = [one for one in spans if one.name in subjects] or list(spans[-1:])
    if chosen:
        return _put(old, chosen, new)
    for name in subjects:
        return re.sub(re.escape(name), lambda _: new, old, count=1, flags=re.IGNORECASE)
    return f"{old.rstrip(' ?.!')} {how or 'of'} {new}?"


def _put(old: str, spans: Sequence[Span], new: str) -> str:
    """Put a text in the place of names that are listed side by side, else of the last one."""
    first = spans[-1]
    for span in reversed(spans[:-1]):
        if not _LISTING.fullmatch(old[span.end : first.start]):
            break
        first = span
    start, end = first.start, spans[-1].end
    if old[:start].lower().endswith("the ") and new.lower().startswith("the "):
        new = new[4:]
    quoted = old[start:end][:1] in "\"'" and new[:1] not in "\"'"
    return old[:start] + (f'"{new}"' if quoted else new) + old[end:]


def _in_year(whole: str, year: str, titles: tuple[str, ...]) -> str:
    """Return a question of another year."""
    named = [whole[span.start : span.end] for span in names(clean(whole), titles)]
    known = attributes.year(whole)
    if known is not None and not any(str(known) in name for name in named):
        return whole.replace(str(known), year)
    return f"{whole.rstrip(' ?.!')} in {year}?"


def _turned(bare: str, old: str) -> str | None:
    """Return a question for the other end of its scale: `and the smallest?`."""
    said = [word for word in tokens(bare) if word not in STOP and not is_generic(word)] or [
        word for word in tokens(bare) if attributes.order(word)
    ]
    if len(said) != 1 or attributes.order(said[0]) is None:
        return None
    found = next((word for word in tokens(old) if attributes.order(word)), None)
    if found is None:
        return None
    return re.sub(rf"\b{re.escape(found)}\b", said[0], old, count=1, flags=re.IGNORECASE)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _text(message: Message) -> str:
    return message.text if isinstance(message, User) else ""


def _answer(history: Sequence[Message]) -> str:
    """Return what the last question of a history was answered with."""
    for message in reversed(history):
        if isinstance(message, Assistant) and message.text and not message.calls:
            return message.text
        if isinstance(message, User) and message.asks:
            return ""
    return ""


def _titles(history: Sequence[Message]) -> tuple[str, ...]:
    found = (
        source.title
        for message in history
        if isinstance(message, Results)
        for result in message.results
        for source in result.sources
        if source.title
    )
    return tuple(dict.fromkeys(found))
