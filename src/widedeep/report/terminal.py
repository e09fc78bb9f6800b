"""What does an answer look like in a terminal, with its sources and what it took?"""

from __future__ import annotations

from dataclasses import replace

from rich.console import Console, Group, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from widedeep.messages import Answer, Citation, Status
from widedeep.report import styles
from widedeep.report.blocks import WIDEST, marks, turn_block
from widedeep.report.inert import one_line
from widedeep.report.lines import lines, source_line, unended
from widedeep.report.markdown import sections
from widedeep.report.plain import place, short_text, words
from widedeep.report.styles import Ledger, Style
from widedeep.report.timeline import Timeline
from widedeep.report.words import said, summary

_QUOTE = 280
_STYLES: dict[Status, str] = {
    "answered": "green",
    "partial": "yellow",
    "no_evidence": "yellow",
    "failed": "red",
}


def fit(console: Console) -> Console:
    """Return the console, made no wider than is easy to read."""
    console.width = min(console.width, WIDEST)
    return console


def styled_block(
    answer: Answer, style: Style, ledger: Ledger = (), *, brief: bool = False
) -> RenderableType:
    """Return the answer in one of the styles, unless `brief` with what it took."""
    match style:
        case "short":
            return short_block(answer, brief=brief)
        case "brief":
            return answer_block(answer, brief=brief)
        case "report":
            return report_block(answer, ledger, brief=brief)


def answer_block(answer: Answer, *, brief: bool = False) -> RenderableType:
    """Return the answer rendered, its citations and, unless `brief`, the summary."""
    parts: list[RenderableType] = [Rule(style="dim"), _body(answer)]
    if answer.citations:
        parts += [Text(), Text("Sources", style="bold"), _citations(answer.citations)]
    if not brief:
        parts += [Rule(style="dim"), _summary(answer)]
    return Group(*parts)


def short_block(answer: Answer, *, brief: bool = False) -> RenderableType:
    """Return the short form and, unless `brief`, where it comes from and how sure it is."""
    first, _, rest = short_text(answer, brief=brief).rstrip("\n").partition("\n\n")
    head = Text(first, style="bold" if answer.text.strip() else _STYLES[answer.status])
    return Group(head, Text(rest, style="dim")) if rest else head


def report_block(answer: Answer, ledger: Ledger, *, brief: bool = False) -> RenderableType:
    """Return the sections of a report and, unless `brief`, the summary."""
    parts: list[RenderableType] = [
        Rule(style="dim"),
        Markdown(sections(answer, ledger), hyperlinks=False),
    ]
    if not brief:
        told = replace(answer, notes=styles.run_notes(answer))
        parts += [Rule(style="dim"), _summary(told)]
    return Group(*parts)


def run_block(timeline: Timeline, console: Console, *, hints: bool = False) -> RenderableType:
    """Return a whole run: question, turns, answer; `hints` adds hints and all sources met."""
    signs = marks(console)
    now = timeline.last or 0.0
    parts: list[RenderableType] = []
    if timeline.started is not None:
        parts += [question_line(timeline.started.question), Text()]
    if timeline.continued is not None:
        parts += [Text(line, style="dim") for line in lines(timeline.continued, timeline)]
    parts += [turn_block(turn, now, signs, hint=hints) for turn in timeline.turns.values()]
    if timeline.interrupted is not None:
        parts.append(Text(f"interrupted: {one_line(timeline.interrupted)}", style="yellow"))
    elif timeline.answer is None and hints:
        parts.append(Text(unended(timeline), style="yellow"))
    if hints and timeline.sources:
        met = (f"  {source_line(source)}" for source in timeline.sources.values())
        parts += [Text("Sources met", style="bold"), Text("\n".join(met), style="dim")]
    if timeline.answer is not None:
        parts.append(answer_block(timeline.answer))
    return Group(*parts)


def question_line(question: str) -> Text:
    """Return the question as the head of a run."""
    return Text(one_line(question), style="bold cyan")


def _body(answer: Answer) -> RenderableType:
    """Return the answer's text as Markdown; hyperlinks show where they lead."""
    text = words(answer)
    if not answer.text.strip():
        return Text(text, style=_STYLES[answer.status])
    body = Markdown(text, hyperlinks=False)
    short = said(answer)
    if short and short not in one_line(text):
        return Group(Text(short, style="bold"), body)
    return body


def _citations(citations: tuple[Citation, ...]) -> Table:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(justify="right", no_wrap=True, style="cyan")
    grid.add_column(overflow="fold")
    for one in citations:
        head = Text(place(one))
        if not one.verified:
            head.append("  not verified", style="yellow")
        grid.add_row(Text(f"[{one.n}]"), head)
        if quote := one_line(one.quote, _QUOTE):
            grid.add_row("", Text(f'"{quote}"', style="dim"))
    return grid


def _summary(answer: Answer) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for label, text in summary(answer):
        style = _STYLES[answer.status] if label == "status" else ""
        grid.add_row(label, Text(one_line(text), style=style))
    return Padding(grid, (0, 0))
