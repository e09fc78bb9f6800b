"""Does the policy read prose: rank sentences, follow roles, compare, and abstain?"""

import pytest

from widedeep.evidence import Sources, check
from widedeep.messages import Found
from widedeep.models.builtin.reading import passage, read
from widedeep.models.builtin.reading.telling import ledger, told

TEXTS = {
    "The Glass Orchard": "The Glass Orchard is a 1971 Belgian drama film directed by Ilse "
    "Vandeweghe and starring Piet Maes. Its music was composed by Jon Sundal.",
    "Quiet Ferry": "Quiet Ferry is a 1984 Norwegian comedy film directed by Odd Hagen.",
    "Ilse Vandeweghe": "Ilse Vandeweghe (4 March 1932 – 9 June 1990) was a Belgian film director. "
    "She was born in Kortrijk and died in Ghent.",
    "Odd Hagen": "Odd Hagen (born 2 May 1941) is a Norwegian director. He married Liv Strand.",
    "Jon Sundal": "Jon Sundal was a Norwegian composer, the son of Aksel Sundal and his wife "
    "Gerd. He taught in Bergen.",
    "Aksel Sundal": "Aksel Sundal was a shipowner. His father was Nils Sundal.",
    "Bergen": "Bergen is a city in Vestland county on the west coast of Norway. Its average "
    "rainfall is 88 inches. There are hotels in Bergen such as Fjord House, first opened in 1902.",
    "Port of Vestland": "In 2010 Odda handled 513,319 crates, followed by Bergen, with "
    "273,282 crates.",
    "Vera Moe": "Vera Moe is a violinist, the half-sister of Tor Lund.",
    "Slow Water": "Slow Water is a song by the singer Tor Lund.",
    "Lea Strand": "Lea Strand (born 1 June 1881 in Odda – d. 9 May 1961) was a teacher.",
}


def reading(question: str, without: str = ""):
    kept = [each for each in TEXTS.items() if each[0] != without]
    return read(question, [passage(n, *each) for n, each in enumerate(kept, start=1)])


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Where was the director of film The Glass Orchard born?", "Kortrijk"),
        ("What is the place of death of The Glass Orchard's director?", "Ghent"),
        ("When was the director of Quiet Ferry born?", "2 May 1941"),
        ("Who is Jon Sundal's paternal grandfather?", "Nils Sundal"),
        ("Who is the spouse of the director of Quiet Ferry?", "Liv Strand"),
        ("Which film came out first, The Glass Orchard or Quiet Ferry?", "The Glass Orchard"),
        ("Which film has the director who was born later, The Glass Orchard or Quiet Ferry?",
         "Quiet Ferry"),
        ("Are Odd Hagen and Jon Sundal of the same nationality?", "yes"),
        ("Are the directors of The Glass Orchard and Quiet Ferry from the same country?", "no"),
        ("In which county is the city where Jon Sundal taught?", "Vestland"),
        ("What is the average rainfall in the city where Jon Sundal taught?", "88 inches"),
        ("Which hotel is in the city where Jon Sundal taught?", "Fjord House"),
        ("How many crates were handled in 2010 in the city where Jon Sundal taught?", "273,282"),
        ("Who is the sibling of the performer of Slow Water?", "Vera Moe"),
        ("Who lived longer, Lea Strand or Ilse Vandeweghe?", "Lea Strand"),
    ],
)  # fmt: skip
def test_it_answers_from_prose(question, short):
    assert reading(question).short == short


def test_the_answer_is_cited_and_passes_the_check():
    sources = Sources()
    for title, text in TEXTS.items():
        sources.meet(Found(title, text, title=title), 1)
    answer = told(reading("Where was the director of film The Glass Orchard born?"), firm=True)
    citations, notes = check(answer.text, sources)
    assert not notes
    assert [citation.title for citation in citations] == ["The Glass Orchard", "Ilse Vandeweghe"]
    assert all(citation.verified for citation in citations)


def test_the_best_quotes_stand_first():
    question = "Where was the director of film The Glass Orchard born?"
    quotes = ledger(question, reading(question))[0].quotes
    assert "Kortrijk" in quotes[0].text
    assert len(quotes) <= 10


@pytest.mark.parametrize(
    ("question", "without"),
    [
        ("Where was the director of film The Glass Orchard born?", "The Glass Orchard"),
        ("Which film came out first, The Glass Orchard or Quiet Ferry?", "Quiet Ferry"),
        ("Who won the 1988 Nobel Prize in Physics?", ""),
    ],
)
def test_it_abstains_without_support(question, without):
    answer = told(reading(question, without), firm=True)
    assert answer.abstains
    assert answer.short is None


def test_what_is_not_firm_is_told_as_what_comes_closest():
    answer = told(reading("Where was the director of film The Glass Orchard born?"), firm=False)
    assert answer.abstains
    assert "do not clearly answer" in answer.text


def test_what_roles_lead_to_is_quoted_whatever_words_it_holds():
    quotes = reading("Where was the director of Quiet Ferry detained?").quotes
    assert any("Liv Strand" in each.text for each in quotes)
