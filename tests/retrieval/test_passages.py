import pytest
from hypothesis import given
from hypothesis import strategies as st

from widedeep.retrieval.passages import WORDS, size, split

SENTENCE = "The river runs to the sea in spring."


def words(text: str) -> list[str]:
    return [word for line in text.splitlines() if not line.startswith("#") for word in line.split()]


def test_a_short_text_is_one_passage():
    assert list(split("one line\n\nand one more")) == ["one line\n\nand one more"]


def test_an_empty_text_has_none():
    assert list(split(" \n\n ")) == []


def test_passages_end_between_paragraphs():
    paragraph = " ".join(["word"] * 150)
    found = list(split("\n\n".join([paragraph] * 5)))
    assert [size(each) for each in found] == [300, 300, 150]


def test_a_line_that_fits_is_never_cut():
    lines = [f"Label {number}:" + " value" * (number % 60) for number in range(200)]
    found = list(split("\n".join(lines)))
    assert [line for each in found for line in each.splitlines()] == lines


def test_a_heading_stands_at_the_top_of_every_passage_of_its_section():
    text = "# Land\nintro\n\n## Rivers\n" + "\n\n".join([SENTENCE * 12] * 10) + "\n\n## Lakes\nfew"
    found = list(split(text))
    assert len(found) > 2
    assert all(each.startswith("# Land") for each in found)
    assert [each.splitlines()[1] for each in found[1:-1]] == ["## Rivers"] * (len(found) - 2)
    assert "## Lakes\nfew" in found[-1]


def test_small_sections_share_a_passage():
    text = "\n\n".join(f"## Part {number}\na few words here" for number in range(5))
    assert len(list(split(text))) == 1


def test_a_comment_in_a_fenced_block_is_no_heading():
    text = "## Run\n```\n\n# a comment\nmake\n```\n" + "\n\n".join([SENTENCE * 15] * 8)
    assert all("# a comment" not in each for each in list(split(text))[1:])


def test_a_long_paragraph_is_cut_between_sentences():
    found = list(split(" ".join([SENTENCE] * 200)))
    assert len(found) > 3
    assert all(each.startswith("The river") and each.endswith("spring.") for each in found)


@pytest.mark.parametrize("text", ["東京は日本の首都です。" * 300, "x" * 20_000, "ไทย" * 3000])
def test_text_without_spaces_is_cut_too(text):
    found = list(split(text))
    assert len(found) > 3
    assert "".join(found) == text
    assert all(size(each) <= WORDS for each in found)


TEXTS = st.lists(
    st.one_of(
        st.just(""),
        st.integers(1, 90).map(lambda count: " ".join(["lake"] * count)),
        st.sampled_from(["# Top", "## Part", "### Detail", "```", SENTENCE, SENTENCE * 9]),
        st.text("ab .。東\t", max_size=60),
    ),
    max_size=40,
).map("\n".join)


@given(TEXTS, st.integers(20, 120))
def test_passages_hold_all_words_in_order_within_their_limit(text, limit):
    found = list(split(text, limit))
    kept = "".join(word for each in found for word in words(each))
    assert kept == "".join(words(text))
    assert all(size(each) <= limit and each.strip() for each in found)


def test_blanks_of_any_number_do_not_fill_passages():
    assert " ".join(split("one" + " " * 2_000_000 + "two")).split() == ["one", "two"]
