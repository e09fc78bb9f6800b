"""What is a document, and what is said of one that could not be read?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Document:
    """One thing that can be found and cited: a file, or a row of one."""

    id: str
    title: str | None
    text: str
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """What was left out: `count` rows or files, `path` names the first of them."""

    path: str
    reason: str
    count: int = 1

    def __str__(self) -> str:
        more = f" (and {self.count - 1} more like it)" if self.count > 1 else ""
        return f"{self.path} {self.reason}{more}"


Naming = Callable[[str, Any], tuple[str, str]]
"""File name and its JSON -> id and title."""
