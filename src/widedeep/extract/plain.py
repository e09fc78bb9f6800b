"""What is the text and the title of a plain or Markdown file?"""

from __future__ import annotations

import re

from widedeep.extract.types import Extracted

_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*$")
_RULE = re.compile(r"^(?:=+|-+)$")
_FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title:(.+)$", re.MULTILINE)


def read(text: str) -> Extracted:
    """Return the text as it is; the title is that of its front matter or its first heading."""
    return Extracted("text", text.strip("\n"), title(text))


def title(text: str) -> str | None:
    """Return the title that a text gives itself, if it does."""
    front = _FRONT.match(text)
    if front and (named := _FRONT_TITLE.search(front.group(1))):
        return _unquoted(named.group(1).strip())
    lines = [line.strip() for line in text[:4000].splitlines()]
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if match := _HEADING.match(line):
            return match.group(1)
        if line and len(line) <= 120 and len(following) >= 3 and _RULE.match(following):
            return line
    return None


def _unquoted(value: str) -> str:
    return value.removeprefix(value[0]).removesuffix(value[0]) if value[:1] in {"'", '"'} else value
