import pytest

from widedeep import evidence
from widedeep.evidence import Novelty, Sources
from widedeep.messages import Found, LedgerEntry, Quote


def met(*texts, title=None):
    sources = Sources()
    for at, text in enumerate(texts, start=1):
        sources.meet(Found(f"doc{at}", text, title=title), turn=1)
    return sources


QUITO = (
    "Quito is the capital of Ecuador. Its population is 1,763,275 (2022). Founded 6 December 1534."
)


def test_a_source_met_again_keeps_its_number_and_grows():
    sources = Sources()
    first = sources.meet(Found("a", "one"), turn=1)
    assert (first.n, first.turn) == (1, 1)
    assert sources.meet(Found("b", "two"), turn=1).n == 2
    again = sources.meet(Found("a", "three"), turn=4)
    assert (again.n, again.turn, again.text) == (1, 1, "three")
    assert [source.text for source in sources.take_fresh()] == ["one", "two", "three"]
    assert sources.meet(Found("a", "one"), turn=5).n == 1
    assert sources.take_fresh() == ()
    assert [source.text for source in sources.all()] == ["one\nthree", "two"]


@pytest.mark.parametrize(
    ("claim", "verified"),
    [
        ("The population of Quito is 1763275 [1].", True),
        ("The population of Quito is 1.763275 million [1].", True),
        ("The population of Quito is 1,763,276 [1].", False),
        ("Quito was founded on 1534-12-06 [1].", True),
        ("Quito was founded on 7 December 1534 [1].", False),
        ("The population of Cuenca is 1,763,275 [1].", False),
        ("The city is the capital, with a population [1].", True),
        ("The weather is usually sunny and mild [1].", False),
        ('Its song is called "Hail!" [1].', False),
        ("| 1,763,275 [1] | 1,763,999 |", True),
        ("| 1,763,275 | 1,763,999 [1] |", False),
    ],
)
def test_a_claim_must_stand_in_its_source(claim, verified):
    (citation,), notes = evidence.check(claim, met(QUITO))
    assert citation.verified is verified
    assert notes == ()
    assert citation.quote in QUITO


def test_facts_may_be_spread_over_the_sources_but_each_must_hold_one():
    sources = met("Quito has 100 parks.", "Lima has 200 parks.", "Nothing of the kind.")
    both, _ = evidence.check("The city of Quito has 100 parks and Lima 200 [1][2].", sources)
    assert [citation.verified for citation in both] == [True, True]
    three, _ = evidence.check("The city of Quito has 100 parks and Lima 200 [1, 2, 3].", sources)
    assert [citation.verified for citation in three] == [True, True, False]


def test_the_title_of_a_source_counts_as_its_text():
    (citation,), _ = evidence.check(
        "In fact Peru has 34 regions [1].", met("34 regions", title="Peru")
    )
    assert citation.verified


def test_a_name_after_an_elision_is_found():
    (citation,), _ = evidence.check(
        "In Côte d’Ivoire it rains [1].", met("Cote d'Ivoire: it rains")
    )
    assert citation.verified


def test_a_number_that_no_source_has_is_named_and_not_cited():
    citations, notes = evidence.check(
        "Quito is a capital of Ecuador [1]. So is Lima [7].", met(QUITO)
    )
    assert [citation.n for citation in citations] == [1]
    assert notes == ("The answer cites [7], which no source has.",)


def test_one_unsupported_sentence_spoils_its_citation():
    (citation,), _ = evidence.check("It has 1,763,275 people [1]. It has 5 rivers [1].", met(QUITO))
    assert not citation.verified


def test_markdown_links_are_no_citations():
    assert evidence.cited("See [1](http://a) and [2], [3; 4].") == [2, 3, 4]


def test_kept_quotes_come_from_the_ledger_first_then_from_what_is_closest():
    sources = met("Bread is made of flour. Quito is a capital.", "Cats sleep. Quito has 42 parks.")
    quotes = evidence.kept("How many parks has Quito?", sources, ())
    assert [(quote.n, quote.text) for quote in quotes] == [
        (2, "Quito has 42 parks."),
        (1, "Quito is a capital."),
    ]
    entry = LedgerEntry("1", "parks", "supported", (Quote(2, "42 parks"),))
    assert evidence.kept("parks?", sources, [entry]) == [Quote(2, "42 parks")]


def test_three_stale_turns_in_a_row_end_the_search():
    novelty = Novelty()
    assert [novelty.turn(new=new) for new in (False, False, True, False, False, False)] == [
        False,
        False,
        False,
        False,
        False,
        True,
    ]


def test_only_added_or_changed_ledger_entries_are_new():
    novelty = Novelty()
    opened = LedgerEntry("1", "capital of Ecuador?")
    closed = LedgerEntry("1", "capital of Ecuador?", "supported")
    quoted = LedgerEntry("1", "capital of Ecuador?", "supported", (Quote(1, "Quito"),))
    assert novelty.changed([opened]) == ((opened,), 1)
    assert novelty.changed([opened]) == ((), 0)
    assert novelty.changed([closed]) == ((closed,), 0)
    assert novelty.changed([quoted]) == ((quoted,), 1)
    assert novelty.ledger == (quoted,)


