"""Which tags and texts is an HTML page made of, told in time that grows with its length?

A parser that builds the tree of a page as browsers do can be made to work for hours by a small
page: by deep nesting, by many attributes of one tag, by formatting that is never closed.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator

_TOKEN = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(script|style)\b.*?(?:</\1\s*>|\Z)"
    r"|<(/?)([a-z][a-z0-9]*)[^<>]*>?"
    r"|<[!?][^<>]*>?",
    re.IGNORECASE | re.DOTALL,
)
# Tags that have no end, and those that pages leave the end out of and that do not get deep by it.
_FLAT = frozenset(
    "area base br col embed hr img input link meta param source track wbr "
    "p li td th tr dt dd option tbody thead tfoot colgroup".split()
)
_INLINE = frozenset(
    "a abbr b big cite code em font i kbd q s samp small span strike strong sub sup tt u "
    "var".split()
)
_BLANK = re.compile(r"[ \t\n\f\xa0]+")
_MANY = re.compile(r"\n{3,}")
_FEW = 1_000
_DEEP = 500
_WORK = 5_000_000
"""Tags times depth: within it a parser needs less than a second and a gigabyte."""
_ATTRIBUTES = 2_000
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_LONG_TAG = re.compile(rf"<[a-zA-Z][^<>]{{{_ATTRIBUTES},}}")
_NAME = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_BETWEEN = re.compile(r"[\s/]+")


def is_heavy(page: str) -> bool:
    """Tell whether a parser might take long over a page: it nests deep or has endless tags."""
    if any(_has_many(tag) for tag in _LONG_TAG.findall(page)):
        return True
    if page.count("<") <= _FEW:
        return False
    names = _NAME.findall(page)
    deepest = depth = 0
    opened: Counter[str] = Counter()
    for closing, written in names:
        name = written.lower()
        if closing and opened[name]:
            opened[name] -= 1
            depth -= 1
        elif not closing and name not in _FLAT:
            opened[name] += 1
            depth += 1
            deepest = max(deepest, depth)
    return deepest > _DEEP or len(names) * deepest > _WORK


def _has_many(tag: str) -> bool:
    """Tell whether a tag has very many attributes, however long the values are."""
    return len(_BETWEEN.findall(_QUOTED.sub(" ", tag))) > _ATTRIBUTES


def text(page: str) -> str:
    """Return the text of a page without building its tree: headings as `#` lines, items as `- `.

    Menus and the like are not told from the rest.
    """
    whole = "".join(_pieces(page))
    lines = (_BLANK.sub(" ", line).strip() for line in whole.split("\n"))
    return _MANY.sub("\n\n", "\n".join(lines)).strip()


def _pieces(page: str) -> Iterator[str]:
    """Yield the texts between the tags as single lines, and what stands for the tags."""
    at = 0
    for match in _TOKEN.finditer(page):
        yield _BLANK.sub(" ", html.unescape(page[at : match.start()]))
        yield _mark((match[3] or "").lower(), closing=bool(match[2]))
        at = match.end()
    yield _BLANK.sub(" ", html.unescape(page[at:]))


def _mark(name: str, *, closing: bool) -> str:
    if not name or name in _INLINE:
        return ""
    if name in {"td", "th"}:
        return " "
    if closing or name in {"br", "tr"}:
        return "\n"
    if name == "li":
        return "\n- "
    if len(name) == 2 and name[0] == "h" and name[1] in "123456":
        return f"\n\n{'#' * int(name[1])} "
    return "\n"
