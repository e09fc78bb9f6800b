"""Whom or what does a pronoun mean that stands in a further question?

The subject of the question before it, or what that asked for: `who directed it` makes a `she` of
the next question the director.
"""

from __future__ import annotations

import re

from widedeep.models.builtin.describe import describe
from widedeep.models.builtin.names import names
from widedeep.models.builtin.parse import parse
from widedeep.models.builtin.question import Named
from widedeep.models.builtin.words import tokens

_TYPE = (
    r"(?:country|nation|state|city|town|village|place|island|river|mountain|lake|region|continent"
    r"|film|movie|book|novel|song|album|play|series|show|company|band|team|club|person|man|woman"
    r"|actor|actress|author|director|writer|singer|king|queen|president|university|school|building"
    r"|language|currency|war|battle|event|animal|species|plant)"
)
_PRONOUN = re.compile(
    rf"\b(?:(?P<person>he|him|she)|(?P<own>his|her|its|their)(?= [a-z])|(?P<thing>it|her)"
    rf"|(?P<many>they|them|both of them|those)|(?P<typed>(?:that|this|the same) {_TYPE})"
    r"(?P<typed_own>'s)?"
    r"|(?P<there>(?<!is )(?<!are )(?<!was )(?<!were )there(?! (?:is|are|was|were|any)\b)))"
    r"(?:(?P<apostrophe>'s)(?= (?:a|an|the|not|\w+ed|born)\b))?(?![\w'])",
    re.IGNORECASE,
)
_WHO = re.compile(r"\b(?:who|whom|whose)\b", re.IGNORECASE)
_WHICH = re.compile(rf"^(?:in |on |of )?(?:which|what) (?:\w+ )?{_TYPE}\b", re.IGNORECASE)
_FEMALE = frozenset("wife mother daughter sister actress queen princess aunt grandmother".split())
_MALE = frozenset("husband father son brother king prince uncle grandfather".split())
_CITED = re.compile(r"\s*\[[\d\s,;]+\]")


def meant(text: str, before: str, answer: str, titles: tuple[str, ...] = ()) -> str | None:
    """Return a text with its first pronoun, and those like it, replaced; None = it has none.

    Args:
        text: a further question.
        before: the question before it.
        answer: what that was answered with.
        titles: titles of documents met by then.
    """
    found = _PRONOUN.search(text)
    if found is None or any(span.end <= found.start() for span in names(text, titles)):
        return None
    subject = _subject(found, before, answer, titles)
    if not subject:
        return None
    is_plain = " and " not in subject and not re.match(r"(?:the|a|which|what) ", subject)
    if (found["own"] or found["typed_own"]) and not is_plain:
        owned = f"{text[: found.start()]}the{text[found.end() :]}"
        return f"{owned.rstrip(' ?.!')} of {subject}"
    return f"{text[: found.start()]}{_form(found, subject)}{text[found.end() :]}"


def _form(found: re.Match[str], subject: str) -> str:
    if found["own"] or found["typed_own"]:
        return f"{subject}'s"
    if found["apostrophe"]:
        return f"{subject} is"
    return f"in {subject}" if found["there"] else subject


def _subject(found: re.Match[str], before: str, answer: str, titles: tuple[str, ...]) -> str:
    """Return what a pronoun means: what was asked for, else the subject that was asked about."""
    word = found.group().lower()
    person = found["person"] or word in ("his", "her")
    asked = parse(before, titles)
    identifies = bool(_WHO.search(before)) if person else _identifies(before)
    if identifies and not _is_other(word, before):
        told = names(_CITED.sub("", answer), titles)
        fresh = [span.name for span in told if span.name.casefold() not in before.casefold()]
        chosen = fresh or [span.name for span in told if asked.order]
        if chosen and not found["many"]:
            return chosen[0]
    described = describe(before)
    if described is not None:
        return before[described.start : described.end]
    return " and ".join(one.name for one in asked.subjects if isinstance(one, Named))


def _identifies(before: str) -> bool:
    """Tell whether a question asks for a thing by name, and not for what is known of one."""
    return bool(_WHICH.match(before)) or parse(before).order is not None


def _is_other(word: str, before: str) -> bool:
    """Tell whether a pronoun cannot be the person that was asked for: `he` is no one's wife."""
    said = frozenset(tokens(before))
    if word in ("he", "him", "his"):
        return not said.isdisjoint(_FEMALE) and said.isdisjoint(_MALE)
    return word in ("she", "her") and not said.isdisjoint(_MALE) and said.isdisjoint(_FEMALE)
