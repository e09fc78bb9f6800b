"""Which attributes are asked for, and in which words; see factbook_questions.py."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fact:
    """An attribute: where it stands in the JSON (`*` = the latest year), and how it is asked for.

    `column` names it in comparisons (empty: it is not compared), `cut` is what of the JSON's text
    is no part of the value, `strict`: where the JSON lacks it, no other line can stand for it.
    """

    paths: tuple[str, ...]
    asked: tuple[str, ...]
    column: str = ""
    cut: str = ""
    strict: bool = True


@dataclass(frozen=True)
class Bridge:
    """A fact by which a country is described, the shape of a usable value, and invented ones."""

    fact: Fact
    shape: str
    said: tuple[str, ...]
    invented: tuple[str, ...]


@dataclass(frozen=True)
class Templates:
    facts: tuple[Fact, ...]
    bridges: tuple[Bridge, ...]
    frames: tuple[str, ...]
    comparisons: tuple[str, ...]
    nowhere: tuple[str, ...]
    nonsense: tuple[str, ...]
    later: tuple[str, ...]


_PEOPLE = "People and Society"
_CAPITAL = Fact(
    ("Government/Capital/name",),
    (
        "What is the capital of {c}?",
        "Which city is the capital of {c}?",
        "Name the capital of {c}.",
    ),
    "capital",
)
_CODE = Fact(
    ("Communications/Internet country code",),
    ("What is the internet country code of {c}?", "Which internet country code does {c} use?"),
    "internet country code",
)
_POINT = Fact(
    ("Geography/Elevation/highest point",),
    ("What is the highest point of {c}?", "What is the highest point in {c}?"),
    "highest point",
)

DEV = Templates(
    facts=(
        _CAPITAL,
        Fact(
            (f"{_PEOPLE}/Population/total",),
            (
                "How many people live in {c}?",
                "What is the population of {c}?",
                "How many inhabitants does {c} have?",
            ),
            "population",
        ),
        Fact(
            ("Geography/Area/total ", "Geography/Area/total"),
            ("How big is {c}?", "What is the total area of {c}?", "How large is {c}?"),
            "area",
        ),
        Fact(
            (f"{_PEOPLE}/Life expectancy at birth/total population",),
            (
                "What is the life expectancy at birth in {c}?",
                "How long do people live in {c} on average?",
            ),
            "life expectancy",
        ),
        Fact(
            ("Economy/Exchange rates/Currency",),
            ("Which currency is used in {c}?", "What is the currency of {c}?"),
            "currency",
            r"\s*per US dollar.*$",
        ),
        Fact(
            (f"{_PEOPLE}/Languages/Languages", f"{_PEOPLE}/Languages"),
            ("Which languages are spoken in {c}?", "What languages do people in {c} speak?"),
        ),
        _POINT,
        Fact(
            ("Geography/Coastline",),
            ("How long is the coastline of {c}?", "What is the length of the coastline of {c}?"),
            "coastline",
        ),
        Fact(
            ("Economy/Real GDP per capita/*",),
            ("What is the GDP per capita of {c}?", "What is the real GDP per capita in {c}?"),
            "GDP per capita",
        ),
        _CODE,
        Fact(
            (f"{_PEOPLE}/Religions",),
            ("Which religions are practised in {c}?", "What are the religions of {c}?"),
        ),
        Fact(
            ("Government/Independence",),
            ("When did {c} become independent?", "When did {c} gain independence?"),
            strict=False,
        ),
        Fact(
            ("Economy/Unemployment rate/*",),
            ("What is the unemployment rate in {c}?", "How high is unemployment in {c}?"),
            "unemployment rate",
        ),
        Fact(
            (f"{_PEOPLE}/Median age/total",),
            ("What is the median age in {c}?", "What is the median age of the people of {c}?"),
            "median age",
        ),
        Fact(
            (f"{_PEOPLE}/Birth rate",),
            ("What is the birth rate of {c}?", "How high is the birth rate in {c}?"),
            "birth rate",
        ),
        Fact(
            ("Government/Government type",),
            ("What type of government does {c} have?", "What is the government type of {c}?"),
            "government type",
        ),
        Fact(
            ("Transportation/Airports",),
            ("How many airports are there in {c}?", "How many airports does {c} have?"),
            "number of airports",
        ),
        Fact(
            ("Geography/Land boundaries/border countries",),
            ("Which countries border {c}?", "What are the neighbours of {c}?"),
        ),
        Fact(
            ("Communications/Internet users/percent of population",),
            (
                "What percentage of the population of {c} uses the internet?",
                "What share of people in {c} use the internet?",
            ),
        ),
        Fact(
            ("Government/Executive branch/head of government",),
            ("Who is the head of government of {c}?", "Who is head of government in {c}?"),
        ),
    ),
    bridges=(
        Bridge(
            _CAPITAL,
            r"[^;,(]+$",
            (
                "the country whose capital is {b}",
                "the country that has {b} as its capital",
                "the country of which {b} is the capital",
                "the nation with the capital {b}",
            ),
            ("Zanderport", "New Quillon", "Marvola"),
        ),
        Bridge(
            _CODE,
            r"\.[a-z]{2}$",
            (
                "the country whose internet country code is {b}",
                "the country with the internet country code {b}",
                "the country using {b} as its internet country code",
            ),
            (".qx", ".zj"),
        ),
        Bridge(
            _POINT,
            r"[A-Z][^\d;,(]+(?=\s[\d,]+ m$)",
            (
                "the country whose highest point is {b}",
                "the country where the highest point is {b}",
            ),
            ("Mount Grimble", "Pico Santorel"),
        ),
    ),
    frames=("{q}",) * 6
    + ("Could you please tell me: {lower}", "{q} Answer briefly.", "Hi! {q}", "{lower}"),
    comparisons=(
        "Compare the {columns} of {names}.",
        "How do {names} compare in terms of {columns}?",
        "Make a table of {columns} for {names}.",
        "What are the {columns} of {names}?",
        "Compare {names} by {columns}.",
    ),
    nowhere=("Zubrowka", "Elbonia", "the Republic of Genovia", "West Ruritania", "Florin"),
    nonsense=(
        "What is the dragon population of {c}?",
        "How many wizard schools are there in {c}?",
        "What is the national sandwich of {c}?",
        "Who is the chief astrologer of {c}?",
        "What is the average shoe size in {c}?",
    ),
    later=(
        "What will the population of {c} be in 2060?",
        "What was the GDP per capita of {c} in 1950?",
        "What was the unemployment rate in {c} in 1931?",
    ),
)