@pytest.mark.parametrize(
    ("claim", "verified"),
    [
        ("The area of Peru is about 1.29 million sq km [1].", True),
        ("The area of Peru is about 1,290,000 sq km [1].", True),
        ("The area of Peru is 1,290,000 sq km [1].", False),
        ("Some say that Peru has 40 regions [1].", False),
        ("All about Peru: it has 40 regions [1].", False),
        ("The area of Peru is 1.27 million sq km [1].", False),
    ],
)
def test_a_rounded_number_must_say_so_and_round_to_the_source(claim, verified):
    sources = met("Peru has 36 regions. The area of Peru is 1,285,216 sq km.", title="Peru")
    (citation,), _ = evidence.check(claim, sources)
    assert citation.verified is verified


FILM = (
    "The Long Road is a 1940 American film. The film was directed by Ann Miller and later produced "
    "by Paul Wood for Grand Pictures in 1941. It stars Carl Gray, Dora Finch and Emil Hart."
)
LIFE = (
    "Ida Blum (6 May 1886 – 2 June 1975) was a German painter. Born in Kassel, she married the "
    "baker Otto Lang in 1910 and moved to Paris in 1920. She painted 70 portraits and sold 12 of "
    "them. Her brother Max Blum died in 1931."
)


@pytest.mark.parametrize(
    ("claim", "verified"),
    [
        ("The director of The Long Road is Ann Miller [1].", True),
        ("The director of The Long Road is Paul Wood [1].", False),
        ("Ann Miller directed The Long Road [1].", True),
        ("Paul Wood directed the film [1].", False),
        ("The film was produced by Paul Wood in 1941 [1].", True),
        ("The film was produced by Ann Miller in 1941 [1].", False),
        ("The release year of The Long Road is 1940 [1].", True),
        ("The release year of The Long Road is 1941 [1].", False),
        ("Emil Hart has a leading part in it, beside Carl Gray [1].", True),
        ("The film stars Paul Wood [1].", False),
    ],
)
def test_a_name_belongs_to_the_words_around_it(claim, verified):
    (citation,), _ = evidence.check(claim, met(FILM, title="The Long Road (film)"))
    assert citation.verified is verified


@pytest.mark.parametrize(
    ("claim", "verified"),
    [
        ("Ida Blum was born on 1886-05-06 [1].", True),
        ("Ida Blum was born on 2 June 1975 [1].", False),
        ("Ida Blum died in 1975 [1].", True),
        ("Ida Blum died in 1886 [1].", False),
        ("The birth place of Ida Blum is Kassel [1].", True),
        ("The birth place of Ida Blum is Paris [1].", False),
        ("The birth place of Ida Blum is May [1].", False),
        ("The death date of Ida Blum is 6 [1].", False),
        ("In 1910 Ida Blum became the wife of Otto Lang [1].", True),
        ("She moved to Paris in 1920, after her marriage to Otto Lang [1].", True),
        ("She moved to Paris in 1910 [1].", False),
        ("Ida Blum sold 12 portraits [1].", True),
        ("Ida Blum sold 70 portraits [1].", False),
        ("The painter Max Lang came from Kassel [1].", False),
        ("Blum, who was German, lived in Paris from 1920 [1].", True),
    ],
)
def test_a_date_or_number_belongs_to_the_words_around_it(claim, verified):
    (citation,), _ = evidence.check(claim, met(LIFE, title="Ida Blum"))
    assert citation.verified is verified


def test_of_two_sources_one_must_say_the_value_of_what_the_sentence_says_it_of():
    sources = met("Quito has 100 parks and 7 rivers.", "Lima has 200 parks and 9 rivers.")
    right, _ = evidence.check("Quito has 100 parks and Lima has 9 rivers [1][2].", sources)
    assert [citation.verified for citation in right] == [True, True]
    wrong, _ = evidence.check("Quito has 7 parks and Lima has 9 rivers [1][2].", sources)
    assert [citation.verified for citation in wrong] == [False, True]


@pytest.mark.parametrize(
    ("claim", "verified"),
    [
        ("The Legal system of Peru is Civil law [1].", True),
        ("The Legal system of Peru is Military [1].", False),
        ("The Growth rate of Peru is 1.5% [1].", True),
        ("The Growth rate of Peru is 2023 [1].", False),
    ],
)
def test_a_label_or_the_year_of_a_value_is_no_value(claim, verified):
    text = (
        "Legal system: Civil law\nMilitary expenditures: 1.2% of GDP\nGrowth rate: 1.5% (2023 est.)"
    )
    (citation,), _ = evidence.check(claim, met(text, title="Peru"))
    assert citation.verified is verified
