"""Are facts of lines and prose read as a careful reader would, and doubtful ones left alone?"""

import pytest
from tests.evals.synth_corpora import planets, prose

from widedeep.evals.synth import labels, lives, values
from widedeep.evals.synth.known import known
from widedeep.evals.synth.source import read
from widedeep.retrieval import open_index


def facts(path, tmp_path):
    """Return what is known of a corpus: (title, relation) -> value."""
    learnt = known(read(open_index((path,), tmp_path / "store")))
    entries = learnt.source.entries
    return {(entries[f.entry].title, f.relation.noun): f for f in learnt.facts}


@pytest.fixture
def told(tmp_path):
    return facts(prose(tmp_path / "prose"), tmp_path)


@pytest.mark.parametrize(
    ("title", "noun", "value"),
    [
        ("Oren Dalvik", "date of birth", "12 March 1921"),
        ("Oren Dalvik", "place of birth", "Pellin"),
        ("Oren Dalvik", "date of death", "4 May 1999"),
        ("Oren Dalvik", "nationality", "Norwegian"),
        ("Oren Dalvik", "place of education", "Harbour College"),
        ("Oren Dalvik", "spouse", "Mira Solheim"),
        ("Mira Solheim", "place of birth", "Tarsk, Norway"),
        ("Pia Lundqvar", "place of death", "Aarby, Denmark"),
        ("The Glass Ferry", "director", "Oren Dalvik"),
        ("The Glass Ferry", "star", "Mira Solheim"),
        ("The Glass Ferry", "year of release", "1958"),
        ("The Glass Ferry", "work that it is based on", "Slow Water"),
        ("Kesti Works", "founder", "Aino Kestila"),
        ("Kesti Works", "year of foundation", "1931"),
        ("Kesti Works", "headquarters", "Oulunmaa, Finland"),
        ("Velna, Norr County", "population", "4,210"),
        ("Duke Albin of Harn", "father", "Otto III, Duke of Harn"),
        ("Duke Albin of Harn", "mother", "Countess Ida of Brell"),
        ("Duke Albin of Harn", "year of birth", "1801"),
        ("Emil Taver", "year of birth", "1950"),
    ],
)
def test_prose_states(told, title, noun, value):
    assert told[title, noun].value.text == value


def test_what_is_doubtful_in_prose_is_no_fact(told):
    stated = set(told)
    assert ("Winter Post", "director") not in stated  # there are two
    assert not [title for title, _ in stated if title.startswith(("Salt Road", "Harrow"))]
    assert ("Jonas Ekvall", "place of birth") not in stated
    assert ("Slow Tide", "writer") not in stated  # only one of the writers is named
    assert ("Slow Tide", "producer") not in stated
    assert ("Cold Belle", "performer") not in stated  # a country is named, and then the singer
    assert ("Hot Belle", "performer") not in stated
    assert told["Warm Belle", "performer"].value.text == "Ida Kjeld"
    assert told["Halvor Strand", "nationality"].subject == "Halvor Strand"  # he is no film
    assert ("Princess Ulla of Harn", "place of birth") not in stated  # another one is spoken of


def test_values_lead_to_the_documents_they_name(told):
    assert told["The Glass Ferry", "director"].target == "p0"
    assert told["Duke Albin of Harn", "father"].target == "p15"
    assert told["Kesti Works", "founder"].target is None


def test_lines_state(tmp_path):
    stated = facts(planets(tmp_path / "planets"), tmp_path)
    assert stated["Aster", "capital"].value.text == "Quill"
    assert stated["Aster", "total area"].value.amount == 812
    assert "812" in stated["Aster", "total area"].value.aliases
    assert stated["Brom", "largest export partner"].target == "corin"
    assert ("Corin", "largest export partner") not in stated  # two have the same share
    assert ("Brom", "mean temperature") not in stated
    assert not [noun for _, noun in stated if "label" in noun or "tymology" in noun]


@pytest.mark.parametrize(
    ("label", "noun"),
    [
        ("Capital, name", "capital"),
        ("Population, total", "total population"),
        ("Median age, total", "overall median age"),
        ("Coal, imports", "coal imports"),
        ("Elevation, highest point", "highest point"),
        ("Legislative branch, number of seats", "number of seats of the legislative branch"),
        ("National anthem(s), title", "title of the national anthem"),
        ("Exports - partners", "export partners"),
        ("Real GDP growth rate 2022", "real GDP growth rate"),
        ("Dependency ratios, total dependency ratio", "total dependency ratio"),
        ("Odd/label", None),
        ("Area, note", None),
        ("a, b, c, d", None),
        ("Literacy, total population", None),
    ],
)
def test_labels_read_as_english_or_are_left_out(label, noun):
    found = labels.phrase(label)
    assert (found.noun if found else None) == noun


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("5,563,649 (2024 est.)", "5,563,649", "number"),
        ("-$1.5 billion (2023 est.)", "-$1.5 billion", "number"),
        ("9 July 1816 (from Spain)", "9 July 1816", "date"),
        ("Pico Alto (High Peak) 5,110 m", "Pico Alto", "name"),
        ("parliamentary republic", "parliamentary republic", "text"),
        ("NA", None, None),
        ("none", None, None),
        ("lions; tigers; note: and bears", None, None),
        ("<b>bold</b>", None, None),
        ("16th-century sailing ship", None, None),
        ("45 July 1999", None, None),
    ],
)
def test_values_are_cleaned_or_left_out(text, value, kind):
    found = values.parsed(text)
    assert ((found.text, found.kind) if found else (None, None)) == (value, kind)


def test_amounts_can_be_compared():
    small, large = values.parsed("-$1.5 billion"), values.parsed("$2 million")
    assert small is not None
    assert large is not None
    assert small.unit == large.unit
    assert (small.amount or 0) < (large.amount or 0)
    early, late = values.day("31 December 1899"), values.day("January 1, 1900")
    assert early is not None
    assert late is not None
    assert (early.amount or 0) < (late.amount or 0)


@pytest.mark.parametrize(
    ("brackets", "found"),
    [
        ("born 5 May 1901", {"birth date": "5 May 1901"}),
        ("born May 5, 1901 in Lyon", {"birth date": "May 5, 1901", "birth place": "Lyon"}),
        ("1901 – 1980", {"birth year": "1901", "death year": "1980"}),
        (
            "5 May 1901, Lyon - 7 June 1980, Paris",
            {
                "birth date": "5 May 1901",
                "birth place": "Lyon",
                "death date": "7 June 1980",
                "death place": "Paris",
            },
        ),
        ("c. 1450 – 1500", {}),
        ("born 1901 or 1902", {}),
        ("reigned 1900 – 1910", {}),
    ],
)
def test_brackets_tell_a_life(brackets, found):
    assert dict(lives.facts(brackets)) == found
