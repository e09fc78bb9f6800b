"""How does nested JSON read as lines that each stand on their own?

    {"Government": {"Capital": {"name": {"text": "Algiers"}}}}

becomes

    ## Government
    Capital, name: Algiers

A line is one fact: `label: value`. The label is the path below the section, joined by ", ", with
words that a part repeats from the one before left out; it holds no colon, so that
the first ": " of a line ends it. The value is on one line, without HTML tags and entities.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

from widedeep.extract.charset import clean
from widedeep.retrieval.values import is_list, is_object

_PLAIN = ("text", "value", "#text")
"""Keys that only say that their value is the value of the key above."""
_NAMES = ("name", "title", "label", "id")
_TAG = re.compile(
    r"</?(?:a|abbr|b|blockquote|code|div|em|font|h[1-6]|hr|i|img|li|ol|p|pre|small|span|strong|sub"
    r"|table|tbody|td|th|thead|tr|u|ul)(?:\s[^<>=]*=[^<>]*|\s*/?)>",
    re.IGNORECASE,
)
_LINE_END = re.compile(r"<(?:br|/p|/li|/tr|/h[1-6]|/div)\b[^<>]*>|\n", re.IGNORECASE)
_POWER = re.compile(r"<sup>\s*(-?\d+)\s*</sup>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});")
_OWN_LABEL = re.compile(r"^([^:]{1,60}):\s+(?=\S)")


def lines(value: Any) -> str:
    """Return JSON as text: a `## ` heading for each nested part of the top, then its lines."""
    if not is_object(value):
        return "\n".join(_facts(value, ()))
    loose: list[str] = []
    sections: list[str] = []
    for key, part in value.items():
        if _is_section(part):
            facts = "\n".join(_facts(part, ()))
            if facts:
                sections.append(f"## {one_line(str(key))}\n{facts}")
        else:
            loose.extend(_facts(part, (str(key),)))
    return "\n\n".join(["\n".join(loose), *sections] if loose else sections)


def one_line(value: str) -> str:
    """Return a value as a reader sees it: no tags, no entities, no line ends."""
    text = clean(value)
    if "<" in text or "\n" in text:
        text = _POWER.sub(r"^\1", text)
        text = _joined(_TAG.sub("", _uncommented(part)) for part in _LINE_END.split(text))
    if "&" in text:
        text = _ENTITY.sub(lambda match: html.unescape(match.group()), text)
    return " ".join(text.split())


def _uncommented(text: str) -> str:
    kept: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        kept.append(text[at:start])
        at = end + 3
    return "".join([*kept, text[at:]])


def _joined(parts: Iterator[str]) -> str:
    """Join the lines of a value: with "; " where the line before has no end of its own."""
    text = ""
    for part in (each.strip() for each in parts):
        if not part.replace("&nbsp;", ""):
            continue
        if text:
            text += " " if text.endswith((".", ":", ";", "!", "?", ",", "。", "-")) else "; "
        text += part
    return text


def _is_section(part: Any) -> bool:
    if is_object(part):
        inner = part.values()
        return any(_is_nested(each) for each in inner)
    return is_list(part) and any(is_object(each) for each in part)


def _is_nested(value: Any) -> bool:
    return is_object(value) or is_list(value)


def _facts(value: Any, path: tuple[str, ...]) -> Iterator[str]:
    if is_object(value):
        for key, part in value.items():
            plain = path and key in _PLAIN and not _is_nested(part)
            yield from _facts(part, path if plain else (*path, str(key)))
    elif is_list(value):
        yield from _list_facts(value, path)
    elif (text := _scalar(value)) != "":
        yield _fact(_label(path), text)


def _list_facts(items: list[Any], path: tuple[str, ...]) -> Iterator[str]:
    scalars = [_scalar(item) for item in items if not _is_nested(item)]
    if joined := "; ".join(text for text in scalars if text):
        yield _fact(_label(path), joined)
    for number, item in enumerate(items, 1):
        if _is_nested(item):
            yield from _facts(item, (*path, _name(item) or str(number)))


def _name(item: Any) -> str | None:
    """Return what an item of a list calls itself, so that each of its lines names it."""
    if not is_object(item):
        return None
    names = (_scalar(item.get(key)) for key in _NAMES)
    return next((name for name in names if name and len(name) <= 80), None)


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, int | float) else ""


def _fact(label: str, value: str) -> str:
    own = _OWN_LABEL.match(value)
    if own and label and f" {label}".lower().endswith(f" {own[1].strip().lower()}"):
        value = value[own.end() :]
    return f"{label}: {value}" if label else value


def _label(path: tuple[str, ...]) -> str:
    kept: list[str] = []
    for part in path:
        words = ", ".join(piece.strip() for piece in one_line(part).split(":") if piece.strip())
        if kept and f"{words} ".lower().startswith(f"{kept[-1]} ".lower()):
            kept[-1] += words[len(kept[-1]) :]
        elif words:
            kept.append(words)
    return ", ".join(kept)
