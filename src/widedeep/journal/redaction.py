"""How are secrets kept out of what is written down?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, Literal, TypeVar, cast, get_type_hints
from urllib.parse import unquote, urlsplit

from widedeep.events import Event, Record
from widedeep.journal.codec import DEEPEST
from widedeep.journal.forms import SHORTEST, decoded, forms
from widedeep.messages import Json
from widedeep.seams import Journal

Shape = TypeVar("Shape")
Secrets = Mapping[str, str] | Iterable[str]
"""Secrets by their names, or without names."""

LONG = 1024
"""Characters from which it is remembered what became of a text: events repeat long ones."""

REMEMBERED = 2_000_000
"""Characters of texts that are remembered in all."""

_LONGEST_INT = 4096
"""Bits of a whole number that is looked at: Python prints none of over 4,300 digits."""

How = Literal["text", "texts", "json", "shape"]


class Redactor:
    """Puts `[redacted:NAME]` in the place of secrets, in whatever form of `forms` they stand.

    Values of less than 8 characters are left alone: they may stand in any text by chance. Of a
    secret that is a URL, the password in it is a secret too.

    Args:
        secrets: values by name, or values alone, which are numbered.
    """

    def __init__(self, secrets: Secrets = ()) -> None:
        named = _named(secrets)
        longest_first = sorted(named, key=lambda value: (-len(value), value))
        found = [
            (form, f"[redacted:{named[each]}]") for each in longest_first for form in forms(each)
        ]
        self._needles = [(needle, *each) for each in found for needle in each[0].needles]
        self._bare = [(needle, *each) for each in found for needle in each[0].bare]
        self._known: dict[str, str] = {}
        self._room = REMEMBERED

    def __bool__(self) -> bool:
        return bool(self._needles)

    def text(self, text: str) -> str:
        """Return a text without secrets; the very same one when it holds none."""
        if len(text) < LONG or not self._needles:
            return self._replaced(text)
        known = self._known.get(text)
        if known is None:
            self._room -= len(text)
            if self._room < 0:
                self._known.clear()
                self._room = REMEMBERED
            known = self._known[text] = self._replaced(text)
        return known

    def shape(self, value: Shape) -> Shape:
        """Return an event, an answer or another of our own shapes with no secret in its texts."""
        if not self._needles:
            return value
        changed: dict[str, Any] = {}
        for name, how in _fields(type(value)):
            inner = getattr(value, name)
            clean = self._field(inner, how)
            if clean is not inner:
                changed[name] = clean
        return replace(cast("Any", value), **changed) if changed else value

    def json(self, value: Any, depth: int = 0) -> Any:
        """Return JSON from outside with no secret in its texts, keys and numbers."""
        if isinstance(value, str):
            return self.text(value)
        if value is None or isinstance(value, bool) or depth > DEEPEST:
            return value
        if isinstance(value, (int, float)):
            if isinstance(value, int) and value.bit_length() > _LONGEST_INT:
                return value
            said = repr(value)
            clean = self.text(said) if len(said) >= SHORTEST else said
            return value if clean == said else clean
        if isinstance(value, Mapping):
            items = cast("Mapping[Any, Any]", value).items()
            return {self.text(str(key)): self.json(inner, depth + 1) for key, inner in items}
        if isinstance(value, (list, tuple)):
            return [self.json(inner, depth + 1) for inner in cast("list[Any]", value)]
        return value

    def _field(self, value: Any, how: How) -> Any:
        if value is None:
            return None
        if how == "text":
            return self.text(value) if isinstance(value, str) else value
        if how == "json":
            clean = self.json(value)
            return value if clean == value else clean
        if isinstance(value, tuple):
            one: Callable[[Any], Any] = self.text if how == "texts" else self._inner
            parts = cast("tuple[Any, ...]", value)
            made = tuple(one(part) for part in parts)
            return made if any(a is not b for a, b in zip(made, parts, strict=True)) else parts
        return self._inner(value)

    def _inner(self, value: Any) -> Any:
        return self.shape(value) if is_dataclass(value) else value

    def _replaced(self, text: str) -> str:
        if len(text) < SHORTEST or not self._needles:
            return text
        bare = decoded(text)
        for needle, form, mark in self._needles:
            if needle in text:
                text = form.replaced(text, mark)
        for needle, form, mark in self._bare if bare else ():
            if bare and needle in bare:
                text = form.replaced(text, mark)
        return text


class RedactedJournal:
    """A journal that hands on events without secrets; what it wraps never sees one.

    `SqliteJournal(path, secrets=...)` does so by itself; this is for journals of your own.

    Args:
        journal: where the events go.
        secrets: values by name, or values alone.
    """

    def __init__(self, journal: Journal, secrets: Secrets) -> None:
        self._journal = journal
        self._redactor = Redactor(secrets)

    def append(self, run_id: str, event: Event) -> None:
        """Hand on the event without secrets."""
        self._journal.append(run_id, self._redactor.shape(event))

    async def flush(self) -> None:
        """Return when all that was appended is safe."""
        await self._journal.flush()

    def read(self, run_id: str) -> Iterable[Record]:
        """Return the records of a run in order."""
        return self._journal.read(run_id)


def _named(secrets: Secrets) -> dict[str, str]:
    """Return the name of each value that can be told from other text."""
    if isinstance(secrets, str):
        secrets = (secrets,)
    named: Mapping[str, str] = (
        cast("Mapping[str, str]", secrets)
        if isinstance(secrets, Mapping)
        else {f"secret {at}": value for at, value in enumerate(secrets, 1)}
    )
    found: dict[str, str] = {}
    for name, value in named.items():
        for each in (value.strip(), *_passwords(value)):
            if len(each) >= SHORTEST:
                found.setdefault(each, re.sub(r"[^A-Za-z0-9_.-]+", "-", name))
    return found


def _passwords(value: str) -> tuple[str, ...]:
    """Return the password of a value that is a URL, as it stands there and as it is meant."""
    try:
        password = urlsplit(value).password if "://" in value else None
    except ValueError:
        return ()
    return () if password is None else (password, unquote(password))


@cache
def _fields(kind: type) -> tuple[tuple[str, How], ...]:
    """Return which fields of a shape may hold words from outside, and how."""
    hints = get_type_hints(kind)
    return tuple(
        (each.name, how) for each in fields(kind) if (how := _how(hints[each.name])) is not None
    )


def _how(hint: Any) -> How | None:
    if hint in (str, str | None):
        return "text"
    if hint == tuple[str, ...]:
        return "texts"
    if hint in (Any, Json, Json | None):
        return "json"
    plain = (int, float, bool, int | None, float | None)
    return None if hint in plain else "shape"
