"""How is told what a probe found out?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from widedeep.models.probe import Case, Findings, Mode, Talk

KINDS: dict[Mode, str] = {"hint": "tool calls", "schema": "schema"}

HEAD = ("ASKED", "BY", "STREAM", "CAME", "VALID", "DISTINCT", "EARLY", "TOOK", "USAGE", "")

CACHED_FROM = 1_024
"""Tokens from which on providers cache what a request begins with."""


def told(found: Findings, file: Path, *, written: bool) -> str:
    """Return what was found out as text.

    Args:
        found: what that is.
        file: the user's file of settings.
        written: whether what is new was written there.
    """
    rows = [HEAD, *map(_row, found.cases)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
    lines = [
        f"{found.name}, {found.requests} requests to {found.url}",
        "",
        *table,
        "",
        *(f"{name:<9} {text}" for name, text in _facts(found)),
        "",
        *_written(found, file, written=written),
    ]
    return "\n".join(lines)


def object_of(found: Findings, file: Path, *, written: bool) -> dict[str, Any]:
    """Return what was found out as a JSON object."""
    return {
        "schema": 1,
        **asdict(found),
        "advice": found.advice,
        "file": str(file),
        "written": written,
    }


def _row(case: Case) -> Sequence[str]:
    head = (str(case.asked), KINDS[case.mode], "yes" if case.stream else "no")
    if case.error is not None:
        return (*head, *("-",) * 6, case.error)
    notes = ["in the text"] if case.in_text else []
    notes += ["cut at the limit"] if case.stop == "length" else []
    return (
        *head,
        *map(str, (case.came, case.valid, case.distinct)),
        _seconds(case.early),
        _seconds(case.seconds),
        "told" if case.usage else "not told",
        ", ".join(notes),
    )


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f} s"


def _facts(found: Findings) -> Iterator[tuple[str, str]]:
    works = ", ".join(KINDS[mode] for mode in found.modes) or "neither tool calls nor a schema"
    yield "works", works
    for talk in found.talks:
        yield "cache", _cache(talk)
    for talk in found.talks:
        if talk.mode == "hint" and talk.failed is None:
            yield "none", f'tool_choice "none" is {_honoured(value=talk.none)}'
            yield "switch", f"the switch for a single call is {_honoured(value=talk.switch)}"
    for quirk in found.quirks or ("none found",):
        yield "habit", quirk
    if found.advice:
        yield "advice", found.advice


def _honoured(*, value: bool | None) -> str:
    return "not known" if value is None else "honoured" if value else "not honoured"


def _cache(talk: Talk) -> str:
    kind = KINDS[talk.mode]
    if talk.failed is not None:
        return f"no second turn by {kind}: {talk.failed}"
    if talk.cached is None or talk.input is None:
        return "not told"
    text = f"turn 3 found {talk.cached:,} tokens cached, the input of turn 2 was {talk.input:,}"
    small = talk.cached == 0 and talk.input < CACHED_FROM
    return f"{text} (providers cache from about {CACHED_FROM:,} on)" if small else text


def _written(found: Findings, file: Path, *, written: bool) -> Iterator[str]:
    if not found.changes:
        yield f"nothing new for {file}"
        return
    yield f"{'written to' if written else 'not written to'} {file}:"
    yield ""
    yield f"[models.{json.dumps(found.name, ensure_ascii=False)}]"
    yield from (f"{name} = {json.dumps(value)}" for name, value in found.changes.items())
