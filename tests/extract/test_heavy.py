"""Does a small file that is made to keep a parser busy still give its text?

Each is read in a process of its own: a step that is quadratic again takes far longer than the
limit, which no machine comes near otherwise.
"""

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widedeep.extract import extract, markup

READ = """
import json, sys
from widedeep.extract import extract
found = extract(sys.stdin.buffer.read(), name="page.html")
json.dump([found.text, found.title], sys.stdout)
"""
SECONDS = 60


def page(content: str, head: str = "") -> str:
    return f"<!doctype html><html><head>{head}</head><body>{content}<p>kept text</p></body></html>"


PAGES = {
    "blanks": page("<pre>" + " \t" * 200_000 + "x</pre>"),
    "titles": page("", "<title>" * 60_000),
    "cut titles": page("", "<title " * 60_000),
    "divisions": page("<div>" * 20_000),
    "closed divisions": page("<div>" * 20_000 + "</DIV>" * 20_000),
    "lists": page("<ul><li>a" * 20_000),
    "tables": page("<table><tr><td>a" * 20_000),
    "formatting": page("".join(f"<b id={n}>" for n in range(9_000)) + "<p>" * 20_000),
    "attributes": page(f"<div {' '.join(f'a{n}' for n in range(50_000))}>"),
    "joined attributes": page("<div " + "".join(f"a{n}='x'" for n in range(50_000)) + ">"),
    "cut tags": page("<a '\"" * 90_000),
    "paragraphs": page("<p>" * 100_000),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_small_page_does_not_keep_a_parser_busy(name: str):
    done = subprocess.run(
        [sys.executable, "-c", READ],
        input=PAGES[name].encode(),
        capture_output=True,
        check=True,
        timeout=SECONDS,
    )
    text, title = json.loads(done.stdout)
    assert "kept text" in text
    assert title is None


def test_a_front_matter_of_blanks_ends():
    text = f"---\ntitle: a{' ' * 200_000}b\n---\nwords"
    command = [sys.executable, "-c", READ]
    done = subprocess.run(
        command, input=text.encode(), capture_output=True, check=True, timeout=SECONDS
    )
    assert json.loads(done.stdout)[1].startswith("a ")


def test_a_deep_page_keeps_title_headings_and_items():
    found = extract(
        page(
            "<div>" * 2_000 + "<script>var x = '<p>no</p>'</script><h2>Tea <b>trade</b></h2>"
            "<!-- no --><ul><li>green &amp; <i>bl</i>ack\n  tea<li>white</ul>a<br>b",
            "<title>Tea</title>",
        ).encode()
    )
    assert found.title == "Tea"
    assert found.text.endswith("## Tea trade\n\n- green & black tea\n- white\na\nb\nkept text")
    assert "no" not in found.text


@pytest.mark.parametrize(
    "content",
    [
        '<img src="data:image/png;base64,' + "ab/c" * 50_000 + '">',
        "<p>old pages close<br>nothing<li>at all" * 3_000,
        "<table>" + "<tr><td>1<td>2" * 3_000,
        "<div><p>a <b>b</b></p></div>" * 5_000,
    ],
    ids=["picture", "unclosed", "rows", "long"],
)
def test_a_usual_page_is_parsed(content: str):
    assert not markup.is_heavy(page(content))


@given(st.text("<>/!-pdivscrt ='\"&;\n", max_size=200))
def test_any_text_is_taken_apart(text: str):
    markup.is_heavy(text)
    assert "<p>" not in markup.text(text)
