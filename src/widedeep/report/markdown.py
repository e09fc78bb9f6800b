"""What does an answer look like as a Markdown document (`answer.md`)?"""

from __future__ import annotations

import re
from dataclasses import replace

from widedeep.messages import Answer, Citation, Quote, Source
from widedeep.report import styles
from widedeep.report.dates import stated
from widedeep.report.inert import inert, one_line
from widedeep.report.styles import Finding, Ledger, Style
from widedeep.report.words import many, said, summary

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#])")
_NOTHING = "*No answer: {why}*"


def document(answer: Answer, style: Style = "brief", ledger: Ledger = ()) -> str:
    """Return the answer as a document under its question, in one of the styles.

    `brief` has the answer, numbered sources with quotes, and the summary; `ledger`, the run's
    sub-questions, is told of in a `report` only.
    """
    parts = [f"# {_plain(answer.question)}"]
    match style:
        case "short":
            parts += _short(answer)
        case "brief":
            parts += [_answer(answer), *_cited(answer), "## Summary", _summary(answer)]
        case "report":
            parts += [sections(answer, ledger), "## Summary", _summary(answer, report=True)]
    return "\n\n".join(parts) + "\n"


def sections(answer: Answer, ledger: Ledger = ()) -> str:
    """Return the sections of a report: answer, evidence, what is open, sources."""
    parts = ["## Answer", _answer(answer), "## Evidence"]
    findings = styles.evidence(answer, ledger)
    parts += [_finding(one) for one in findings] or ["*No quote was kept.*"]
    parts += ["## Open questions and contradictions"]
    parts += _open(answer, ledger) or ["*None that the run knows of.*"]
    return "\n\n".join([*parts, "## Sources", _sources(answer, ledger)])


def _short(answer: Answer) -> list[str]:
    said = styles.short(answer)
    if not said:
        return [_answer(answer)]
    sources = {source.n: source for source in answer.sources}
    heads = [_head(one, sources.get(one.n)) for one in styles.short_sources(answer)]
    return [said, *heads]


def _open(answer: Answer, ledger: Ledger) -> list[str]:
    """Return what speaks against something, what is not settled, and what is not verified."""
    parts = [_finding(one, "Contradicted: ") for one in styles.contradicted(ledger)]
    if opened := styles.unsettled(answer, ledger):
        done = answer.status == "answered"
        parts.append("Left open when the answer was found:" if done else "Still open:")
        parts.append("\n".join(f"- {_plain(text)}" for text in opened))
    if numbers := styles.doubted(answer):
        marks = _plain(" ".join(f"[{n}]" for n in numbers))
        parts.append(f"Not verified, as the source does not bear out what cites it: {marks}")
    return parts


def _finding(finding: Finding, label: str = "") -> str:
    """Return a sub-question as a heading with its quotes below."""
    return "\n\n".join([f"### {label}{_plain(finding.text)}", *map(_quote, finding.quotes)])


def _quote(quote: Quote) -> str:
    lines = inert(quote.text).strip().split("\n")
    quoted = [f"> {_plain(line)}" for line in lines if line.strip()]
    return "\n".join([*quoted[:-1], f"{quoted[-1] if quoted else '>'} [{quote.n}]"])


def _sources(answer: Answer, ledger: Ledger) -> str:
    """Return the sources named, each with the day that it gives for itself."""
    named = styles.used(answer, ledger)
    doubted = styles.doubted(answer)
    lines = [_listed(source, doubted) for source in named]
    if others := len(answer.sources) - len(named):
        lines.append(f"- and {many(others, 'source')} met that nothing was taken from")
    return "\n".join(lines) or "*None.*"


def _listed(source: Source, doubted: tuple[int, ...]) -> str:
    day = stated(source)
    mark = " — **not verified**" if source.n in doubted else ""
    return f"- **[{source.n}]** {_where(source)}" + (f", {day}" if day else "") + mark


def _where(source: Source) -> str:
    title = _plain(source.title or "")
    return f"{title}, {_place(source.id, source)}" if title else _place(source.id, source)


def _cited(answer: Answer) -> list[str]:
    sources = {source.n: source for source in answer.sources}
    cited = [_citation(one, sources.get(one.n)) for one in answer.citations]
    return ["## Sources", *cited] if cited else []


def _answer(answer: Answer) -> str:
    text = inert(answer.text).strip()
    if not text:
        return _NOTHING.format(why=_plain(answer.status.replace("_", " ")))
    short = said(answer)
    if short and short not in one_line(text):
        return f"**{_plain(short)}**\n\n{text}"
    return text


def _citation(citation: Citation, source: Source | None) -> str:
    """Return one numbered source with its quote; an unverified one says so."""
    lines = [_head(citation, source)]
    if citation.quote.strip():
        lines += ["", *(f"> {_plain(line)}" for line in inert(citation.quote).strip().split("\n"))]
    return "\n".join(lines)


def _head(citation: Citation, source: Source | None) -> str:
    title = _plain(citation.title or citation.source)
    mark = "" if citation.verified else " — **not verified**"
    return f"**[{citation.n}]** {title}, {_place(citation.source, source)}{mark}"


def _place(id: str, source: Source | None) -> str:
    url = one_line(source.url) if source and source.url else ""
    return f"<{url}>" if url.startswith(("https://", "http://")) else _code(id)


def _summary(answer: Answer, *, report: bool = False) -> str:
    told = replace(answer, notes=styles.run_notes(answer)) if report else answer
    return "\n".join(f"- {label}: {_plain(text)}" for label, text in summary(told))


def _plain(text: str) -> str:
    """Return text on one line that Markdown shows as it is."""
    return _SPECIAL.sub(r"\\\1", one_line(text))


def _code(text: str) -> str:
    return "`" + one_line(text).replace("`", "'") + "`"
