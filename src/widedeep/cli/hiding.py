"""Which words must not leave the command? The secrets of the settings that it read last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from widedeep.journal import Redactor

Shape = TypeVar("Shape")

_secrets: dict[str, str] = {}
_redactors: list[Redactor] = []


def hide(secrets: Mapping[str, str]) -> None:
    """Hide these values from now on, and no others."""
    if secrets != _secrets:
        _secrets.clear()
        _secrets.update(secrets)
        _redactors.clear()


def secrets() -> Mapping[str, str]:
    """Return what is hidden, by name."""
    return _secrets


def text(text: str) -> str:
    """Return a text in which nothing that is hidden stands."""
    redactor = _redactor()
    return redactor.text(text) if redactor else text


def shape(value: Shape) -> Shape:
    """Return an event, an answer or a list's row in which nothing that is hidden stands."""
    redactor = _redactor()
    return redactor.shape(value) if redactor else value


def _redactor() -> Redactor | None:
    if not _secrets:
        return None
    if not _redactors:
        from widedeep.journal import Redactor

        _redactors.append(Redactor(_secrets))
    return _redactors[0]
