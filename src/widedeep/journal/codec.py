"""How an event becomes a JSON object and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any, cast

from widedeep.errors import JournalError
from widedeep.events import Event

if TYPE_CHECKING:
    from pydantic import TypeAdapter

LONG = 1024
"""Characters from which a text may be kept elsewhere than in its event."""

DEEPEST = 100
"""Levels of nesting that are kept."""


def encode(event: Event, keep: Callable[[str], Any] = str) -> dict[str, Any]:
    """Return an event as a JSON object; `kind` names it.

    Args:
        event: the event.
        keep: what is put in the place of a text of at least `LONG` characters.
    """
    return _plain(event, keep)


def _unmarked(value: Any) -> Any:
    """Return the JSON value with the marks that `_key` added taken off."""
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value).items()
        return {key.removeprefix("$"): _unmarked(inner) for key, inner in items}
    if isinstance(value, list):
        return [_unmarked(inner) for inner in cast("list[Any]", value)]
    return value


def _plain(value: Any, keep: Callable[[str], Any], depth: int = 0) -> Any:
    """Return the value as JSON knows it; of what JSON does not know only the type is kept."""
    if isinstance(value, str):
        return value if len(value) < LONG else keep(value)
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if depth > DEEPEST:
        return "[too deep to keep]"
    if is_dataclass(value) and not isinstance(value, type):
        names = _names(type(value))
        return {name: _plain(getattr(value, name), keep, depth + 1) for name in names}
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


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


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
