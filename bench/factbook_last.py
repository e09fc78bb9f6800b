"""A fourth set of templates: plain questions about plain attributes in other words once more."""

from __future__ import annotations

from dataclasses import replace

from bench.factbook_held import HELD
from bench.factbook_templates import DEV, Bridge, Fact

P = "People and Society"


def _f(path: str | tuple[str, ...], *asked: str, column: str = "", cut: str = "") -> Fact:
    return Fact((path,) if isinstance(path, str) else path, asked, column, cut)


LAST = replace(
    HELD,
    facts=(
        _f(
            "Government/Capital/name",
            "What city is {c}'s capital?",
            "Tell me which city is the capital of {c}.",
            column="capital city",
        ),
        _f(
            P + "/Population/total",
            "Roughly how many people are there in {c}?",
            "What is the current population of {c}?",
            column="total population",
        ),
        _f(
            ("Geography/Area/total ", "Geography/Area/total"),
            "What is the size of {c}?",
            "What is the area of {c} in sq km?",
            column="total area",
        ),
        _f(
            P + "/Life expectancy at birth/total population",
            "How many years can people in {c} expect to live?",
            "What's the average life expectancy in {c}?",
            column="life expectancy",
        ),
        _f(
            "Economy/Exchange rates/Currency",
            "What is the official currency of {c}?",
            "In which currency do people pay in {c}?",
            cut=r"\s*per US dollar.*$",
        ),
        _f(
            (P + "/Languages/Languages", P + "/Languages"),
            "What are the languages of {c}?",
            "Which languages do people speak in {c}?",
        ),
        _f(
            "Geography/Elevation/highest point",
            "What's the name of the highest point in {c}?",
            "Which point is the highest in {c}?",
            column="highest point",
        ),
        _f(
            "Geography/Coastline",
            "How many kilometers of coastline does {c} have?",
            "What is {c}'s coastline length?",
            column="coastline length",
        ),
        _f(
            "Economy/Real GDP per capita/*",
            "How high is GDP per capita in {c}?",
            "What's the per capita GDP of {c}?",
            column="GDP per capita",
        ),
        _f(
            "Communications/Internet country code",
            "What's the internet country code for {c}?",
            "What internet country code belongs to {c}?",
            column="internet code",
        ),
        _f(
            P + "/Religions",
            "What are the main religions in {c}?",
            "What religions do people in {c} follow?",
        ),
        _f(
            "Government/Independence",
            "On what date did {c} gain its independence?",
            "In what year did {c} become independent?",
        ),
        _f(
            "Economy/Unemployment rate/*",
            "What percentage of workers in {c} are unemployed?",
            "How high is the unemployment rate in {c}?",
            column="unemployment",
        ),
        _f(
            P + "/Median age/total",
            "How old is the median person in {c}?",
            "What's {c}'s median age?",
            column="median age",
        ),
        _f(
            "Government/Government type",
            "What kind of government does {c} have?",
            "What form of government does {c} have?",
        ),
        _f(
            "Transportation/Airports",
            "What is the number of airports in {c}?",
            "How many airports are in {c}?",
            column="airports",
        ),
        _f(
            "Geography/Land boundaries/border countries",
            "What countries does {c} border?",
            "Which countries share a land border with {c}?",
        ),
        _f(
            "Communications/Internet users/percent of population",
            "What percentage of people in {c} are internet users?",
            "What fraction of {c}'s population is online?",
        ),
        _f(
            "Government/Executive branch/head of government",
            "Who heads the government of {c}?",
            "Name the head of government of {c}.",
        ),
        _f(
            "Economy/Inflation rate (consumer prices)/*",
            "What is the inflation rate in {c}?",
            "What was inflation in {c} most recently?",
            column="inflation rate",
        ),
        _f(
            "Geography/Climate",
            "What is the climate of {c}?",
            "What sort of climate does {c} have?",
        ),
        _f(
            P + "/Ethnic groups",
            "What are the ethnic groups in {c}?",
            "What ethnic groups make up {c}'s population?",
        ),
        _f(
            "Economy/Exports - partners",
            "What are {c}'s main export partners?",
            "Which countries does {c} export to?",
        ),
        _f(
            P + "/Literacy/total population",
            "What percentage of people in {c} can read and write?",
            "What is the literacy rate of {c}?",
            column="literacy rate",
        ),
    ),
    bridges=(
        Bridge(
            DEV.bridges[0].fact,
            DEV.bridges[0].shape,
            (
                "the country whose capital city is {b}",
                "the country with {b} as its capital",
                "the country that has its capital at {b}",
                "the nation whose capital is {b}",
            ),
            ("Zanderport", "Nueva Quimera"),
        ),
        Bridge(
            DEV.bridges[1].fact,
            DEV.bridges[1].shape,
            (
                "the country whose internet country code is {b}",
                "the country with the {b} internet code",
                "the country assigned the internet country code {b}",
            ),
            (".qx", ".zj"),
        ),
        Bridge(
            DEV.bridges[2].fact,
            DEV.bridges[2].shape,
            (
                "the country whose highest peak is {b}",
                "the country in which {b} is the highest point",
                "the country that contains {b} as its highest point",
            ),
            ("Mount Grimble",),
        ),
        HELD.bridges[1],
    ),
    comparisons=(
        "Compare {names} in terms of {columns}.",
        "Which are the {columns} of {names}?",
        "Create a comparison table of {names} showing {columns}.",
        "Compare {columns} across {names}.",
        "Tell me the {columns} for {names}.",
        "How do the {columns} of {names} compare?",
        "{columns}: compare {names}.",
    ),
)
