import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widedeep import text


@pytest.mark.parametrize(
    ("written", "numbers"),
    [
        ("47,735,685 people", {"47735685"}),
        ("1,234.50 and 1234.5", {"1234.5"}),
        ("2.9 million or 2,900,000", {"2900000"}),
        ("-40 m, 2002-2004", {"-40", "2002", "2004"}),
        ("007 and 0.50", {"7", "0.5"}),
        ("$722.912 billion", {"722912000000"}),
        ("1 234 567 apart, 12\u202f500 together", {"1", "234", "567", "12500"}),
        ("no number", set()),
    ],
)
def test_a_number_has_one_form(written, numbers):
    assert text.numbers(written) == numbers


@pytest.mark.parametrize(
    "written", ["4 July 1776", "July 4, 1776", "1776-07-04", "4th of Jul. 1776"]
)
def test_a_day_has_one_form(written):
    assert text.dates(f"on {written} it was") == {(1776, 7, 4)}
    assert not text.numbers(text.without_dates(written))


@pytest.mark.parametrize(
    ("written", "sentences"),
    [
        ("Dr. A. Smith left in 1999. He came back [1]. Why?", 3),
        ("One [1] two. [2] Three", 2),
        ("Foo is 5. [1; 2] Bar is 6. [3, 4]", 2),
        ('The song "Hail, O Land!" [1]. It is old [2].', 2),
        ("A line\nanother line\n\n", 2),
        ("日本は島国です。東京は首都です。", 2),
        ("", 0),
    ],
)
def test_sentences(written, sentences):
    assert len(text.sentences(written)) == sentences


def test_names_are_capitalised_words_past_the_first():
    assert text.names("The river Seine does not flow in New York.") == {"seine", "new", "york"}
    assert text.names("Paris is nice") == set()
    assert text.names("It made 5 kWh for the iTaukei") == set()
    assert text.names("Addis Ababa is high") == {"addis", "ababa"}


@given(st.text())
def test_nothing_that_is_text_breaks_it(written):
    for function in (
        text.fold,
        text.words,
        text.content_words,
        text.numbers,
        text.names,
        text.dates,
        text.sentences,
    ):
        function(written)


@given(st.integers(0, 10**15))
def test_grouping_does_not_matter(number):
    assert text.numbers(f"{number:,}") == text.numbers(str(number)) == {str(number)}


@given(st.lists(st.text(alphabet=st.characters(categories=["L"]), min_size=1), min_size=1))
def test_sentences_lose_no_word(words):
    written = ". ".join(words)
    assert " ".join(text.sentences(written)).split() == written.split()


def test_long_texts_are_not_kept_in_memory():
    tracemalloc.start()
    for number in range(30):
        text.fold(f"{number} " * 50_000)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 1_000_000
