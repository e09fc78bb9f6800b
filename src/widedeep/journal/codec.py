"""How an event becomes a JSON object and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, partial
from math import isfinite
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, cast, get_type_hints

from widedeep.errors import JournalError
from widedeep.events import Event
from widedeep.messages import Json, Source, ToolResult

if TYPE_CHECKING:
    from pydantic import TypeAdapter

LONG = 1024
"""Characters from which a text may be kept elsewhere than in its event."""

LONGEST_INT = 4096
"""Bits of a whole number that is kept: Python does not print numbers of over 4,300 digits."""

DEEPEST = 100
"""Levels of nesting that are kept."""


def encode(event: Event, keep: Callable[[str], Any] = str) -> str:
    """Return an event as the text of a JSON object; `kind` names it.

    Args:
        event: the event.
        keep: what is put in the place of a text of at least `LONG` characters.
    """
    encoder = json.JSONEncoder(
        ensure_ascii=False,
        check_circular=False,
        separators=(",", ":"),
        default=partial(_shaped, keep=keep),
    )
    text = encoder.encode(event)
    return text if text.isascii() else text.encode("utf-8", errors="replace").decode()


def _shaped(value: Any, keep: Callable[[str], Any]) -> Any:
    """Return one of our own shapes as a dict; what stands in it is shaped when its turn comes."""
    form = _form(cast("type[Any]", type(value)))
    if form is None:
        return f"[{type(value).__name__}]"
    body = dict(zip(form.names, form.values(value), strict=True))
    for name in form.texts:
        text = body[name]
        if type(text) is str and len(text) >= LONG:
            known = value.sources if isinstance(value, ToolResult) else ()
            body[name] = _cut(text, known, keep) if known else keep(text)
    for name in form.foreign:
        if (inner := body[name]) is not None:
            body[name] = _plain(inner, keep)
    return body


def _cut(text: str, known: Iterable[Source], keep: Callable[[str], Any]) -> Any:
    """Return a text as pieces, of which those that are texts of known sources are kept once."""
    pieces: list[str] = []
    for source in known:
        if len(source.text) >= LONG:
            before, found, after = text.partition(source.text)
            if found:
                pieces += [before, found]
                text = after
    kept = [piece if len(piece) < LONG else keep(piece) for piece in (*pieces, text)]
    plain = all(isinstance(piece, str) for piece in kept)
    return "".join(kept) if plain else {"$text": kept}


def _unmarked(value: Any) -> Any:
    """Return the JSON value with the marks that `_key` added taken off."""
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value).items()
        return {key.removeprefix("$"): _unmarked(inner) for key, inner in items}
    if isinstance(value, list):
        return [_unmarked(inner) for inner in cast("list[Any]", value)]
    return value


def _plain(value: Any, keep: Callable[[str], Any], depth: int = 0) -> Any:
    """Return JSON from outside as JSON knows it; of anything else only the type is kept."""
    if isinstance(value, str):
        return value if len(value) < LONG else keep(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if value.bit_length() <= LONGEST_INT else f"[{type(value).__name__}]"
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    if depth > DEEPEST:
        return "[too deep to keep]"
    if isinstance(value, (tuple, list)):
        return [_plain(inner, keep, depth + 1) for inner in cast("list[Any]", value)]
    if isinstance(value, Mapping):
        items = cast("Mapping[str, Any]", value).items()
        return {_key(key): _plain(inner, keep, depth + 1) for key, inner in items}
    return f"[{type(value).__name__}]"


def _key(key: object) -> str:
    """Return a key as JSON knows it; one that looks like our own marks gets a mark more."""
    text = str(key)
    return f"${text}" if text.startswith("$") else text


@dataclass(frozen=True, slots=True)
class _Form:
    """One of our shapes: its fields, and which of them hold texts or JSON that is not ours."""

    names: tuple[str, ...]
    values: Callable[[Any], tuple[Any, ...]]
    texts: tuple[str, ...]
    foreign: tuple[str, ...]


@cache
def _form(kind: type) -> _Form | None:
    """Return the form of one of our shapes (each has two fields or more); None for others."""
    if not is_dataclass(kind) or not kind.__module__.startswith("widedeep."):
        return None
    names = tuple(field.name for field in fields(kind))
    hints = get_type_hints(kind)
    texts = tuple(name for name in names if hints[name] in (str, str | None))
    foreign = tuple(name for name in names if hints[name] in (Any, Json, Json | None))
    return _Form(names, attrgetter(*names), texts, foreign)


def decode(body: dict[str, Any]) -> Event:
    """Return the event that `encode` made the object of.

    Raises:
        JournalError: it is no event that this version knows.
    """
    try:
        return _events().validate_python(_unmarked(body), strict=False)
    except ValueError as error:
        raise JournalError(f"event {body.get('kind')!r} cannot be read: {error}") from None


@cache
def _events() -> TypeAdapter[Event]:
    from pydantic import Field, TypeAdapter

    return TypeAdapter(Annotated[Event, Field(discriminator="kind")])
