import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widedeep.extract.charset import clean, decode

FRENCH = "Le naïf élève à Québec déjeune : où ça ? Très près de la forêt."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1"])
def test_text_is_read_in_the_encoding_it_is_in(encoding):
    assert decode(FRENCH.encode(encoding)) == FRENCH


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark_is_told_by_its_zeros(encoding):
    assert decode("plain English words, no mark".encode(encoding)) == "plain English words, no mark"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Grüße – “quoted” und noch mehr Wörter für alle", "cp1252"),
        ("Привет мир, как твои дела сегодня вечером", "cp1251"),
        ("日本語のテキストです。東京都に住んでいます。", "shift_jis"),
    ],
)
def test_other_encodings_are_told_by_statistics(text, encoding):
    assert decode(text.encode(encoding)) == text


def test_html_may_say_its_encoding_itself():
    page = "<meta charset='iso-8859-2'><p>Łódź</p>"
    assert "Łódź" in decode(page.encode("iso-8859-2"), html=True)


def test_one_damaged_place_does_not_change_the_encoding_of_the_rest():
    damaged = "日本語のテキスト".encode() + b"\xff" + "東京".encode() * 20
    assert decode(damaged).startswith("日本語のテキスト")


def test_a_text_cut_within_a_character_stays_utf8():
    assert decode("ab é".encode()[:-1]) == "ab \ufffd"


@pytest.mark.parametrize(
    ("dirty", "expected"),
    [
        ("a\x00b", "ab"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("\ud83d\ude00", "\U0001f600"),
        ("x\ud800y", "x\ufffdy"),
        ("tab\tstays", "tab\tstays"),
    ],
)
def test_what_cannot_be_stored_is_cleaned(dirty, expected):
    assert clean(dirty) == expected


@given(st.binary(max_size=300))
def test_any_bytes_give_text_that_can_be_stored(data):
    decode(data).encode("utf-8")
    assert "\x00" not in decode(data)


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cn", "Cs"]), min_size=4))
def test_utf8_comes_back_as_it_was(text):
    assert decode(codecs.BOM_UTF8 + text.encode()) == text
