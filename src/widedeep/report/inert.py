"""How is text of models, tools and pages made safe to show?

Escape sequences, control characters and the invisible characters that reorder or hide text are
taken out; what is left has no power over a terminal. Markup of rich is no danger here because it
is never parsed: all text is shown as `rich.text.Text` or as Markdown.
"""

from __future__ import annotations

import re

_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor, erase (ECMA-48 5.4)
    r"|\x9b[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]{0,4096}(?:\x07|\x1b\\|\x9c)"  # OSC
    r"|\x1b[ -/]*[0-~]?"  # the rest; a sequence without its end loses only its beginning
)
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 but tab and line feed, DEL, C1
    "\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff"  # direction and invisible operators
    "\U000e0000-\U000e007f]"  # tags
)
_BREAKS = re.compile("\r\n?|[\u0085\u2028\u2029\x0b\x0c]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_SPACE = re.compile(r"\s+")


def inert(text: str) -> str:
    """Return `text` without anything that acts on a terminal; its line breaks stay."""
    text = _ESCAPES.sub("", text)
    text = _BREAKS.sub("\n", text)
    text = _HIDDEN.sub("", text)
    return _SURROGATES.sub("\ufffd", text)


def one_line(text: str, most: int | None = None) -> str:
    """Return `text` inert and on one line, cut to `most` characters with an ellipsis."""
    line = _SPACE.sub(" ", inert(text)).strip()
    if most is not None and len(line) > most:
        return line[: most - 1].rstrip() + "…"
    return line
