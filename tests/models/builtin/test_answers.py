"""What does the built-in policy answer when the evidence is there, and when it is not?"""

import pytest
from tests.models.builtin.histories import ARDENIA, BORLAND, FILM, ISLES, PROSE, told

from widedeep.models.builtin.parse import parse

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("What is the capital of Ardenia?", "Vessel Bay"),
        ("What is the capital city of Ardenia?", "Vessel Bay"),
        ("Could you please tell me what the capital of Ardenia is? Answer briefly.", "Vessel Bay"),
        ("what is the capital of ardenia", "Vessel Bay"),
        ("WHAT IS THE CAPITAL OF ARDENIA?", "Vessel Bay"),
        ("Ardenia's capital?", "Vessel Bay"),
        ("How many people live in Ardenia?", "1,204,500"),
        ("How many inhabitants does Ardenia have?", "1,204,500"),
        ("Ardenia population", "1,204,500"),
        ("How big is Ardenia?", "20,300 sq km"),
        ("What is the land area of Ardenia?", "19,000 sq km"),
        ("How long do people in Ardenia live on average?", "79.3 years"),
        ("What is the life expectancy of women in Ardenia?", "81 years"),
        ("How high is the highest point of Ardenia?", "1,203 m"),
        ("What is the highest mountain in Ardenia?", "Mount Tolly 1,203 m"),
        ("What is Ardenia's GDP per capita?", "$15,400"),
        ("What was the GDP per capita of Ardenia in 2023?", "$15,100"),
        ("What does Ardenia export?", "salt, glass, wool"),
        ("What money do people use in Ardenia?", "Ardenian marks"),
        ("Which languages are spoken in Ardenia?", "Ardenian 81%, Bor 12%, other 7%"),
        ("When did Ardenia become independent?", "4 June 1951"),
        ("Who is the president of Ardenia?", "Ilse MARLOW"),
        ("Who leads Ardenia?", "President Ilse MARLOW"),
        ("What share of Ardenia's population uses the internet?", "77%"),
        ("How long is Ardenia's border with Cressia?", "41 km"),
        ("Is Vessel Bay the capital of Ardenia?", "yes"),
        ("Is Port Bor the capital of Ardenia?", "no"),
        ("Does Ardenia have a coastline?", "no"),
        ("What is the population of the Republic of Ardenia?", "1,204,500"),
        ("What is the population of Old Marsh?", "1,204,500"),
    ],
)
async def test_a_fact_is_told_with_its_value_and_its_source(question, short):
    reply = await told(question, BORLAND, ARDENIA)
    assert (reply.short_answer, reply.abstains) == (short, False)
    assert "[2]" in reply.text
    assert "[1]" not in reply.text


@pytest.mark.parametrize(
    "described",
    [
        "the country whose capital is Vessel Bay",
        "the country that has Vessel Bay as its capital",
        "the nation of which Vessel Bay is the capital",
        "the country with the capital Vessel Bay",
        "the state where the capital is Vessel Bay",
        "the country Vessel Bay is the capital of",
        "the country whose internet country code is .ax",
        "the country using .ax as its internet code",
        "the country whose highest point is Mount Tolly",
        "the country whose currency is the Ardenian mark",
        "the country led by President Ilse MARLOW",
        "the country that gained independence on 4 June 1951",
    ],
)
async def test_a_described_subject_is_recognised_and_both_steps_are_cited(described):
    reply = await told(f"What is the population of {described}?", BORLAND, ARDENIA)
    assert reply.short_answer == "1,204,500"
    assert reply.text.count("[2]") == 2


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Which country has Vessel Bay as its capital?", "Ardenia"),
        ("Vessel Bay is the capital of which country?", "Ardenia"),
        ("Which country's capital is Vessel Bay, and how many people live there?", "1,204,500"),
        ("Vessel Bay is the capital of a country. How big is it?", "20,300 sq km"),
        ("What money do they use in the country whose capital is Vessel Bay?", "Ardenian marks"),
    ],
)
async def test_a_description_may_be_the_question_or_its_first_half(question, short):
    assert (await told(question, BORLAND, ARDENIA)).short_answer == short


