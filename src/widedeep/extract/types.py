"""What comes out of a file or page: its text, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["html", "pdf", "text"]


@dataclass(frozen=True, slots=True)
class Extracted:
    """The text of a file or page; headings are lines that start with `#`."""

    kind: Kind
    text: str
    title: str | None = None


class Unreadable(ValueError):  # noqa: N818 - the reason why there is no text, as a value too
    """Bytes that hold no text. The message is the reason alone; the caller knows the name."""
