"""Requests with small hand-written histories, as the built-in policy meets them."""

import json
from typing import Any

from widedeep.messages import (
    Assistant,
    Outcome,
    Results,
    Source,
    System,
    ToolCall,
    ToolResult,
    User,
    Width,
)
from widedeep.models.builtin import Builtin
from widedeep.seams import Request, ToolSpec

TEXT = {"type": "string"}
SEARCH = ToolSpec(
    "search_corpus",
    "Search.",
    {
        "type": "object",
        "properties": {"query": TEXT, "k": {"type": "integer"}},
        "required": ["query"],
    },
)
READ = ToolSpec(
    "read_document",
    "Read.",
    {"type": "object", "properties": {"id": TEXT, "around": TEXT}, "required": ["id"]},
)
NOTE = ToolSpec(
    "note",
    "Keep a note.",
    {"type": "object", "properties": {"text": TEXT, "n": TEXT}, "required": ["text", "n"]},
)

ARDENIA = (
    "Ardenia",
    """## Government
Capital, name: Vessel Bay
Country name, conventional long form: Republic of Ardenia
Country name, former: Old Marsh
Nationality, adjective: Ardenian
Internet country code: .ax
Executive branch, chief of state: President Ilse MARLOW (since 3 May 2021)
Independence: 4 June 1951 (from Borland)
## People
Population, total: 1,204,500 (2025 est.)
Population, male: 602,100
Population growth rate: 0.4% (2025 est.)
Life expectancy at birth, total population: 79.3 years (2024 est.)
Life expectancy at birth, female: 81 years
Languages: Ardenian (official) 81%, Bor 12%, other 7% (2011 est.)
## Geography
Area, total: 20,300 sq km
Area, land: 19,000 sq km
Elevation, highest point: Mount Tolly 1,203 m
Land boundaries, border countries: Borland 300 km; Cressia 41 km
Coastline: 0 km (landlocked)
## Economy
Real GDP per capita 2024: $15,400 (2024 est.)
Real GDP per capita 2023: $15,100 (2023 est.)
Exports 2024: $3.1 billion (2024 est.)
Exports - commodities: salt, glass, wool (2023)
Exchange rates, Currency: Ardenian marks (ADM) per US dollar -
Internet users, percent of population: 77% (2023 est.)
""",
)
BORLAND = (
    "Borland",
    """Capital, name: Port Bor
Internet country code: .bo
Population, total: 9.4 million (2025 est.)
Area, total: 5,100 sq km
Elevation, highest point: Bor Hill 98 m
Exchange rates, Currency: crowns (BOC) per US dollar -
Real GDP per capita 2024: $2,000 (2024 est.)
""",
)
ISLES = "Cress and Dole Islands", "Population, total: 310 (2025 est.)\nCapital, name: Dole\n"
PROSE = (
    "Ada Marsh",
    (
        "Ada Marsh (born 5 March 1931 in Leeds) was an English chemist. She directed the Tarn "
        "Laboratory from 1966 to 1980. Marsh married the painter Jon Vale in 1958."
    ),
)
FILM = (
    "The Long Tide",
    (
        "The Long Tide is a 1971 film directed by Peter Holm and written by Ruth Day. "
        "It was shot in Norway and runs for 96 minutes."
    ),
)


def source(n, document):
    title, text = document
    return Source(n, f"doc/{n}", text, "passage", title, None, 1)


def request(
    question, *documents, width=3, choice: Any = "auto", tools=(SEARCH, READ, NOTE), calls=()
):
    """Return the request after one search that met the documents, or the first one without."""
    history = [System("You research."), User(question)]
    made = calls or (ToolCall("search_corpus", {"query": "before"}, id="1.1"),)
    if documents or calls:
        sources = tuple(source(n, each) for n, each in enumerate(documents, 1))
        results = [ToolResult(call, Outcome.OK, "shown", ()) for call in made[:-1]]
        results.append(ToolResult(made[-1], Outcome.OK, "shown", sources))
        history += [Assistant("", made), Results(tuple(results))]
    cap = None if width is None else width + 1
    return Request(2, history, None, tools, Width(width, cap), choice)


async def ask(question, *documents, **options):
    """Return the reply to such a request."""
    return await Builtin().reply(request(question, *documents, **options), lambda _: None)


async def told(question, *documents):
    """Return the answer when nothing more may be looked up."""
    return await ask(question, *documents, choice="none")


def queries(reply):
    return [json.loads(call.raw)["query"] for call in reply.calls if call.tool == "search_corpus"]
