"""Which subjects and attributes is a question made of?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from widedeep.models.builtin import attributes
from widedeep.models.builtin.clean import clean
from widedeep.models.builtin.describe import WAITS, Description, describe
from widedeep.models.builtin.names import Span, guesses, is_caseless, names
from widedeep.models.builtin.question import Attribute, Described, Named, Question, Subject
from widedeep.models.builtin.roles import roles
from widedeep.models.builtin.wordings import reworded

MOST_SUBJECTS = 12
MOST_ATTRIBUTES = 8

_MARK = "\ue000"
_TYPES = re.compile(
    r"\b(?:(?:which|what|each|every|these|those|the|following|two|three|four|five|six|all|both)"
    r" (?:of )?)+(?:the )?(?:following )?(?:two |three |four |five |six )?"
    r"(?:countr(?:y|ies)|nations?|states?|territor(?:y|ies)|places?|islands?|cit(?:y|ies)"
    r"|compan(?:y|ies)|people|persons?|films?|movies?|books?|ones?|entit(?:y|ies)|options)\b",
    re.IGNORECASE,
)
_YES_NO = re.compile(r"^(?:is|are|was|were|does|do|did|has|have|had)\b", re.IGNORECASE)
_CLAIM = re.compile(
    rf"^(?:is|are|was|were) (?P<claim>[^,?]+?) (?:really |indeed )?(?:the|a|an|one of the) "
    rf"(?P<rest>.*{_MARK}.*)$",
    re.IGNORECASE,
)
_CLAIM_LAST = re.compile(
    rf"^(?:is|are|was|were) (?P<rest>(?:the .*{_MARK}|{_MARK}'s [a-z ]+?)) "
    rf"(?P<claim>(?:the )?[^,?{_MARK}]+)\??$",
    re.IGNORECASE,
)


@lru_cache(maxsize=512)
def parse(text: str, titles: tuple[str, ...] = ()) -> Question:
    """Take a question apart.

    Args:
        text: the user's words.
        titles: titles of documents already met; one that stands in the question is a name.
    """
    asked = reworded(clean(text))
    description = describe(asked)
    if description is not None:
        return _described(asked, description)
    spans = names(asked, titles)
    guessed = False
    if not any(span.sort != "code" for span in spans) and is_caseless(asked):
        spans, guessed = guesses(asked), True
    return _named(asked, spans, guessed=guessed)


def _described(asked: str, description: Description) -> Question:
    noun = description.noun.removesuffix("'s")
    rest = _apart(asked, description, description.end, noun)
    wanted = attributes.attributes(rest, _MARK, ordered=False)
    longer = description.longer
    if longer:
        shorter = _apart(asked, description, description.longer_end, noun)
        fewer = attributes.attributes(shorter, _MARK, ordered=False)
        if fewer and not WAITS.search(asked[: description.start]):
            rest, wanted = shorter, fewer
        else:
            longer = ""
    described = attributes.plain(description.attribute)
    return Question(
        text=asked,
        subjects=(Described(noun, described, description.value, longer),),
        attributes=wanted[:MOST_ATTRIBUTES],
        year=attributes.year(rest),
        yes_no=bool(_YES_NO.match(asked)),
    )


def _apart(asked: str, description: Description, end: int, noun: str) -> str:
    """Return a question without the description of its subject."""
    rest = f"{asked[: description.start]}{_MARK}{asked[end:]}"
    return re.sub(rf"\b(?:that|this|the|which|what|a) {re.escape(noun)}\b", " ", rest)


def _named(asked: str, spans: tuple[Span, ...], *, guessed: bool) -> Question:
    parted = roles(asked, spans)
    subjects, item = list(parted.subjects), parted.item
    yes_no = bool(_YES_NO.match(asked))
    rest = _without(asked, [*subjects, item] if item else subjects, item)
    claim, rest = _claim(rest) if len(subjects) <= 2 else (None, rest)
    if claim is None and item is None and len(subjects) == 2:
        claim, subjects, rest = _claimed(asked, subjects, rest)
    if claim is None and item is not None and yes_no:
        claim, item = item.name, None
    plain = rest
    ordered = len(subjects) > 1 and attributes.is_ordered(plain)
    order = attributes.order(plain) if ordered else None
    if len(subjects) > 1:
        plain = _TYPES.sub(" ", plain)
    wanted = attributes.attributes(plain, _MARK, ordered=ordered, several=len(subjects) > 1)
    named = _distinct(subjects)
    return Question(
        text=asked,
        subjects=named[:MOST_SUBJECTS],
        attributes=wanted[:MOST_ATTRIBUTES],
        left_out=_left_out(named, wanted),
        order=order,
        year=attributes.year(plain),
        claim=claim,
        item=item.name if item else None,
        yes_no=yes_no,
        guessed=guessed,
    )


def _distinct(spans: Iterable[Span]) -> tuple[Subject, ...]:
    kept: dict[str, Subject] = {}
    for span in spans:
        kept.setdefault(span.name.casefold(), Named(span.name))
    return tuple(kept.values())


def _left_out(named: Sequence[Subject], wanted: Sequence[Attribute]) -> tuple[str, ...]:
    """Return what of a question is too much to be looked up."""
    names = [each.name for each in named[MOST_SUBJECTS:] if isinstance(each, Named)]
    return (*names, *(each.text for each in wanted[MOST_ATTRIBUTES:]))


def _without(asked: str, spans: Sequence[Span], item: Span | None) -> str:
    """Return the question with a mark in the place of each subject or list of subjects."""
    pieces: list[str] = []
    at = 0
    for span in sorted(spans, key=lambda each: each.start):
        pieces += [asked[at : span.start], " " if span is item else _MARK]
        at = span.end
    text = "".join([*pieces, asked[at:]])
    between = r"(?:,|and|or|vs\.?|versus|&|/|;|than|with|to|against)?\s*(?:,|and|or|&)?"
    listed = rf"{_MARK}(?:\s*{between}\s*(?:the )?{_MARK})+"
    return re.sub(listed, _MARK, text)


def _claim(rest: str) -> tuple[str | None, str]:
    """Part the value that a yes/no question puts forward from the rest."""
    for pattern in (_CLAIM, _CLAIM_LAST):
        match = pattern.match(rest)
        if match and _MARK not in match["claim"]:
            return match["claim"].strip(), match["rest"]
    return None, rest


def _claimed(asked: str, subjects: list[Span], rest: str) -> tuple[str | None, list[Span], str]:
    """See `Is Quito the capital of Ecuador?`: of two names one is the claimed value."""
    first, second = subjects
    between = asked[first.end : second.start]
    if not _YES_NO.match(asked) or re.search(r"\bthan\b|\band\b|\bor\b", asked):
        return None, subjects, rest
    if re.match(r"\s+(?:really |indeed )?(?:the|a|an|one of)\b", between):
        return first.name, [second], between + _MARK + asked[second.end :]
    if re.search(r"\bof\s+(?:the )?$", asked[: first.start]) or between.startswith("'s"):
        return second.name, [first], asked[: first.start] + _MARK + between
    return None, subjects, rest
