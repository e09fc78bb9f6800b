"""A further question is understood from the one before it, and from its answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.models.builtin.histories import ARDENIA, BORLAND, FILM, PROSE, READ, SEARCH, source

from widedeep.messages import (
    Assistant,
    Outcome,
    Results,
    System,
    ToolCall,
    ToolResult,
    User,
    Width,
)
from widedeep.models.builtin import Builtin
from widedeep.models.builtin.followup import asked, completed
from widedeep.seams import Request

POPULATION = "What is the population of Ardenia?"
FILMED = "Who directed The Long Tide?"
DIRECTED = "The Long Tide was directed by Peter Holm [1]."
LARGER = "Which is larger, Ardenia or Borland?"
QUITO = "What is the area of the country whose capital is Port Bor?"


@pytest.mark.parametrize(
    ("before", "answer", "text", "whole"),
    [
        (POPULATION, "", "and in 2023?", "What is the population of Ardenia in 2023?"),
        ("Who led Ardenia in 2020?", "", "And in 2023?", "Who led Ardenia in 2023?"),
        (POPULATION, "", "and of Borland?", "What is the population of Borland?"),
        (POPULATION, "", "What about Borland?", "What is the population of Borland?"),
        (POPULATION, "", "Borland?", "What is the population of Borland?"),
        (POPULATION, "", "And Borland's?", "What is the population of Borland?"),
        (POPULATION, "", "And Borland in 2020?", "What is the population of Borland in 2020?"),
        (POPULATION, "", "What about its area?", "What is Ardenia's area?"),
        (POPULATION, "", "And the literacy rate?", "What is the literacy rate of Ardenia?"),
        (POPULATION, "", "And the GDP?", "What is the GDP of Ardenia?"),
        (POPULATION, "", "What about the UK?", "What is the population of the UK?"),
        (POPULATION, "", "What is the currency?", "What is the currency of Ardenia?"),
        (POPULATION, "", "And who is the president?", "who is the president of Ardenia?"),
        (POPULATION, "", "What is spoken there?", "What is spoken in Ardenia?"),
        (POPULATION, "", "How large is that country?", "How large is Ardenia?"),
        (POPULATION, "", "Is it larger than Borland?", "Is Ardenia larger than Borland?"),
        (POPULATION, "", "And the area of Borland?", "What is the area of Borland?"),
        (POPULATION, "", FILMED, FILMED),
        (POPULATION, "", "What is the speed of light?", "What is the speed of light?"),
        (POPULATION, "", "What is photosynthesis?", "What is photosynthesis?"),
        (POPULATION, "", "And?", POPULATION),
        (POPULATION.lower(), "", "what about borland?", "what is the population of borland?"),
        (POPULATION.lower(), "", "and the area?", "What is the area of ardenia?"),
        (FILMED, DIRECTED, "When was he born?", "When was Peter Holm born?"),
        (FILMED, DIRECTED, "When was it released?", "When was The Long Tide released?"),
        (FILMED, DIRECTED, "And Rain?", "Who directed Rain?"),
        (
            "Who was the father of Ada Marsh?",
            "Her father was Tom Marsh [1].",
            "When was she born?",
            "When was Ada Marsh born?",
        ),
        (LARGER, "Ardenia is larger [1].", "What is its capital?", "What is Ardenia's capital?"),
        (LARGER, "", "And their populations?", "What is the populations of Ardenia and Borland?"),
        (QUITO, "", "And Vessel Bay?", QUITO.replace("Port Bor", "Vessel Bay")),
        (QUITO, "", "What is its population?", QUITO.replace("area", "population")),
        (
            "Which country has the largest area in Europe?",
            "",
            "And the smallest?",
            "Which country has the smallest area in Europe?",
        ),
        (
            "How long is Ardenia's border with Borland?",
            "",
            "And with Cressia?",
            "How long is Ardenia's border with Cressia?",
        ),
        (
            'When was the author of "Rain" born?',
            "",
            'And the author of "Snow"?',
            'When was the author of "Snow" born?',
        ),
    ],
)
def test_what_a_question_leaves_out_stands_in_the_one_before(before, answer, text, whole):
    assert completed(text, before, answer) == whole


@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=80))
def test_whatever_is_typed_makes_some_question(text, before, answer):
    assert isinstance(completed(text, before, answer), str)


def followed(*said, documents=(), searched="", choice="auto", since=()):
    """Return the request after questions and answers, of which the first met the documents."""
    call = ToolCall("search_corpus", {"query": searched}, id="1.1")
    met = tuple(source(n, each) for n, each in enumerate(documents, 1))
    history = [System("You research."), User(said[0], asks=True), Assistant("", (call,))]
    history.append(Results((ToolResult(call, Outcome.OK, "shown", met),)))
    for answer, question in zip(said[1::2], said[2::2], strict=True):
        history += [Assistant(answer), User("More."), User(question, asks=True)]
    return Request(3, [*history, *since], None, (SEARCH, READ), Width(3, 4), choice)


async def reply(*said, **options):
    return await Builtin().reply(followed(*said, **options), lambda _: None)


def test_each_question_is_understood_from_those_before_it():
    request = followed(
        POPULATION, "1,204,500 [1].", "What about its area?", "20,300", "And Borland?"
    )
    assert asked(request.history).text == "What is Borland's area?"
    assert asked(request.history).nth == 3
    assert asked([System("x"), User("Old?"), User("Late result.")]).text == "Old?"


@pytest.mark.anyio
async def test_what_earlier_sources_hold_is_answered_without_a_call():
    told = await reply(
        POPULATION, "1,204,500 [1].", "What about its area?", documents=(ARDENIA, BORLAND)
    )
    assert told.calls == ()
    assert "20,300 sq km [1]" in told.text
    assert told.reasoning == "Understood as: What is Ardenia's area?"
    assert [entry.id for entry in told.ledger] == ["2, 1: area"]


@pytest.mark.anyio
async def test_what_they_do_not_hold_is_looked_up():
    more = await reply(POPULATION, "1,204,500 [1].", "And of Borland?", documents=(ARDENIA,))
    assert any("Borland" in call.arguments["query"] for call in more.calls)


@pytest.mark.anyio
async def test_prose_is_searched_anew_for_each_question():
    said = "Who was Ada Marsh?", "A chemist [1].", FILMED
    more = await reply(*said, documents=(PROSE, FILM), searched=FILMED.rstrip("?"))
    assert more.calls
    assert all("Tide" in call.arguments["query"] for call in more.calls[:1])
