"""Which calls would settle what is still open?

Every open sub-question has a short list of attempts, the most promising first. A turn takes the
next attempts of all of them in turns, as many as the width allows; none is made twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, cast

from widedeep.messages import ToolCall
from widedeep.models.builtin.plan import Cell, Plan, Row
from widedeep.models.builtin.question import Described, Named
from widedeep.models.builtin.words import ordinary, tokens
from widedeep.seams import ToolSpec

FEW, MANY, MOST = 5, 10, 20
"""Passages a search asks for: for one attribute, for several at once, and as a last resort."""

_MOST_QUERY = 300


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The offered tools the policy can use: searches take a `query`, readers an `id`."""

    searches: tuple[ToolSpec, ...]
    readers: tuple[ToolSpec, ...]


def toolbox(tools: Sequence[ToolSpec]) -> Toolbox:
    """Sort the offered tools by what they require."""
    return Toolbox(
        tuple(tool for tool in tools if _requires(tool) == {"query"}),
        tuple(tool for tool in tools if _requires(tool) == {"id"}),
    )


def _requires(tool: ToolSpec) -> set[str]:
    required = cast("Sequence[str]", tool.schema.get("required") or ())
    properties = _properties(tool)
    if all(properties.get(name, {}).get("type") == "string" for name in required):
        return set(required)
    return set()


def _properties(tool: ToolSpec) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", tool.schema.get("properties") or {})


def calls(plan: Plan, box: Toolbox, made: Sequence[ToolCall], most: int) -> tuple[ToolCall, ...]:
    """Return the next calls, at most `most`, none of which has been made."""
    lists = [list(_attempts(row, plan, box)) for row in plan.rows if not row.is_settled]
    if not plan.rows or plan.question.guessed:
        lists.append(list(_search(plan.question.text, FEW, box)))
    return distinct(_in_turns(lists), made)[:most]


def queries(texts: Iterable[str], box: Toolbox, made: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """Return a search for each of the texts that was not searched for before."""
    return distinct((call for text in texts for call in _search(text, FEW, box)), made)


def distinct(wanted: Iterable[ToolCall], made: Iterable[ToolCall] = ()) -> tuple[ToolCall, ...]:
    """Return the calls that differ from each other and from those made."""
    done = {_key(call) for call in made}
    fresh: dict[str, ToolCall] = {}
    for call in wanted:
        if (key := _key(call)) not in done:
            fresh.setdefault(key, call)
    return tuple(fresh.values())


def _in_turns(lists: Sequence[Sequence[ToolCall]]) -> Iterator[ToolCall]:
    for tier in zip_longest(*lists):
        yield from (call for call in tier if call is not None)


def _attempts(row: Row, plan: Plan, box: Toolbox) -> Iterator[ToolCall]:
    """Yield the calls that may settle a row, the most promising first."""
    if isinstance(row.subject, Described) and row.document is None:
        yield from _to_meet(row.subject, box)
        yield from _search(plan.question.text, FEW, box)
        return
    name = row.name
    if row.cells:
        asked = " ".join(cell.attribute.query for cell in row.cells)
        yield from _search(f"{name} {asked}", MANY if len(row.cells) > 1 else FEW, box)
    if row.document is None and isinstance(row.subject, Named):
        yield from _search(name, FEW, box)
        yield from _search(f"{name} name abbreviation", MANY, box)
        if len(plan.rows) == 1:
            yield from _search(plan.question.text, FEW, box)
        return
    yield from _closer(row, [cell for cell in row.cells if cell.is_open], box)


def _to_meet(subject: Described, box: Toolbox) -> Iterator[ToolCall]:
    asked = subject.attribute.query
    yield from _search(f"{asked} {subject.longer or subject.value}", FEW, box)
    yield from _search(f'{asked} "{subject.value}"', MANY, box)
    yield from _search(subject.value, MANY, box)
    yield from _search(f"{subject.noun} {asked} {subject.value}", MANY, box)


def _closer(row: Row, open_cells: Sequence[Cell], box: Toolbox) -> Iterator[ToolCall]:
    """Yield the calls that look again for what is open in a known document."""
    assert row.document is not None
    asked = " ".join(_ordinary(cell) for cell in open_cells)
    yield from _search(f"{row.document.title} {asked}", MOST, box)
    for cell in open_cells:
        yield from _read(row.document.id, _ordinary(cell), box)


def _ordinary(cell: Cell) -> str:
    """Return the attribute in the most ordinary words for it."""
    return " ".join(dict.fromkeys(ordinary(word) for word in tokens(cell.attribute.query)))


def _search(query: str, k: int, box: Toolbox) -> Iterator[ToolCall]:
    text = " ".join(query.split())[:_MOST_QUERY]
    if not text:
        return
    for tool in box.searches:
        wanted: dict[str, Any] = {"query": text}
        yield _call(tool, wanted | ({"k": k} if "k" in _properties(tool) else {}))


def _read(id: str, around: str, box: Toolbox) -> Iterator[ToolCall]:
    for tool in box.readers:
        wanted: dict[str, Any] = {"id": id}
        yield _call(tool, wanted | ({"around": around} if "around" in _properties(tool) else {}))


def _call(tool: ToolSpec, arguments: Mapping[str, Any]) -> ToolCall:
    return ToolCall(tool.name, arguments, raw=json.dumps(arguments, ensure_ascii=False))


def _key(call: ToolCall) -> str:
    folded = {
        name: value.casefold() if isinstance(value, str) else value
        for name, value in (call.arguments or {}).items()
    }
    return f"{call.tool} {json.dumps(folded, sort_keys=True)}"
