"""How are the passages that a search found shown?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from widedeep.report.inert import inert, one_line
from widedeep.report.json import SCHEMA
from widedeep.seams import Hit

if TYPE_CHECKING:
    from rich.console import RenderableType

NOTHING = "nothing found"


def hits_object(query: str, hits: Sequence[Hit]) -> dict[str, Any]:
    """Return what was found as one JSON object, best first."""
    return {"schema": SCHEMA, "query": query, "hits": [asdict(hit) for hit in hits]}


def hits_text(hits: Sequence[Hit]) -> str:
    """Return what was found as plain text."""
    return "\n\n".join(f"{head(n, hit)}\n{_body(hit)}" for n, hit in enumerate(hits, 1)) or NOTHING


def hits_block(hits: Sequence[Hit]) -> RenderableType:
    """Return what was found as a terminal shows it."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    if not hits:
        return Text(NOTHING, style="yellow")
    parts: list[RenderableType] = []
    for n, hit in enumerate(hits, 1):
        parts += [Text(head(n, hit), style="bold"), Padding(Text(_body(hit)), (0, 0, 1, 3))]
    return Group(*parts)


def head(n: int, hit: Hit) -> str:
    """Return where a passage stands and how well it matches."""
    title, id = one_line(hit.title or ""), one_line(hit.id)
    name = id if not title or title == id else f"{title} ({id})"
    return f"{n}. {name}, passage {hit.passage}, score {hit.score:.2f}"


def _body(hit: Hit) -> str:
    return inert(hit.text).strip()
