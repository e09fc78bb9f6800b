"""Questions with their right values, by template from the JSON of the sample corpus, seeded.

`dev` was at hand while the rules of the built-in policy were written. `held`, `fresh` and `last`
have other attributes, bridges and wordings; each was first run when it was written, and only then
were rules that it showed to be missing added.
"""

from __future__ import annotations

import html
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bench.factbook_fresh import FRESH
from bench.factbook_held import HELD
from bench.factbook_last import LAST
from bench.factbook_templates import DEV, Bridge, Fact, Templates

from widedeep.retrieval import sample

SETS = {
    "dev": DEV,
    "held": HELD,
    "fresh": FRESH,
    "last": LAST,
}


@dataclass(frozen=True)
class Cell:
    """What is right: `value` as the JSON has it, in document `source`."""

    name: str
    value: str
    source: str


@dataclass(frozen=True)
class Question:
    """A question; `cells` row by row for a comparison, none when it cannot be answered."""

    kind: str
    text: str
    cells: tuple[Cell, ...] = ()
    columns: int = 1


@dataclass(frozen=True)
class Country:
    id: str
    name: str
    data: Any


def questions(which: str, seed: int, number: int) -> list[Question]:
    """Return `number` questions of each answerable kind and half as many unanswerable ones."""
    templates = SETS[which]
    countries = list(_countries())
    draw = random.Random(f"{which} {seed}")
    return [
        *_facts(templates, countries, draw, number),
        *_hops(templates, countries, draw, number),
        *_comparisons(templates, countries, draw, number),
        *_unanswerable(templates, countries, draw, number // 2),
    ]


def _countries() -> Iterator[Country]:
    root = sample.root()
    for path in sorted(root.glob("*/*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        id, _ = sample.naming(f"{path.parent.name}/{path.name}", data)
        forms = data.get("Government", {}).get("Country name", {})
        for form in ("conventional short form", "conventional long form"):
            name = clean(forms.get(form, {}).get("text", ""))
            if name and name.lower() != "none" and not re.search(r"[(;,]", name):
                yield Country(id, name, data)
                break


def clean(text: object) -> str:
    """Return a JSON value as a reader sees it."""
    plain = re.sub(r"<(?:br|/p)\b[^>]*>", "; ", str(text))
    plain = html.unescape(re.sub(r"<[^>]+>", "", plain))
    return " ".join(plain.split()).strip("; ")


def value(country: Country, fact: Fact) -> str | None:
    """Return a country's value of a fact, the latest where there are several."""
    for path in fact.paths:
        at: Any = country.data
        for key in path.split("/"):
            at = _child(at, key)
        text = clean(at.get("text", "")) if isinstance(at, dict) else ""
        if text and re.search(r"\w", text) and not text.startswith("NA"):
            return re.sub(fact.cut, "", text).strip() if fact.cut else text
    return None


def _child(at: Any, key: str) -> Any:
    if not isinstance(at, dict):
        return None
    if not key.endswith("*"):
        return at.get(key)
    years = sorted((each for each in at if re.search(r"\d{4}$", each)), reverse=True)
    return at[years[0]] if years else None


def _the(name: str) -> str:
    plural = re.search(r"Islands$|^Netherlands|^Philippines|^Maldives|^United|Republic$", name)
    return f"the {name}" if plural else name


def _facts(
    templates: Templates, countries: list[Country], draw: random.Random, number: int
) -> list[Question]:
    found: list[Question] = []
    while len(found) < number:
        fact = templates.facts[len(found) % len(templates.facts)]
        country = draw.choice(countries)
        right = value(country, fact)
        if right is not None:
            text = draw.choice(fact.asked).format(c=_the(country.name))
            text = draw.choice(templates.frames).format(q=text, lower=text[0].lower() + text[1:])
            found.append(Question("one fact", text, (Cell(country.name, right, country.id),)))
    return found


def _bridges(bridge: Bridge, countries: list[Country]) -> list[tuple[Country, str]]:
    """Return the countries that a bridge leads to, where it leads to one only."""
    met = [(country, value(country, bridge.fact)) for country in countries]
    named = [
        (country, match[0].strip())
        for country, text in met
        if text and (match := re.match(bridge.shape, text))
    ]
    often = Counter(name for _, name in named)
    return [(country, name) for country, name in named if often[name] == 1]


def _hops(
    templates: Templates, countries: list[Country], draw: random.Random, number: int
) -> list[Question]:
    found: list[Question] = []
    known = [_bridges(bridge, countries) for bridge in templates.bridges]
    while len(found) < number:
        at = len(found) % len(templates.bridges)
        country, name = draw.choice(known[at])
        fact = draw.choice(templates.facts)
        right = value(country, fact)
        if right is None or fact.paths == templates.bridges[at].fact.paths:
            continue
        described = draw.choice(templates.bridges[at].said).format(b=name)
        text = draw.choice(fact.asked).format(c=described)
        found.append(
            Question(
                "two hops", text[0].upper() + text[1:], (Cell(country.name, right, country.id),)
            )
        )
    return found


def _comparisons(
    templates: Templates, countries: list[Country], draw: random.Random, number: int
) -> list[Question]:
    found: list[Question] = []
    facts = [fact for fact in templates.facts if fact.column]
    while len(found) < number:
        asked = draw.sample(facts, draw.randint(2, 4))
        rows = draw.sample(countries, draw.randint(3, 6))
        cells = [
            Cell(country.name, right, country.id)
            for country in rows
            for fact in asked
            if (right := value(country, fact)) is not None
        ]
        if len(cells) < len(rows) * len(asked):
            continue
        names = _listed([_the(country.name) for country in rows])
        columns = _listed([fact.column for fact in asked])
        text = draw.choice(templates.comparisons).format(names=names, columns=columns)
        found.append(Question("comparison", text[0].upper() + text[1:], tuple(cells), len(asked)))
    return found


def _listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _unanswerable(
    templates: Templates, countries: list[Country], draw: random.Random, number: int
) -> list[Question]:
    found: list[str] = []
    while len(found) < number:
        fact, country = draw.choice(templates.facts), draw.choice(countries)
        match len(found) % 5:
            case 0:
                text = draw.choice(fact.asked).format(c=draw.choice(templates.nowhere))
            case 1:
                text = draw.choice(templates.nonsense).format(c=_the(country.name))
            case 2:
                if value(country, fact) is not None or not fact.strict:
                    continue
                text = draw.choice(fact.asked).format(c=_the(country.name))
            case 3:
                bridge = draw.choice(templates.bridges)
                described = draw.choice(bridge.said).format(b=draw.choice(bridge.invented))
                text = draw.choice(fact.asked).format(c=described)
            case _:
                text = draw.choice(templates.later).format(c=_the(country.name))
        found.append(text[0].upper() + text[1:])
    return [Question("unanswerable", text) for text in found]
