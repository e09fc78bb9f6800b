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
