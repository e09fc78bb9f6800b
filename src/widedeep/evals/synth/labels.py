"""How does English ask for what a label names?"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from widedeep.evals.synth import nouns
from widedeep.evals.synth.types import Relation, ValueKind

_YEAR = re.compile(r"^(?P<rest>.*\S) (?P<year>(?:19|20)\d{2})$")
_FINE = re.compile(r"^[a-zA-Z][a-zA-Z'’ -]*(?:\([a-zA-Z ]{2,30}\))?$")
_PART = re.compile(r", | - ")
_NUMBER_OF = re.compile(r"^number of (?P<what>.+?)(?: of (?P<of>the [\w ]+))?$")
_OF = re.compile(r" (?:of|at|in|per|for|below|above|from|to|by|on|with|under|over)\b")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A label as a noun phrase: "urban population", of the year 2022, or of no year."""

    noun: str
    year: str | None = None

    @property
    def head(self) -> str:
        """The noun that the others stand around: `rate` in "rate of urbanization"."""
        return _head(self.noun)

    @property
    def plural(self) -> bool:
        """Whether it is many: "the exports were"."""
        return is_plural(self.head)


def phrase(label: str) -> Phrase | None:
    """Return the noun phrase for a label, None when it does not read as one."""
    year = None
    if match := _YEAR.match(label):
        label, year = match["rest"], match["year"]
    label = label.replace("(s)", "")
    parts = [part.strip() for part in _PART.split(label)]
    if len(parts) > 3 or any(not _FINE.match(part) for part in parts):
        return None
    if any(word in nouns.LEAVE for part in parts for word in part.lower().split()):
        return None
    noun = _joined([_lowered(part) for part in parts])
    if noun is None or not 1 <= len(noun.split()) <= 9 or len(noun) < 3:
        return None
    return Phrase(noun, year)


def is_plural(word: str) -> bool:
    """Tell whether a noun is in the plural."""
    word = word.lower()
    if word in nouns.SINGULAR_LOOKS_PLURAL:
        return False
    return word in nouns.PLURAL_LOOKS_SINGULAR or (
        word.endswith("s") and not word.endswith(("ss", "us", "is"))
    )


def singular(noun: str) -> str:
    """Return a plural noun phrase in the singular, by the commonest endings."""
    if not is_plural(noun.rsplit(" ", 1)[-1]):
        return noun
    if noun.endswith("ies") and len(noun) > 5:
        return f"{noun[:-3]}y"
    return noun[:-2] if noun.endswith(("sses", "xes", "ches", "shes")) else noun[:-1]


def relation(label: str, phrase: Phrase, kind: ValueKind, unit: str) -> Relation | None:
    """Return how to ask for the values of one kind that stand under a label."""
    noun = phrase.noun
    if kind == "number" and phrase.head in nouns.LENGTHS and unit in {"km", "mi", "m"}:
        noun = f"length of the {noun}"
    if kind == "date" and not re.search(r"\b(?:date|day|time|year)\b", noun):
        noun = f"date of {noun}"
    counted = kind == "number" and phrase.plural and " " not in noun and not phrase.year
    if counted and phrase.head not in nouns.HEADS:
        return _count(label, noun, "{s}")
    some = _NUMBER_OF.match(noun)
    if some and kind == "number" and not phrase.year and len(some["what"].split()) <= 3:
        return _count(label, some["what"], f"{some['of']} of {{s}}" if some["of"] else "{s}")
    if phrase.head not in nouns.HEADS:
        return None
    plural = phrase.plural and not noun.startswith("date of ")
    # Values of several things under one label are a list, even when one of them is missing.
    if plural and kind in {"name", "text"}:
        return None
    verb = ("were" if plural else "was") if phrase.year else ("are" if plural else "is")
    when = f" in {phrase.year}" if phrase.year else ""
    who = "Who" if phrase.head in nouns.PERSONS and kind == "name" else "What"
    of = "in" if some else "of"
    ask = (f"{who} {verb} the {noun} {of} {{s}}{when}?",)
    if phrase.year:
        ask = (*ask, f"In {phrase.year}, {who.lower()} {verb} the {noun} {of} {{s}}?")
    if len(noun.split()) < 5 and " of " not in noun:
        ask = (*ask, f"{who} {verb} {{s's}} {noun}{when}?")
    comparisons = _comparisons(noun, kind, when, plural=plural)
    usable = kind == "name" and not plural
    return Relation(
        name=label,
        noun=noun,
        asks=ask,
        bridge=f"the {noun} of {{s}}" if usable else None,
        more=comparisons.get("more", ()),
        less=comparisons.get("less", ()),
        same=comparisons.get("same", ()),
        each=f"{who} {verb} the {noun} {of} each of these{when}: {{list}}?",
        inverse=_inverse(noun) if usable and not phrase.year else None,
    )


def top(label: str, phrase: Phrase) -> Relation | None:
    """Return how to ask for the first of the shares that stand under a label."""
    if not phrase.plural or phrase.year or phrase.head != phrase.noun.rsplit(" ", 1)[-1]:
        return None
    one = singular(phrase.noun)
    return Relation(
        name=f"{label} (largest share)",
        noun=f"largest {one}",
        asks=(
            f"Which of the {phrase.noun} of {{s}} has the largest share?",
            f"Among the {phrase.noun} of {{s}}, which one has the largest share?",
        ),
        bridge=f"the largest {one} of {{s}}",
        same=(f"Is the largest of the {phrase.noun} the same for {{a}} and {{b}}?",),
        each=f"Which of the {phrase.noun} has the largest share in each of these: {{list}}?",
    )


