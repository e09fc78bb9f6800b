"""Has text of models and pages no power over a terminal?"""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widedeep.report.inert import inert, one_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("a\x1b]0;title\x07b", "ab"),
        ("a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "alink"),
        ("a\x9b2Jb", "ab"),
        ("a\x1b]never ended", "anever ended"),
        ("a\x1bcb", "ab"),
        ("a\x08\x7f\x00b", "ab"),
        ("abc\u202edef\u2066ghi\u200fj\ufeff", "abcdefghij"),
        ("hidden\U000e0041\U000e0042", "hidden"),
        ("one\r\ntwo\rthree\u2028four", "one\ntwo\nthree\nfour"),
        ("lone \ud800 half", "lone \ufffd half"),
        ("[red]markup[/red] stays", "[red]markup[/red] stays"),
        (
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        ),
    ],
)
def test_what_acts_on_a_terminal_is_taken_out(text: str, shown: str):
    assert inert(text) == shown


@given(st.text(st.characters(codec=None), max_size=60))
def test_nothing_that_acts_is_left(text: str):
    left = inert(text)
    assert not {unicodedata.category(each) for each in left.replace("\n", "").replace("\t", "")} & {
        "Cc",
        "Cs",
    }
    assert inert(left) == left
    assert "\n" not in one_line(text)


def test_long_lines_are_cut():
    assert one_line("a b\n c", 20) == "a b c"
    assert one_line("abcdefghij", 5) == "abcd…"
