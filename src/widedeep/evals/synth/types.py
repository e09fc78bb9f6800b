"""What is a document, a fact stated in it, and a question made from facts?"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["one", "two", "comparison", "unanswerable"]
KINDS: tuple[Kind, ...] = ("one", "two", "comparison", "unanswerable")

ValueKind = Literal["name", "text", "number", "date", "year"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One document: `name` is its title without what stands in brackets at its end."""

    id: str
    title: str
    name: str
    passages: tuple[str, ...]

    @property
    def text(self) -> str:
        """All its passages."""
        return "\n".join(self.passages)


@dataclass(frozen=True, slots=True)
class Value:
    """What a fact says: `text` is the answer, `aliases` are as right.

    `amount` orders values of one `unit`: a number, a year, or a day as (year, month, day).
    """

    text: str
    kind: ValueKind
    aliases: tuple[str, ...] = ()
    amount: float | None = None
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Relation:
    """What a fact says of its subject, and how English asks for it.

    Args:
        name: what tells it from other relations.
        noun: "director": used where several subjects are asked about.
        asks: questions with `{s}` for the subject.
        bridge: "the director of {s}", for a subject that is described and not named.
        more: comparisons of `{a}` and `{b}`; the larger amount is the answer.
        less: likewise, the smaller amount.
        same: yes or no questions about `{a}` and `{b}`.
        each: "When was each of them born: {list}?"
        inverse: "whose capital is {v}": describes a subject by the value.
        of: types of document that can have it; empty = any.
        value_of: types of document that its value may be the title of; empty = any.
        cue: found in any text that may state it, under whatever words.
        about: found in a document that its value is the title of.
    """

    name: str
    noun: str
    asks: tuple[str, ...]
    bridge: str | None = None
    more: tuple[str, ...] = ()
    less: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    each: str | None = None
    inverse: str | None = None
    of: frozenset[str] = frozenset()
    value_of: frozenset[str] = frozenset()
    cue: re.Pattern[str] | None = None
    about: re.Pattern[str] | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """A sentence or line (`quote`) of passage `passage` gives a value for a document's subject.

    `subject` is the subject as a question names it, `target` the document that the value names.
    """

    entry: str
    passage: int
    subject: str
    relation: Relation
    value: Value
    quote: str
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its gold answer and where that comes from.

    Args:
        kind: what it asks for.
        text: the question.
        answers: any of them is right; empty = it cannot be answered.
        form: what the answer is: name, text, number, date, year, yes_no, choice, table, none.
        hops: searches that it takes, one after another.
        facts: what it was made from, in the order of its hops.
        shape: relations and template; questions are balanced over it.
        removed: documents to leave out of the corpus, so that it cannot be answered.
        cells: a table's answer, by subject.
    """

    kind: Kind
    text: str
    answers: tuple[str, ...]
    form: str
    hops: int
    facts: tuple[Fact, ...]
    shape: str
    removed: tuple[str, ...] = ()
    cells: tuple[tuple[str, str], ...] = field(default=())

    @property
    def gold(self) -> tuple[str, ...]:
        """The documents that hold the evidence and are not removed."""
        return tuple(dict.fromkeys(f.entry for f in self.facts if f.entry not in self.removed))
