"""A question without capitals is read with those that its names have in the sources."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widedeep.models.builtin.casing import recased
from widedeep.models.builtin.chains.page import page
from widedeep.models.builtin.chunks import chunks
from widedeep.models.builtin.clean import clean

TITLES = (
    "The Amber Lantern (film)",
    "Ruth Calder",
    "Prime minister",
    "Child",
    "Tide (song)",
    "Law",
)
PAGES = (
    page("The Amber Lantern (film)", "The Amber Lantern is a film directed by Ruth Calder."),
    page("Tide (song)", "Tide is a song by the Grey Herons. It was a hit as the tide of pop rose."),
)


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("who directed the amber lantern?", "who directed The Amber Lantern?"),
        ("where was ruth calder's child born?", "where was Ruth Calder's child born?"),
        ("who sang the song tide?", "who sang the song Tide?"),
        ("when did the tide rise?", "when did the tide rise?"),
        ("who is the father-in-law of ruth calder?", "who is the father-in-law of Ruth Calder?"),
        ("which members do the grey herons have?", "which members do the Grey Herons have?"),
        ("who is prime minister of the north?", "who is prime minister of the north?"),
        ("Who directed the amber Lantern?", "Who directed the amber Lantern?"),
    ],
)
def test_names_get_the_capitals_of_the_sources(asked: str, read: str) -> None:
    assert recased(asked, TITLES, PAGES) == read


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ("who is the sister of the singer of the song tide?", ["tide"]),
        ("where was ruth calder's brother born?", ["ruth calder"]),
        ("which is older, ruth calder or henry ii of anjou?", ["ruth calder", "henry ii of anjou"]),
        ("what river flows through the city where ida-may pell died?", ["ida-may pell"]),
        ("who wrote the film i never knew the sea?", ["i never knew the sea"]),
        ("are the film amber and the film tide from the same country?", ["amber", "tide"]),
        ("who is the mother of the singer of brother?", ["brother"]),
        ("how old is she?", []),
    ],
)
def test_grammar_tells_where_names_stand(asked: str, names: list[str]) -> None:
    assert [each.text for each in chunks(asked) if each.likely > 0.5] == names


@given(st.text(max_size=120), st.lists(st.text(max_size=30), max_size=4))
def test_recasing_changes_capitals_only(text: str, titles: list[str]) -> None:
    read = recased(text, titles, ())
    assert read == text or read.casefold() == clean(text).lower().casefold()


@given(st.text(max_size=200))
def test_chunks_lie_apart_within_the_text(text: str) -> None:
    found = sorted(chunks(text), key=lambda each: each.start)
    assert all(text[each.start : each.end] == each.text for each in found)
    assert all(one.end <= two.start for one, two in pairwise(found))
