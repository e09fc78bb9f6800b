"""What a passage without a title is about stands in its first sentence."""

from __future__ import annotations

import pytest

from widedeep.models.builtin.chains.page import page
from widedeep.models.builtin.reading import accounts, passage, read
from widedeep.models.builtin.reading.passage import names_at_start


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ruth Calder (born 3 May 1950) is a painter.", ("Ruth Calder",)),
        (
            "Otto II, Count of Ravel (1401 – 1460), was a soldier.",
            ("Otto II, Count of Ravel", "Otto II"),
        ),
        (
            'Ruth Ann "Rudi" Calder is a singer.',
            ('Ruth Ann "Rudi" Calder', "Rudi Calder", "Ruth Ann Calder"),
        ),
        (
            "Paul Orme (born 1970), better known by his stage name Big Tide, is a rapper.",
            ("Big Tide", "Paul Orme"),
        ),
        ("Pell Hall, also known as Tide House, is a manor.", ("Pell Hall", "Tide House")),
        ("Released in 1976, Amber Lane is a film.", ("Amber Lane",)),
        ("Calder independently invented the lamp.", ("Calder",)),
    ],
)
def test_names_at_the_start(text: str, names: tuple[str, ...]) -> None:
    assert names_at_start(text) == names


def test_a_passage_without_title_is_found_under_each_of_its_names() -> None:
    met = page("", "Otto II, Count of Ravel (1401 – 1460), was a soldier. He wed Ida.")
    assert frozenset(("otto", "ii")) in met.keys
    assert frozenset(("otto", "ii", "count", "ravel")) in met.keys
    assert met.title == "Otto II, Count of Ravel"


def test_only_passages_that_account_for_every_word_are_worth_a_closer_look() -> None:
    question = "Which lamp did the mother of Paul Orme invent?"
    first = passage(1, "Paul Orme", "Paul Orme is a rapper whose mother was Ruth Calder.")
    second = passage(2, "Ruth Calder", "Ruth Calder invented the Orme lamp in 1950.")
    assert not accounts(question, [first])
    assert accounts(question, [first, second])
    assert read(question, [first]).sure < 1.0