def subject_noun(labels: Iterable[str]) -> str | None:
    """Return what documents call their subject by a label such as `Country name`."""
    for label in labels:
        if match := re.match(r"^([A-Z][a-z]+) name\b", label):
            noun = match[1].lower()
            return f"{noun} or territory" if noun == "country" else noun
    return None


def _count(label: str, noun: str, owner: str) -> Relation:
    part = owner.removesuffix("{s}")
    more = more_in = ()
    if not part:
        more = (f"Which has more {noun}, {{a}} or {{b}}?",)
        more_in = (f"Which has fewer {noun}, {{a}} or {{b}}?",)
    return Relation(
        name=label,
        noun=f"number of {noun}",
        asks=(f"How many {noun} does {owner} have?", f"How many {noun} are there in {owner}?"),
        more=more,
        less=more_in,
        each=f"How many {noun} are there in {part}each of these: {{list}}?",
    )


def _comparisons(
    noun: str, kind: ValueKind, when: str, *, plural: bool
) -> dict[str, tuple[str, ...]]:
    have = "had" if when else "has"
    if kind == "number":
        large, small = ("larger", "smaller") if plural else ("higher", "lower")
        if re.match(r"(?:length|term|duration)\b", noun):
            large, small = "longer", "shorter"
        if re.search(r"\b(?:area|population|capacity|size|volume)\b", noun):
            large, small = "larger", "smaller"
        of_two = f"Of {{a}} and {{b}}, which {have} the"
        return {
            "more": (
                f"Which {have} the {large} {noun}{when}, {{a}} or {{b}}?",
                f"{of_two} {large} {noun}{when}?",
            ),
            "less": (f"Which {have} the {small} {noun}{when}, {{a}} or {{b}}?",),
        }
    if kind == "date":
        if noun.startswith("most "):
            return {}
        return {
            "less": (f"Which has the earlier {noun}, {{a}} or {{b}}?",),
            "more": (f"Which has the later {noun}, {{a}} or {{b}}?",),
        }
    be, do = ("was", "did") if when else ("is", "do")
    same = f"{be} the {noun} the same for {{a}} and {{b}}{when}?"
    if " of " not in noun:
        same = f"{do} {{a}} and {{b}} have the same {noun}{when}?"
    return {"same": (same,)}


def _inverse(noun: str) -> str:
    named = re.match(r"^(?:name|title) of the (?P<what>.+)$", noun)
    return f"whose {named['what']} is called {{v}}" if named else f"whose {noun} is {{v}}"


def _lowered(part: str) -> str:
    """Return a part of a label in the middle of a sentence: names and abbreviations keep case."""
    first, _, rest = part.partition(" ")
    named = any(map(str.istitle, rest.split())) or not first[1:].islower()
    return part if named and len(first) > 1 else f"{first.lower()}{part[len(first) :]}"


def _head(noun: str) -> str:
    noun = re.sub(r" \(.*", "", noun)
    return _OF.split(noun, maxsplit=1)[0].rsplit(" ", 1)[-1]


def _joined(parts: list[str]) -> str | None:
    if len(parts) == 1:
        return parts[0]
    *before, last = parts
    owner = before[-1]
    if last in nouns.EMPTY:
        return _joined(before)
    if last in nouns.OWN:
        return f"{last} of the {owner}" if not is_plural(_head(owner)) else None
    if last in nouns.LIMITING or owner in nouns.MEASURED:
        fits = len(last.split()) == 1 and not is_plural(_head(owner))
        averaged = last == "total" and _head(owner) in nouns.AVERAGES
        limit = "overall" if averaged else last
        return f"{limit} {owner}" if fits and len(before) == 1 else None
    if last in nouns.PROCESSES:
        return f"{owner} {last}" if len(before) == 1 and len(owner.split()) <= 2 else None
    if " " not in last:
        return _compound(owner, last) if len(before) == 1 else None
    if last.endswith(" name"):
        return f"name of the {last.removesuffix(' name')}"
    if _head(last) in nouns.PERSONS or (len(before) == 1 and _share_a_stem(owner, last)):
        return last
    if _head(owner) in nouns.PARTS and _head(owner) not in last.split():
        return f"{last} of the {owner}"
    return _specific(owner, last) if len(before) == 1 else None


def _specific(owner: str, last: str) -> str | None:
    """Return the last part alone where it says enough: "highest point", "rate of urbanization"."""
    if nouns.SUPERLATIVE & set(last.split()):
        return last
    if is_plural(_head(owner)) or is_plural(_head(last)) or len(owner.split()) > 2:
        return None
    first = last.split(maxsplit=1)[0]
    return f"{owner} {last}" if first not in nouns.LIMITING else None


def _share_a_stem(owner: str, last: str) -> bool:
    stems = [{word.lower()[:5] for word in each.split() if len(word) > 3} for each in (owner, last)]
    return bool(stems[0] & stems[1])


def _compound(owner: str, last: str) -> str | None:
    """Return `imports` and `partners` as "import partners"."""
    short = is_plural(owner) and is_plural(last) and " " not in owner
    return f"{singular(owner)} {last}" if short else None
