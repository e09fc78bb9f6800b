"""What can a question ask for?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["any", "number", "percent", "date", "person", "place", "thing"]
"""Which sort of value would answer."""

Order = Literal["max", "min"]


@dataclass(frozen=True, slots=True)
class Attribute:
    """Something that is to be known of a subject.

    `words` are concepts in the order asked; a line must hold those that are not `optional`.
    `query` are the words to search with.
    """

    text: str
    words: tuple[str, ...]
    optional: frozenset[str]
    query: str
    kind: Kind = "any"

    @property
    def required(self) -> tuple[str, ...]:
        """The concepts a line must hold."""
        return tuple(word for word in self.words if word not in self.optional)


@dataclass(frozen=True, slots=True)
class Named:
    """A subject that the question names."""

    name: str


@dataclass(frozen=True, slots=True)
class Described:
    """A subject to be found by what is said of it: the `noun` whose `attribute` is `value`.

    `longer` is the value with the words after it, where they may belong to it.
    """

    noun: str
    attribute: Attribute
    value: str
    longer: str = ""


@dataclass(frozen=True, slots=True)
class Reached:
    """A subject to be found from another one: the `attribute` of `subject`."""

    attribute: Attribute
    subject: Named | Described


Subject = Named | Described | Reached


@dataclass(frozen=True, slots=True)
class Question:
    """A question taken apart: what is to be known of whom.

    `order`: which of the subjects has most or least of the first attribute. `claim`: the value that
    a yes/no question puts forward. `item`: a name the value must hold. No attribute: the subject
    itself is asked for. `guessed`: the subjects stand on word order alone (no capitals).
    `left_out`: subjects and attributes that are too many to be looked up.
    """

    text: str
    subjects: tuple[Subject, ...]
    attributes: tuple[Attribute, ...]
    order: Order | None = None
    year: int | None = None
    claim: str | None = None
    item: str | None = None
    yes_no: bool = False
    guessed: bool = False
    left_out: tuple[str, ...] = ()
