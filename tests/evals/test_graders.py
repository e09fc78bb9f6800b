"""Do the graders count as SQuAD and HotpotQA do, and only what the run really read?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evals.made import SAMPLE, answer, source

from widedeep.evals.graders import exact, f1, grade, holds, is_open, normal, quoted, recall
from widedeep.evals.tasks import Sample


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("The Beatles", "beatles"),
        ("  An  U.S. Navy\tpilot! ", "us navy pilot"),
        ("anthem of a theatre", "anthem of theatre"),
        ("273,282", "273282"),
        ("State – Chester", "state – chester"),
        ("", ""),
    ],
)
def test_normalisation_is_squads(text, plain):
    assert normal(text) == plain


@pytest.mark.parametrize(
    ("given_", "answers", "em", "overlap"),
    [
        ("the Ada Byron.", ["Ada Byron"], 1, 1),
        ("Byron", ["Ada Byron", "A. Byron"], 1, 1),  # "A." is an article once its dot is gone
        ("Ada Lovelace Byron", ["Ada Byron"], 0, 0.8),
        ("new new york", ["new york"], 0, 0.8),
        ("Paris", ["London"], 0, 0),
        ("yes", ["yes"], 1, 1),
        ("yes it is", ["yes"], 0, 0),
        ("no", ["yes"], 0, 0),
        ("yes", ["yes sir"], 0, 0),
        (None, ["yes"], 0, 0),
        ("", ["Ada"], 0, 0),
    ],
)
def test_exact_match_and_f1(given_, answers, em, overlap):
    assert exact(given_, answers) == em
    assert f1(given_, answers) == pytest.approx(overlap)


@given(st.text(max_size=30), st.text(max_size=30))
def test_f1_is_symmetric_within_bounds_and_no_less_than_exact_match(one, other):
    found = f1(one, [other])
    assert 0 <= exact(one, [other]) <= found <= 1
    assert found == pytest.approx(f1(other, [one]))


def test_recall_counts_documents_not_passages():
    assert recall(["d1", "d1", "x"], ["d1", "d2"]) == 0.5
    assert recall(["x"], []) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [("It was Ada Byron's work", False), ("by Ada  byron, 1843", True), ("Adabyron", False)],
)
def test_an_answer_stands_in_a_text_word_by_word(text, found):
    assert holds([text], ["Ada Byron"]) is found


@pytest.mark.parametrize(
    ("question", "answers", "is_it"),
    [
        ("Who was born later, Ada Byron or Al?", ("Ada Byron",), False),
        ("Is it red?", ("yes",), False),
        ("Who was it?", ("Ada Byron",), True),
    ],
)
def test_open_questions_do_not_hold_their_answer(question, answers, is_it):
    assert is_open(Sample("q", question, answers)) is is_it


def test_quotes_count_as_sentences_that_were_read_and_are_no_titles():
    read = "Ada Byron. She wrote it. The film is old."
    given_ = answer(
        sources=[source(1, "d1", read, title="Ada Byron")],
        quotes=[
            (1, "Ada Byron. She wrote it."),
            (1, "Ada Byron made it up."),
            (2, "The film is old."),
            (1, "The film is old. She wrote it."),
        ],
    )
    assert quoted(given_) == ["She wrote it.", "", "", "The film is old."]
    assert quoted(given_, most_words=4) == ["She wrote it."]


def test_without_quotes_those_of_the_citations_count():
    given_ = answer(sources=[source(1, "d1", "She wrote it.")], citations=[(1, "She wrote it.")])
    assert quoted(given_) == ["She wrote it."]


def test_an_answer_is_graded():
    text = "One. Two. Three. Ada Byron directed it."
    scores = grade(
        SAMPLE,
        answer("Ada Byron", sources=[source(1, "d1", text)], quotes=[(1, text)]),
    )
    assert (scores.exact, scores.f1, scores.recall, scores.all_found) == (1, 1, 0.5, 0)
    assert (scores.ev3, scores.ev10, scores.abstained, scores.open) == (0, 1, False, True)


def test_where_there_is_nothing_to_find_only_abstaining_counts():
    nothing = Sample("q", "Who?", (), answerable=False)
    scores = grade(nothing, answer(status="no_evidence"))
    assert (scores.exact, scores.f1, scores.recall, scores.ev3) == (None, None, None, None)
    assert scores.abstained


def test_yes_or_no_stands_in_no_sentence():
    scores = grade(Sample("q", "Is it?", ("no",)), answer("no"))
    assert (scores.exact, scores.ev3, scores.ev10, scores.open) == (1, None, None, False)
