import gzip

import pytest
from tests.data import data

from widedeep.extract import Unreadable, extract

PAGE = """<!doctype html><html><head><title>Tea &amp; trade</title>
<script>var x = 1;</script></head>
<body><nav><a href="/">Home</a></nav><article><h1>History of tea</h1>
<p>Tea reached <b>Europe</b> in 1610, when x &lt; y. {filler}</p>
<h2>Trade</h2><ul><li>green</li><li>black</li></ul>
<table><tr><td>Kenya</td><td>570</td></tr></table></article></body></html>"""


def page(filler: str = "It came by ship. " * 30) -> bytes:
    return PAGE.format(filler=filler).encode()


def test_a_page_gives_its_title_headings_and_text():
    found = extract(page())
    assert (found.kind, found.title) == ("html", "Tea & trade")
    assert "# History of tea\n" in found.text
    assert "## Trade" in found.text
    assert "Tea reached Europe in 1610, when x < y." in found.text
    assert "Kenya | 570" in found.text
    assert "var x" not in found.text


def test_menus_are_left_out_of_a_page_and_kept_where_wanted():
    assert "Home" not in extract(page()).text
    assert "Home" in extract(page(), main_content=False).text


def test_a_page_of_few_words_is_not_lost_with_its_menus():
    found = extract(b"<html><body><div class='menu'>Opening hours: 9 to 5</div></body></html>")
    assert found.text == "Opening hours: 9 to 5"


def test_the_kind_is_that_of_the_content_not_of_the_name():
    assert extract(page(), name="notes.txt").kind == "html"
    assert extract(b"only words", name="page.html").kind == "text"


def test_a_fragment_is_html_by_its_name_only():
    assert extract(b"<p>one</p><p>two</p>", name="part.html").kind == "html"
    assert extract(b"<p align=center>\n\n# A project\n", name="README.md").kind == "text"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Lakes\n\nwater", "Lakes"),
        ("intro\n\n## Rivers ##\n", "Rivers"),
        ("Seas\n====\nsalt", "Seas"),
        ("---\ntitle: 'Ponds'\n---\n# Other", "Ponds"),
        ("no heading here", None),
    ],
)
def test_a_text_names_itself(text, title):
    assert extract(text.encode()).title == title


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b" \n\t", "empty"),
        (b"PK\x03\x04rest", "zip"),
        (b"\x89PNG\r\n\x1a\n", "image"),
        (b"abc\x00\x01\x02\x03" * 99, "binary"),
        (bytes(range(256)) * 20, "binary"),
        (b"%PDF-1.7 nothing more", "damaged PDF"),
        (b"<html><body></body></html>", "without text"),
    ],
)
def test_what_holds_no_text_is_refused_with_the_reason(content, reason):
    with pytest.raises(Unreadable, match=reason):
        extract(content)


def test_a_pdf_gives_its_pages():
    found = extract((data("pdf_samples") / "pdflatex-4-pages.pdf").read_bytes())
    assert found.kind == "pdf"
    assert len(found.text.split()) > 1500


def test_a_pdf_may_name_itself():
    found = extract((data("pdf_samples") / "habibi.pdf").read_bytes(), name="x.txt")
    assert found.title == "habibi"


def test_an_encrypted_pdf_says_so():
    with pytest.raises(Unreadable, match="encrypted"):
        extract((data("pdf_samples") / "libreoffice-writer-password.pdf").read_bytes())


@pytest.mark.parametrize("share", [2, 3, 10])
def test_a_cut_pdf_is_damaged_or_still_readable_but_no_crash(share):
    whole = (data("pdf_samples") / "multicolumn.pdf").read_bytes()
    try:
        reason = extract(whole[: len(whole) // share]).kind
    except Unreadable as error:
        reason = str(error)
    assert "pdf" in reason.lower()


def test_real_articles_keep_most_of_their_words():
    folder = data("html_articles") / "html"
    pages = sorted(folder.glob("*.html.gz"))[:20]
    found = [extract(gzip.decompress(each.read_bytes())) for each in pages]
    assert all(each.kind == "html" and each.title for each in found)
    assert sorted(len(each.text) for each in found)[len(found) // 2] > 1500
