"""How is what was found told, with a citation for everything stated?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from widedeep.models.builtin import find, values
from widedeep.models.builtin.find import Finding
from widedeep.models.builtin.plan import Cell, Plan, Row
from widedeep.models.builtin.question import Described, Question
from widedeep.models.builtin.read import Document, Line
from widedeep.text import sentences

_MOST_VALUE = 600
_MOST_OVERVIEW = 3


@dataclass(frozen=True, slots=True)
class Told:
    """An answer as text, its short form, and whether it only says that nothing was found."""

    text: str
    short: str | None = None
    abstains: bool = False


def tell(plan: Plan) -> Told:
    """Tell what a plan has settled."""
    rows = [row for row in plan.rows if _is_told(row)]
    if not rows:
        return Told(_missing(plan), abstains=True)
    if len(plan.rows) > 1:
        return _comparison(plan)
    row = rows[0]
    parts = [_bridge(row)] if row.bridge else []
    if not row.cells:
        return _identity(row, parts)
    parts += [_fact(cell.finding) for cell in row.cells if cell.finding]
    parts += [_not_found(row, [cell for cell in row.cells if not cell.finding])]
    if plan.question.claim is not None:
        return _verdict(plan.question, row, parts)
    if plan.question.yes_no and len(row.cells) == 1 and row.cells[0].finding:
        return _there(row.cells[0].finding, parts)
    shorts = [cell.finding.short for cell in row.cells if cell.finding and cell.finding.short]
    return Told(_joined(parts), "; ".join(shorts) or None)


def _is_told(row: Row) -> bool:
    if row.cells:
        return any(cell.finding for cell in row.cells)
    return row.document is not None


def _joined(parts: Sequence[str]) -> str:
    return " ".join(part for part in parts if part)


def _cite(text: str, *numbers: int) -> str:
    marks = "".join(f"[{n}]" for n in dict.fromkeys(numbers))
    return f"{text.rstrip()} {marks}"


def _closed(text: str, number: int) -> str:
    """Cite a sentence and end it; one that has its end keeps it."""
    cited = _cite(text.rstrip(" ;"), number)
    return cited if text.rstrip(" ;").endswith((".", "!", "?")) else f"{cited}."


def _plain(text: str) -> str:
    """Return a value fit for one sentence or cell: no marks of ours, not too long."""
    text = re.sub(r"\[(\d+)\]", r"(\1)", " ".join(text.split()))
    if len(text) <= _MOST_VALUE:
        return text
    return text[:_MOST_VALUE].rsplit(" ", 1)[0] + " ..."


def _fact(finding: Finding) -> str:
    line = finding.line
    if not line.label:
        return _quoted(finding)
    said = f"{finding.document.title} – {line.label}: "
    *first, last = sentences(_plain(line.value)) or [line.value]
    cited = [_cite(each, finding.document.n) for each in first]
    cited.append(_closed(last, finding.document.n))
    return said + " ".join(cited)


def _quoted(finding: Finding) -> str:
    title = finding.document.title
    said = _plain(finding.line.value).rstrip()
    stated = f"“{said}”" if said.endswith((".", "!", "?")) else f"“{said}.”"
    return _cite(f"{title}: {stated}" if title else stated, finding.document.n)


def _bridge(row: Row) -> str:
    assert row.bridge is not None
    assert isinstance(row.subject, Described)
    if not row.bridge.line.label:
        return _quoted(row.bridge)
    said = f"{row.bridge.document.title} – {row.bridge.line.label}: {_plain(row.bridge.line.value)}"
    return _closed(said, row.bridge.document.n)


def _identity(row: Row, parts: list[str]) -> Told:
    assert row.document is not None
    if row.bridge is not None:
        return Told(_joined(parts), row.document.title)
    lines = _overview(row.document)
    if not lines:
        return Told(f"No statement about {row.name} was found.", abstains=True)
    said = [_quoted(Finding(row.document, line, "", "", 1.0)) for line in lines]
    return Told(_joined(said))


def _overview(document: Document) -> list[Line]:
    """Return what introduces a document: its first sentences, of prose or of a long value."""
    prose = [line for line in document.lines if not line.label and len(line.value.split()) > 5]
    if prose:
        return prose[:_MOST_OVERVIEW]
    long = next((line for line in document.lines if len(line.value.split()) > 25), None)
    if long is None:
        return list(document.lines[:1])
    return [Line("", sentence) for sentence in sentences(long.value)[:_MOST_OVERVIEW]]


def _not_found(row: Row, cells: Sequence[Cell]) -> str:
    if not cells:
        return ""
    asked = " and ".join(cell.attribute.text for cell in cells)
    return f"Not found for {row.name}: {asked}."


def _missing(plan: Plan) -> str:
    """Say in one sentence what the evidence does not hold."""
    question = plan.question
    asked = " and ".join(each.text for each in question.attributes)
    year = f" for {question.year}" if question.year else ""
    for row in plan.rows:
        if isinstance(row.subject, Described) and row.document is None:
            of = f"{row.subject.noun} whose {row.subject.attribute.text} is {row.subject.value}"
            return f"The sources that were met name no {of}."
    names = " or ".join(row.name for row in plan.rows if row.name)
    if names and asked:
        return f"The sources that were met do not state {asked}{year} for {names}."
    return f"The sources that were met do not say anything about {names or 'what is asked'}."


def _verdict(question: Question, row: Row, parts: list[str]) -> Told:
    stated = [cell.finding for cell in row.cells if cell.finding]
    claim = question.claim or ""
    holds = any(find.mentions(finding.line.value, claim) for finding in stated)
    word = "Yes" if holds else "No"
    return Told(_joined([f"{word}:", *parts]), word.lower())


def _there(finding: Finding, parts: list[str]) -> Told:
    """Answer whether there is such a thing: none and 0 mean no."""
    number = values.number(finding.value)
    none = re.match(r"(?:none|no|not)\b", finding.value.lower())
    word = "No" if none or (number is not None and number.value == 0) else "Yes"
    return Told(_joined([f"{word}:", *parts]), word.lower())


def _comparison(plan: Plan) -> Told:
    question = plan.question
    bridges = [_bridge(row) for row in plan.rows if row.bridge]
    if not question.attributes:
        told = [_identity(row, []) for row in plan.rows if row.document and not row.bridge]
        names = "; ".join(row.name for row in plan.rows if row.bridge)
        return Told(_joined([*bridges, *(each.text for each in told)]), names or None)
    heads = [_capital(each.text) for each in question.attributes]
    lines = [_table_row(["", *heads]), _table_row(["---"] * (len(heads) + 1))]
    lines += [_table_row([_escaped(row.name), *_cells(row)]) for row in plan.rows]
    ranked = _ranked(plan)
    winner = _winner(plan, ranked)
    short = _short_comparison(plan, ranked)
    parts = [*(["Several fit the description.", *bridges] if bridges else []), "", *lines]
    text = "\n".join(parts).strip() + (f"\n\n{winner}" if winner else "")
    if question.left_out:
        rest = ", ".join(question.left_out)
        text += f"\n\nNot looked up, the question asks for too much: {rest}."
    return Told(text, short)


def _cells(row: Row) -> list[str]:
    return [_cell(cell.finding) for cell in row.cells]


def _table_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _capital(text: str) -> str:
    return _escaped(text[:1].upper() + text[1:])


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


def _cell(finding: Finding | None) -> str:
    if finding is None:
        return "not found"
    return _escaped(_cite(_plain(finding.value or finding.line.value), finding.document.n))


def _ranked(plan: Plan) -> list[tuple[float, Row, Finding]]:
    """Return the rows from the first to the last in the order asked; empty if not comparable."""
    order = plan.question.order
    if order is None or not plan.question.attributes:
        return []
    found: list[tuple[float, Row, Finding]] = []
    units: set[str] = set()
    for row in plan.rows:
        finding = row.cells[0].finding
        measured = values.number(finding.short or finding.value) if finding else None
        if finding is None or measured is None:
            continue
        found.append((measured.value, row, finding))
        units.add(measured.unit)
    if len(units) > 1 or len(found) < 2:
        return []
    return sorted(found, key=lambda each: each[0], reverse=order == "max")


def _winner(plan: Plan, ranked: Sequence[tuple[float, Row, Finding]]) -> str:
    if not ranked:
        return ""
    word = "highest" if plan.question.order == "max" else "lowest"
    asked = plan.question.attributes[0].text
    said = ", ".join(f"{row.name} ({finding.short})" for _, row, finding in ranked)
    numbers = [finding.document.n for _, _, finding in ranked]
    missing = [row.name for row in plan.rows if row.cells[0].finding is None]
    without = f" Not compared, because no value was found: {', '.join(missing)}." if missing else ""
    yes_no = _yes_no(plan, ranked)
    return _cite(f"{yes_no}{_capital(asked)}, from the {word}: {said}", *numbers) + "." + without


def _yes_no(plan: Plan, ranked: Sequence[tuple[float, Row, Finding]]) -> str:
    if not plan.question.yes_no:
        return ""
    return "Yes. " if ranked[0][1] is plan.rows[0] else "No. "


def _short_comparison(plan: Plan, ranked: Sequence[tuple[float, Row, Finding]]) -> str | None:
    if ranked:
        if plan.question.yes_no:
            return _yes_no(plan, ranked).strip(" .").lower()
        return ranked[0][1].name
    rows = [
        f"{row.name}: {', '.join(cell.finding.short for cell in row.cells if cell.finding)}"
        for row in plan.rows
        if any(cell.finding and cell.finding.short for cell in row.cells)
    ]
    return "; ".join(rows) or None