async def test_a_comparison_is_a_table_with_a_citation_in_every_cell():
    reply = await told("Compare the population and area of Ardenia and Borland.", ARDENIA, BORLAND)
    assert reply.text.splitlines() == [
        "|  | Population | Area |",
        "| --- | --- | --- |",
        "| Ardenia | 1,204,500 (2025 est.) [1] | 20,300 sq km [1] |",
        "| Borland | 9.4 million (2025 est.) [2] | 5,100 sq km [2] |",
    ]


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Which of Ardenia and Borland has the largest population?", "Borland"),
        ("Which is larger, Ardenia or Borland?", "Ardenia"),
        ("which has fewer people, ardenia or borland?", "ardenia"),
        ("Is Ardenia larger than Borland?", "yes"),
        ("Does Ardenia have more people than Borland?", "no"),
        ("Which has the highest point: Ardenia or Borland?", "Ardenia"),
        ("Rank Ardenia and Borland by GDP per capita from lowest to highest.", "Borland"),
    ],
)
async def test_an_order_is_computed_from_the_numbers_and_cites_all_of_them(question, short):
    reply = await told(question, ARDENIA, BORLAND)
    assert (reply.short_answer or "").casefold() == short.casefold()
    assert "[1]" in reply.text.splitlines()[-1]
    assert "[2]" in reply.text.splitlines()[-1]


async def test_a_name_with_and_in_it_is_one_subject_once_its_document_was_met():
    reply = await told("What is the population of the Cress and Dole Islands?", ISLES)
    assert reply.short_answer == "310"


async def test_what_is_missing_in_a_comparison_is_said_and_not_cited():
    reply = await told(
        "Compare the population of Ardenia, Borland and Nowhereland.", ARDENIA, BORLAND
    )
    assert "| Nowhereland | not found |" in reply.text
    assert not reply.abstains


@pytest.mark.parametrize(
    "question",
    [
        "What is the capital of Nowhereland?",
        "What is the population of North Ardenia?",
        "What is the dragon population of Ardenia?",
        "How many wizard schools does Ardenia have?",
        "What is the birth rate of Ardenia?",
        "What is the population density of Ardenia?",
        "What will the population of Ardenia be in 2060?",
        "What is the population of the country whose capital is Mudport?",
        "What is the population of the country whose capital is Mount Tolly?",
        "Who won the 2016 cup for Ardenia?",
        "How many people live in Vessel Bay?",
        "Compare the moon bases of Ardenia and Borland.",
        "",
        "???",
        "Wie ist das Wetter morgen?",
        "1234567890 " * 400,
        "\ud800 of \x00 [1] | ",
    ],
)
async def test_it_abstains_in_one_sentence_when_the_evidence_holds_no_answer(question):
    reply = await told(question, ARDENIA, BORLAND)
    assert reply.abstains
    assert reply.short_answer is None
    assert "[" not in reply.text.replace("[1]", "", question.count("[1]"))
    assert reply.text.endswith(".")


async def test_a_description_that_fits_several_names_them_all():
    twin = "Twinland", ARDENIA[1].replace("1,204,500", "77")
    reply = await told(
        "What is the population of the country whose capital is Vessel Bay?", ARDENIA, twin
    )
    assert "Ardenia" in reply.text
    assert "| Twinland | 77 (2025 est.) [2] |" in reply.text


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("When was Ada Marsh born?", "5 March 1931"),
        ("Who directed The Long Tide?", "Peter Holm"),
        ("Who wrote The Long Tide?", "Ruth Day"),
        ("How many minutes does The Long Tide run?", "96"),
    ],
)
async def test_prose_is_quoted_and_the_words_that_answer_are_picked(question, short):
    reply = await told(question, PROSE, FILM)
    assert reply.short_answer == short
    assert reply.text.endswith(("[1]", "[2]"))
    assert "“" in reply.text


async def test_a_sentence_about_another_subject_is_no_evidence():
    assert (await told("Who directed Silent Harbour?", PROSE, FILM)).abstains


def test_subjects_that_are_too_many_are_left_out_by_name():
    names = [f"{letter}orland" for letter in "ABCDEFGHIJKLMN"]
    asked = parse(f"Compare the population of {', '.join(names[:-1])} and {names[-1]}.")
    assert len(asked.subjects) == 12
    assert asked.left_out == ("Morland", "Norland")
    assert parse("Compare the population of Aorland and Borland.").left_out == ()
