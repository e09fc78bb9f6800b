import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widedeep.messages import Found, ToolOutput
from widedeep.retrieval import open_index
from widedeep.seams import Context, Tool
from widedeep.tools.corpus import corpus_tools
from widedeep.tools.keys import fold

CONTEXT = Context("run", "1.1", "key", 0.0)


@pytest.fixture
def tools(tmp_path) -> dict[str, Tool]:
    parts = [f"Chapter about topic{n}: " + f"word{n} " * 150 for n in range(40)]
    rows = [
        {"id": "long", "title": "A long book", "text": "\n\n".join(parts)},
        {"id": "short", "title": "Note", "text": "Algiers is a city.", "url": "https://a.org/n"},
    ]
    path = Path(tmp_path / "rows.jsonl")
    path.write_text("\n".join(json.dumps(row) for row in rows))
    index = open_index([path], tmp_path / "store")
    return {tool.spec.name: tool for tool in corpus_tools(index)}


async def call(tool: Tool, **arguments: object) -> ToolOutput:
    return await tool.call(tool.validate(arguments), CONTEXT)


async def test_search_gives_each_passage_as_a_source(tools):
    found = await call(tools["search_corpus"], query="Where is Algiers?")
    assert found == ToolOutput(
        sources=(Found("short", "Algiers is a city.", "passage", "Note", "https://a.org/n"),)
    )
    found = await call(tools["search_corpus"], query="chapter topic", k=3)
    assert [each.id for each in found.sources or ()] == ["long"] * 3


async def test_search_that_finds_nothing_says_so(tools):
    found = await call(tools["search_corpus"], query="xyzzy")
    assert found == ToolOutput("No passage found for 'xyzzy'.", sources=())


WITHOUT_DOCSTRINGS = """
import sys
from pathlib import Path
from widedeep.retrieval import open_index
from widedeep.tools.corpus import corpus_tools
tools = corpus_tools(open_index([sys.argv[1]], Path(sys.argv[2])))
print([tool.spec.description for tool in tools])
"""


def test_the_tools_say_what_they_do_where_python_leaves_docstrings_out(tools, tmp_path):
    paths = (str(tmp_path / "rows.jsonl"), str(tmp_path / "store"))
    command = [sys.executable, "-OO", "-c", WITHOUT_DOCSTRINGS, *paths]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == str([tool.spec.description for tool in tools.values()])
    assert all(tool.spec.description for tool in tools.values())


@pytest.mark.parametrize("k", [0, 21, "many"])
def test_search_takes_one_to_twenty_passages(tools, k):
    with pytest.raises(ValueError, match="k"):
        tools["search_corpus"].validate({"query": "x", "k": k})


async def test_search_refuses_an_empty_query(tools):
    with pytest.raises(ValueError, match="query is empty"):
        await call(tools["search_corpus"], query="  ")


def test_searches_that_ask_the_same_have_the_same_key(tools):
    search = tools["search_corpus"]
    key = search.key({"query": "Capital of  Algeria?", "k": 5})
    assert key == search.key({"k": 5, "query": "capital of algeria"})
    assert key != search.key({"query": "capital of algeria", "k": 6})
    assert (search.effects, search.order, search.deadline) == ("read", "any", 15.0)


async def test_a_short_document_is_read_whole(tools):
    found = await call(tools["read_document"], id="short")
    assert found.text == ""
    assert found.sources == (
        Found("short", "Algiers is a city.", "file", "Note", "https://a.org/n"),
    )


async def test_a_long_document_is_read_from_its_start_or_around_words(tools):
    start = await call(tools["read_document"], id="long")
    assert start.sources
    [source] = start.sources
    assert source.text.startswith("Chapter about topic0:")
    assert 900 < len(source.text.split()) <= 1500
    assert start.text.startswith("Passages 1 to ")

    around = await call(tools["read_document"], id="long", around="the TOPIC20 chapter")
    assert around.sources
    [source] = around.sources
    assert "topic20:" in source.text
    assert "topic0:" not in source.text


async def test_an_unknown_id_names_close_ones(tools):
    with pytest.raises(ValueError, match=r"no document has the id 'Note'.*'short' \(Note\)"):
        await call(tools["read_document"], id="Note")
    with pytest.raises(ValueError, match=r"shows it$"):
        await call(tools["read_document"], id="qqq")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Capital of  Algeria?", "capital of algeria"),
        ("GDP, Kenya.", "gdp kenya"),
        ('"Big  Apple" City', '"Big  Apple"   city!'),
    ],
)
def test_what_does_not_change_a_search_is_folded(one, other):
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [('"Big Apple"', '"big apple"'), ("3.5 m", "35 m"), ("C++", "C"), ("-5", "5")],
)
def test_what_changes_a_search_is_kept(one, other):
    assert fold(one) != fold(other)


@given(st.text(max_size=80))
def test_folding_is_done_after_once(query):
    assert fold(fold(query)) == fold(query)


@given(st.text("ab,.!? ", max_size=30))
def test_case_spaces_and_closing_marks_do_not_count(query):
    assert fold(query.upper().replace(" ", "  ") + " ?") == fold(query)
