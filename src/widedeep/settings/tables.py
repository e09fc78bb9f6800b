"""Which tables of the file are read as a whole, each entry by its name?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from widedeep.errors import UsageError
from widedeep.settings import pricing, servers
from widedeep.settings.secrecy import Secret

_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Table:
    """How a table is read, and what one of its entries says, by name.

    `entries` takes what stands in the file and its origin, and raises UsageError for what cannot
    be.
    """

    entries: Callable[[object, str], Mapping[str, Any]]
    one: Callable[[Any], Mapping[str, Any]]

    def read(self, table: object, origin: str) -> Mapping[str, Any]:
        """Return the entries of a table by name."""
        return self.entries(table, origin)

    def said(self, entries: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        """Give each value with the name it has in the table."""
        for name, entry in entries.items():
            for key, value in self.one(entry).items():
                yield f"{name}.{key}", value


TABLES: Mapping[str, Table] = {
    "prices": Table(pricing.prices, pricing.said),
    "servers": Table(partial(servers.options, "servers"), servers.said),
    "models": Table(partial(servers.options, "models"), servers.said),
}
"""Those tables, by name."""


def keys(
    tables: Mapping[str, Mapping[str, Any]],
    hidden: Mapping[str, Secret],
    environ: Mapping[str, str],
) -> dict[str, Secret]:
    """Return the keys of servers that stand in the variables which their tables name.

    Args:
        tables: the tables that were read.
        hidden: the secrets that are known.
        environ: the environment.

    Raises:
        UsageError: what stands there is no name but, it seems, a key; it is not repeated.
    """
    found: dict[str, Secret] = {}
    for section in ("servers", "models"):
        for name, one in tables.get(section, {}).items():
            if one.key is None or one.key in hidden:
                continue
            if not _VARIABLE.fullmatch(one.key):
                raise UsageError(
                    f"{section}.{name}: key must name a variable, such as WORK_API_KEY, or an "
                    "entry of [secrets]; the key itself has no place there"
                )
            if value := environ.get(one.key):
                found[one.key] = Secret(value, one.key)
    return found
