import pytest

from widedeep.retrieval import render


def test_nested_json_reads_as_sections_of_facts():
    value = {
        "code": "ag",
        "Government": {
            "Capital": {"name": {"text": "Algiers"}, "time": {"text": "UTC+1"}},
            "Suffrage": {"text": "18 years"},
        },
        "Economy": {
            "Real GDP": {"Real GDP 2024": {"text": "$1"}, "note": "<b>note:</b> in 2021 $"}
        },
    }
    assert render.lines(value) == (
        "code: ag\n\n"
        "## Government\nCapital, name: Algiers\nCapital, time: UTC+1\nSuffrage: 18 years\n\n"
        "## Economy\nReal GDP 2024: $1\nReal GDP, note: in 2021 $"
    )


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ({"Area": {"total ": 5}}, "Area, total: 5"),
        ({"Languages": {"Languages": "Arabic"}}, "Languages: Arabic"),
        ({"Use": {"land: arable": "arable: 3%"}}, "Use, land, arable: 3%"),
        ({"tags": ["a", "b", None]}, "tags: a; b"),
        ({"open": True, "none": None, "empty": ""}, "open: yes"),
        ({"x": "a<br>b<br><br>c."}, "x: a; b; c."),
        ({"x": "<p>One.</p> <p>Two.</p>"}, "x: One. Two."),
        ({"x": "S&eacute;n&eacute;gal &lt;1%"}, "x: Sénégal <1%"),
        ({"x": "5 < 6 and a <b and c> d"}, "x: 5 < 6 and a <b and c> d"),
        ({"x": "http://a.org/?a=1&copy=2"}, "x: http://a.org/?a=1&copy=2"),
        ({"x": "10<sup>6</sup> m"}, "x: 10^6 m"),
        ({"x": "a\ud800b\x00c"}, "x: a\ufffdbc"),
    ],
)
def test_a_fact_is_one_readable_line(value, line):
    assert render.lines(value) == line


def test_items_of_a_list_are_called_by_their_names():
    value = {"cities": [{"name": "Oran", "people": 9}, {"people": 3}]}
    assert render.lines(value) == ("## cities\nOran, name: Oran\nOran, people: 9\n2, people: 3")


def test_the_first_colon_of_a_line_ends_its_label():
    text = render.lines({"a: b": {"c: d": {"e": "f: g"}}})
    assert text == "## a: b\nc, d, e: f: g"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a<!-- no --> b<!---->", "a b"),
        ("a <!-- b", "a <!-- b"),
        ('<a href="x=y" id=1>link</a>', "link"),
        ("<p >one</p >two<b/>", "one; two"),
        ("x <a y", "x <a y"),
        ("<!--" * 100_000, "<!--" * 100_000),
        ("<a " + "=" * 50_000, "<a " + "=" * 50_000),
    ],
)
def test_tags_and_comments_of_a_value_are_left_out(value, expected):
    assert render.one_line(value) == expected
