"""Which values are secret? No message names one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from widedeep.errors import UsageError

VARIABLE = "WIDEDEEP_SECRETS"
"""Names variables, with commas, whose values are secret."""

KEY = "_API_KEY"
"""How the names of variables end whose values are secret without being named."""

_EXAMPLE = 'a text in quotes or { env = "NAME" }, such as search = { env = "SEARCH_API_KEY" }'


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret value, and what gave it: a file or a variable of the environment."""

    value: str = field(repr=False)
    origin: str


def secrets(table: object, origin: str, environ: Mapping[str, str]) -> dict[str, Secret]:
    """Return the secrets by name: those of a table of a file, then those of the environment.

    A variable that is not set, or empty, names no secret.

    Args:
        table: the file's `[secrets]`, unchecked.
        origin: the file.
        environ: the environment.

    Raises:
        UsageError: the table or an entry of it cannot be.
    """
    if not isinstance(table, Mapping):
        raise UsageError(f"{origin}: secrets must be a table: [secrets] followed by {_EXAMPLE}")
    found: dict[str, Secret] = {}
    for name, given in cast("Mapping[str, object]", table).items():
        if one := _entry(name, given, origin, environ):
            found[name] = one
    known = {one.origin for one in found.values()}
    named = [name.strip() for name in environ.get(VARIABLE, "").split(",")]
    for name in dict.fromkeys([*named, *(each for each in environ if each.endswith(KEY))]):
        if name not in known and (value := environ.get(name)):
            found.setdefault(name, Secret(value, name))
    return found


def _entry(name: str, given: object, origin: str, environ: Mapping[str, str]) -> Secret | None:
    """Return one secret of the file; None when the variable that holds it is not set."""
    if isinstance(given, str) and given.strip():
        return Secret(given, origin)
    variable = cast("dict[str, Any]", given).get("env") if isinstance(given, dict) else None
    if not isinstance(variable, str) or len(cast("dict[str, Any]", given)) > 1:
        raise UsageError(f"{origin}: secrets.{name} must be {_EXAMPLE}")
    value = environ.get(variable)
    return Secret(value, variable) if value else None
