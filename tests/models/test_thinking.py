"""Is leaked thinking taken out of a text, wherever it is cut, and nothing else?"""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from widedeep.models.thinking import TAGS, Thinking, part
from widedeep.seams import Reasoning, Text


def streamed(pieces):
    """Return what is text and what is thinking of a text that came in pieces."""
    thinking = Thinking()
    deltas = [delta for piece in pieces for delta in thinking.feed(piece)] + thinking.end()
    assert all(delta.text for delta in deltas)
    return tuple(
        "".join(delta.text for delta in deltas if isinstance(delta, kind))
        for kind in (Text, Reasoning)
    )


@pytest.mark.parametrize(
    ("text", "answer", "reasoning"),
    [
        ("Quito.", "Quito.", None),
        ("", "", None),
        ("<think>Hm.</think>Quito.", "Quito.", "Hm."),
        ("<think>\nHm.\n</think>\n\nQuito.\n", "Quito.\n", "\nHm.\n"),
        ("\n <think>Hm.</think> Quito.", "\nQuito.", "Hm."),
        ("<think>\n\n</think>\n\nQuito.", "Quito.", None),
        ("<think>Hm, it is", "", "Hm, it is"),
        ("<think>a</think>\n<think>b</think>Quito.", "Quito.", "a\nb"),
        ("One.\n<think>Hm.</think>\nTwo.", "One.\nTwo.", "Hm."),
        ("<thinking>Hm.</thinking>Quito.", "Quito.", "Hm."),
        ("[THINK]Hm.[/THINK]Quito.", "Quito.", "Hm."),
        ("<think>a <think> b</think>Quito.", "Quito.", "a <think> b"),
        ("Okay, Quito it is.\n</think>\n\nQuito.", "Quito.", "Okay, Quito it is.\n"),
        ("Quito.</think>", "Quito.</think>", None),
        ("The tag <think> begins it, </think> ends it.",) * 2 + (None,),
        ("So:\n```\n<think>Hm.\n</think>\n```\nDone.",) * 2 + (None,),
        ("```\nx\n```\n<think>Hm.</think>Quito.", "```\nx\n```\nQuito.", "Hm."),
        ("a <b> [1] < 2\n<thin air>\n <",) * 2 + (None,),
    ],
)
def test_it_is_parted(text, answer, reasoning):
    assert part(text) == (answer, reasoning)
    if "\n</think>\n\n" not in text or "<think>" in text:
        assert streamed(text) == streamed([text])
        assert streamed(text)[0] == answer


MARKS = [mark for pair in TAGS for mark in pair]
TEXTS = st.lists(
    st.sampled_from([*MARKS, "\n", " ", "\t", "```", "~~~", "a", "<", "</", "<think", "[", "b c"]),
    max_size=14,
).map("".join)


@st.composite
def cut(draw):
    text = draw(TEXTS)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    ends = [*cuts, len(text)]
    return text, [text[a:b] for a, b in zip([0, *cuts], ends, strict=True)]


@given(cut())
@example(("<think>a</think>b", list("<think>a</think>b")))
def test_where_a_stream_is_cut_makes_no_difference(case):
    text, pieces = case
    assert "".join(pieces) == text
    assert streamed(pieces) == streamed([text])


@given(st.text(st.characters(exclude_characters="<["), max_size=80))
def test_a_text_without_tags_is_what_it_was(text):
    assert part(text) == (text, None)
    assert streamed(text) == (text, "")


@given(TEXTS)
def test_nothing_is_lost_but_tags_and_the_space_after_them(text):
    answer, reasoning = part(text)
    kept = answer + (reasoning or "")
    for mark in MARKS:
        text, kept = text.replace(mark, ""), kept.replace(mark, "")
    assert sorted("".join(kept.split())) == sorted("".join(text.split()))


def test_text_is_passed_on_as_soon_as_it_can_be():
    thinking = Thinking()
    assert thinking.feed("Qui") == [Text("Qui")]
    assert thinking.feed("to <thi") == [Text("to <thi")]
    assert thinking.feed("nk>\n<th") == [Text("nk>\n")]
    assert thinking.feed("ink>Hm.</") == [Reasoning("Hm.")]
    assert thinking.feed("think>\n\n") == []
    assert thinking.feed(" Done") == [Text("Done")]
    assert thinking.end() == []
