"""What is the text of an HTML page, with its headings kept?"""

from __future__ import annotations

import html as entities
import re

from widedeep.extract import markup
from widedeep.extract.types import Extracted, Unreadable

_HEADING = re.compile(r"<h([1-6])>(.*?)</h\1>", re.DOTALL)
_ITEM = re.compile(r"(?<![ \t])[ \t]*<li>\s*")
_BREAK = re.compile(r"<br ?/?>")
_TAGS = re.compile(r"</?(?:p|ul|ol|li|pre|a|h[1-6])(?:\s[^<>]*)?/?>")
_TITLE = re.compile(r"<title(?:\s[^<>]*)?>", re.IGNORECASE)
_TITLE_END = re.compile(r"</title", re.IGNORECASE)
_LONGEST_TITLE = 2_000
_CELLS = re.compile(r"\t+")
_SPACES = re.compile(r"[ \xa0]{2,}")
_EMPTY = re.compile(r"\n{3,}")
_SHORT = 200


def read(page: str, *, main_content: bool = True) -> Extracted:
    """Return the page's text: headings as `#` lines, items as `- ` lines, table cells with ` | `.

    Of a page that would take a parser very long the whole text is taken as it stands.

    Args:
        page: the HTML.
        main_content: leave menus and the like out, unless hardly anything would be left.

    Raises:
        Unreadable: nothing on the page is visible text.
    """
    heavy = markup.is_heavy(page)
    text = markup.text(page) if heavy else _text(page, main_content=main_content)
    if main_content and not heavy and len(text) < _SHORT:
        text = _text(page, main_content=False)
    if not text:
        raise Unreadable("is a page without text")
    return Extracted("html", text, _title(page) or _first_heading(text))


def _text(page: str, *, main_content: bool) -> str:
    from resiliparse.extract.html2text import extract_plain_text  # pyright: ignore[reportMissingModuleSource]

    marked = extract_plain_text(
        page, preserve_formatting="minimal_html", main_content=main_content, alt_texts=False
    )
    marked = _HEADING.sub(lambda match: f"\n\n{'#' * int(match[1])} {_flat(match[2])}\n\n", marked)
    marked = _BREAK.sub("\n", _ITEM.sub("- ", marked))
    text = entities.unescape(_TAGS.sub("", marked))
    lines = (_SPACES.sub(" ", _CELLS.sub(" | ", line.strip())) for line in text.splitlines())
    return _EMPTY.sub("\n\n", "\n".join(lines)).strip()


def _title(page: str) -> str | None:
    start = _TITLE.search(page)
    if not start:
        return None
    end = _TITLE_END.search(page, start.end(), start.end() + _LONGEST_TITLE)
    return entities.unescape(_flat(page[start.end() : end.start()])) or None if end else None


def _first_heading(text: str) -> str | None:
    headings = (line.strip("# ") for line in text.splitlines() if line.startswith("#"))
    return next((heading for heading in headings if heading), None)


def _flat(text: str) -> str:
    return " ".join(_TAGS.sub("", text).split())
