"""Which names of a question are its subjects, and which belong to what is asked of them?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from widedeep.models.builtin.names import Span
from widedeep.models.builtin.words import is_generic
from widedeep.text import STOP


@dataclass(frozen=True, slots=True)
class Roles:
    """The subjects, one name that a value must hold or that is claimed to be it, and the rest."""

    subjects: tuple[Span, ...]
    item: Span | None = None


_LISTED = re.compile(
    r"[\s,&/;]*(?:and|or|vs\.?|versus|than|to|with|against|compared (?:to|with)|, and|, or)?"
    r"[\s,]*(?:that of |those of )?(?:the )?",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"(?:^|\b(?:of|in|for|from|within|across|between|among|than|does|do|did|is|are|was|were|has"
    r"|have|about|compare|contrast|versus|vs\.?|or|and|to|with|on|at|against|by|like)"
    r"(?: the)?|[,:;(])\s*$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"^(?:'s?\b|\s*(?:$|[?.!,;:)]|(?:and|or|vs\.?|versus|has|have|had|is|are|was|were|does|do|did"
    r"|use|uses|get|gain|gained|become|became|export|import|border|in|with|compare|compared)\b))",
    re.IGNORECASE,
)
_OF = re.compile(r"^\s+(?:of|per|for)\b", re.IGNORECASE)
_OWNED = re.compile(r"'s\s+(?:\w+\s+)?$")
_COMPARED_IN = re.compile(
    r"\b(?:compare|compared|differ|based on|by)\b[^,]* in (?:terms of )?$", re.IGNORECASE
)
_MEASURED = re.compile(
    r"\b(?:most|more|less|least|highest|higher|lowest|lower|larger|largest|biggest|smaller"
    r"|smallest|greater|greatest|fewer|total|real|annual)\s+$",
    re.IGNORECASE,
)
_WITH = re.compile(r"\b(?:from|with|by|against|to)\s+(?:the )?$", re.IGNORECASE)
_TOGETHER = re.compile(
    r"\b(?:than|compare|compared|versus|vs|difference|or|and|both|which of|between)\b",
    re.IGNORECASE,
)


def roles(asked: str, spans: Sequence[Span]) -> Roles:
    """Part the names of a question by the places they stand in."""
    plain = [span for span in spans if not _belongs(asked, span, spans)] or list(spans)
    placed = [span for span in plain if span.sort == "title" or _is_placed(asked, span, plain)]
    chosen = [span for span in placed if not _is_measure(asked, span, placed)] or plain
    if len(chosen) == 2 and (item := _item(asked, chosen[0], chosen[1])) is not None:
        return Roles(tuple(span for span in chosen if span is not item), item)
    named = [span for span in plain if span not in chosen and span.sort != "acronym"]
    return Roles(tuple(chosen), named[-1] if len(chosen) == 1 and named else None)


def _item(asked: str, first: Span, second: Span) -> Span | None:
    """Return the second name where it only narrows: `its border with Spain`."""
    if _TOGETHER.search(asked) or _are_listed(asked, first, second):
        return None
    before = asked[: second.start]
    verb = re.search(r"\b(?:does|do|did|is|are|was|were)\s+(?:the )?$", asked[: first.start])
    follows = re.search(r"[a-z]\s+(?:the )?$", asked[first.end : second.start])
    owned = asked[first.end :].startswith("'s")
    return second if (_WITH.search(before) and (verb or owned)) or (verb and follows) else None


def _are_listed(asked: str, first: Span, second: Span) -> bool:
    gap = asked[min(first.end, second.end) : max(first.start, second.start)]
    return bool(_LISTED.fullmatch(gap)) and bool(gap.strip())


def _is_measure(asked: str, span: Span, spans: Sequence[Span]) -> bool:
    """Tell whether an acronym stands apart from the other names: `as a share of GDP`."""
    if span.sort != "acronym" or all(each.sort == "acronym" for each in spans):
        return False
    return not any(_are_listed(asked, span, each) for each in spans if each is not span)


def _belongs(asked: str, span: Span, spans: Sequence[Span]) -> bool:
    """Tell whether a capitalised word is part of the attribute: `GDP of ...`, `Internet users`."""
    if span.sort in ("title", "quoted", "guess") or len(spans) == 1:
        return False
    before, after = asked[: span.start], asked[span.end :]
    if _OF.match(after) or _OWNED.search(before) or _COMPARED_IN.search(before):
        return True
    others = [each for each in spans if each is not span]
    alone = _BEFORE.search(before) and not any(_is_placed(asked, each, [each]) for each in others)
    if not alone and _is_modifier(after):
        return True
    return _MEASURED.search(before) is not None


def _is_modifier(after: str) -> bool:
    """Tell whether a common noun follows: `Internet users`, not `Chile larger than`."""
    word = re.match(r"\s+([a-zß-ÿ][\w-]+)", after)
    if word is None or word[1] in STOP or is_generic(word[1]):
        return False
    return not re.match(r"\s+\w+ (?:than|have|has|is|are)\b", after)


def _is_placed(asked: str, span: Span, spans: Sequence[Span]) -> bool:
    """Tell whether a name stands where the subjects of a question stand."""
    before, after = asked[: span.start], asked[span.end :]
    if any(_are_listed(asked, span, each) for each in spans if each is not span):
        return True
    return bool(_BEFORE.search(before)) or bool(_AFTER.match(after) and not before.strip())
