"""Which subjects and attributes is a question made of?"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from widedeep.models.builtin import attributes
from widedeep.models.builtin.clean import clean
from widedeep.models.builtin.describe import Description, describe
from widedeep.models.builtin.names import Span, guesses, is_caseless, names
from widedeep.models.builtin.question import Described, Named, Question, Subject
from widedeep.models.builtin.wordings import reworded
from widedeep.models.builtin.words import is_generic
from widedeep.text import STOP

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
    rest = f"{asked[: description.start]} {asked[description.end :]}"
    noun = description.noun.removesuffix("'s")
    rest = re.sub(rf"\b(?:that|this|the|which|what|a) {re.escape(noun)}\b", " ", rest)
    wanted = attributes.attributes(rest, ordered=False)
    value = description.value
    subject = Described(noun, attributes.plain(description.attribute), value)
    return Question(
        text=asked,
        subjects=(subject,),
        attributes=wanted[:MOST_ATTRIBUTES],
        year=attributes.year(rest),
        yes_no=bool(_YES_NO.match(asked)),
    )


def _named(asked: str, spans: tuple[Span, ...], *, guessed: bool) -> Question:
    subjects, others = _roles(asked, spans)
    rest = _without(asked, subjects)
    claim, rest = _claim(rest) if len(subjects) <= 2 else (None, rest)
    if claim is None and others == [] and len(subjects) == 2:
        claim, subjects, rest = _claimed(asked, subjects, rest)
    compared = len(subjects) > 1
    plain = rest.replace(_MARK, " ")
    if compared:
        plain = _TYPES.sub(" ", plain)
    ordered = compared and attributes.is_ordered(plain)
    wanted = attributes.attributes(plain, ordered=ordered)
    return Question(
        text=asked,
        subjects=_distinct(subjects),
        attributes=wanted[:MOST_ATTRIBUTES],
        order=attributes.order(plain) if ordered else None,
        year=attributes.year(plain),
        claim=claim,
        yes_no=bool(_YES_NO.match(asked)),
        guessed=guessed,
    )


def _distinct(spans: Iterable[Span]) -> tuple[Subject, ...]:
    kept: dict[str, Subject] = {}
    for span in spans:
        kept.setdefault(span.name.casefold(), Named(span.name))
    return tuple(kept.values())[:MOST_SUBJECTS]


def _roles(asked: str, spans: tuple[Span, ...]) -> tuple[list[Span], list[Span]]:
    """Part the names into subjects and those that belong to what is asked of them."""
    plain = [span for span in spans if not _belongs(asked, span, spans)]
    if not plain:
        plain = list(spans)
    titled = [span for span in plain if span.sort == "title"]
    placed = [span for span in plain if span.sort == "title" or _is_placed(asked, span, plain)]
    chosen = placed or plain
    if titled and not placed:
        chosen = titled
    return chosen, [span for span in spans if span not in chosen]


_BEFORE = re.compile(
    r"(?:^|\b(?:of|in|for|from|within|across|between|among|than|does|do|did|is|are|was|were|has"
    r"|have|about|compare|contrast|versus|vs\.?|or|and|to|with|on|at|against|by|:|,|like)"
    r"(?: the)?|[,:;(])\s*$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"^(?:'s?\b|\s*(?:$|[?.!,;:)]|(?:and|or|vs\.?|versus|has|have|had|is|are|was|were|does|do|did|use"
    r"|uses|get|gain|gained|become|became|export|import|border|in|with|compare|compared)\b))",
    re.IGNORECASE,
)
_ASKED_AFTER = re.compile(r"^\s+(?:of|per|for)\b", re.IGNORECASE)


def _belongs(asked: str, span: Span, spans: tuple[Span, ...]) -> bool:
    """Tell whether a capitalised word is part of the attribute: `GDP of ...`, `Internet users`."""
    if span.sort in ("title", "quoted", "guess") or len(spans) == 1:
        return False
    before, after = asked[: span.start], asked[span.end :]
    if _ASKED_AFTER.match(after) or re.search(r"'s\s+(?:\w+\s+)?$", before):
        return True
    if re.search(
        r"\b(?:compare|compared|differ|terms of|based on|by)\b[^,]* in (?:terms of )?$", before
    ):
        return True
    word = re.match(r"\s+([a-zß-ÿ][\w-]+)", after)
    follows = word is not None and word[1] not in STOP and not is_generic(word[1])
    if (
        follows
        and not re.match(r"\s+\w+ than\b", after)
        and not re.match(r"\s+\w+s? (?:have|has|is|are)\b", after)
    ):
        return True
    more = re.search(
        r"\b(?:most|more|less|least|highest|higher|lowest|lower|larger|largest|biggest"
        r"|smaller|smallest|greater|greatest|fewer|total|real|annual)\s+$",
        before,
    )
    return more is not None


def _is_placed(asked: str, span: Span, spans: list[Span]) -> bool:
    """Tell whether a name stands where the subjects of a question stand."""
    before, after = asked[: span.start], asked[span.end :]
    beside = any(
        re.fullmatch(
            r"\s*(?:,|and|or|vs\.?|versus|&|, and|, or|/|with|to|than|against)\s*(?:the )?", gap
        )
        for other in spans
        for gap in (asked[other.end : span.start], asked[span.end : other.start])
        if gap
    )
    return (
        beside or bool(_BEFORE.search(before)) or bool(_AFTER.match(after) and not before.strip())
    )


def _without(asked: str, subjects: list[Span]) -> str:
    """Return the question with a mark in the place of each subject or list of subjects."""
    pieces: list[str] = []
    at = 0
    for span in subjects:
        pieces += [asked[at : span.start], _MARK]
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
