"""What stands at the end of a question's way through roles, and by which sentences?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from widedeep.models.builtin.reading.lives import Fact, countries, when, where
from widedeep.models.builtin.reading.passage import Passage, name_key
from widedeep.models.builtin.reading.path import Aim, Path
from widedeep.models.builtin.reading.roles import Role, holders

_MOST = 3
_ASIDE = re.compile(r"\s*\([^()]*\)")
_INVERSE: dict[Role, re.Pattern[str]] = {
    "spouse": re.compile(r"\b(?:wife|husband|married|widow|widower|consort|spouse)\b"),
    "father": re.compile(r"\bfather of\b"),
    "mother": re.compile(r"\bmother of\b"),
    "child": re.compile(r"\b(?:son|daughter|child) of\b"),
    "sibling": re.compile(r"\b(?:brother|sister|sibling|half-brother|half-sister) (?:of|to)\b"),
}


@dataclass(frozen=True, slots=True)
class Found:
    """A value, the passage it is about or stands in, and the facts that lead to it in order."""

    value: str
    passage: Passage | None
    facts: tuple[Fact, ...]


def about(name: str, passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages that are about what bears a name, those with the very title first."""
    whole = name_key(name)
    key = name_key(_ASIDE.sub("", name))
    if not key:
        return []
    exact = [each for each in passages if name_key(each.title) == whole]
    same = [each for each in passages if key in each.keys and each not in exact]
    if exact or same:
        return [*exact, *same][:_MOST]
    wide = [each for each in passages if any(_alike(key, mine) for mine in each.keys)]
    return wide[:_MOST]


def _alike(key: str, mine: str) -> bool:
    """Tell whether one name is the other with more before or after it."""
    ours, theirs = key.split(), mine.split()
    if min(len(ours), len(theirs)) < 2:
        return False
    return (
        mine.startswith(key)
        or key.startswith(mine)
        or set(ours) == set(theirs)
        or (len(theirs) > len(ours) and ours[0] == theirs[0] and ours[-1] == theirs[-1])
    )


def follow(name: str, path: Path, passages: Sequence[Passage]) -> list[Found]:
    """Return what a path leads to from a name."""
    states = [Found(each.subject, each, ()) for each in about(name, passages)]
    for role in path.roles:
        states = [more for state in states for more in _step(state, role, passages)][: 2 * _MOST]
    if path.aim == "who":
        return [state for state in states if state.facts]
    return [more for state in states for more in aimed(state, path.aim)]


def _step(state: Found, role: Role, passages: Sequence[Passage]) -> list[Found]:
    if state.passage is None:
        return _inverse(state, role, passages) if role in _INVERSE else []
    made: list[Found] = []
    for fact in holders(state.passage, role)[:_MOST]:
        facts = (*state.facts, fact)
        targets = [each for each in about(fact.value, passages) if each is not state.passage]
        made += [Found(fact.value, each, facts) for each in targets[:2]]
        if not targets:
            made.append(Found(fact.value, None, facts))
    if not made and role in _INVERSE:
        made = _inverse(state, role, passages)
    return made


def _inverse(state: Found, role: Role, passages: Sequence[Passage]) -> list[Found]:
    """Find who says of itself that it stands in the role: `was the husband of X`."""
    keys = state.passage.keys if state.passage else (name_key(state.value),)
    found: list[Found] = []
    for each in passages:
        if each is state.passage or any(each is fact.passage for fact in state.facts):
            continue
        for at, sentence in enumerate(each.sentences):
            named = any(key and key in sentence.folded for key in keys)
            if named and _INVERSE[role].search(sentence.text):
                fact = Fact(each, at, each.subject)
                found.append(Found(each.subject, each, (*state.facts, fact)))
                break
    return found


def aimed(state: Found, aim: Aim) -> list[Found]:
    """Return what a passage states of its subject."""
    passage = state.passage
    if passage is None or aim == "other":
        return []
    if aim == "age":
        return _age(state, passage)
    kind, _, of = aim.partition(" ")
    facts: Sequence[Fact] = ()
    if aim == "country":
        facts = [fact for fact, _ in countries(passage)]
    elif of == "place":
        facts = where(passage, "birth" if kind == "birth" else "death")
    elif kind in ("birth", "death", "release", "founding"):
        facts = when(passage, kind)  # type: ignore[arg-type]
    return [Found(fact.value, passage, (*state.facts, fact)) for fact in facts[:2]]


def _age(state: Found, passage: Passage) -> list[Found]:
    born, died = when(passage, "birth"), when(passage, "death")
    if not born or not died:
        return []
    return [Found(f"{born[0].value} – {died[0].value}", passage, (*state.facts, born[0], died[0]))]
