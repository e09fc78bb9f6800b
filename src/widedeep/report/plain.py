"""What does an answer look like as plain text, for a pipe or a file?"""

from __future__ import annotations

from widedeep.messages import Answer, Citation
from widedeep.report import styles
from widedeep.report.inert import inert, one_line
from widedeep.report.markdown import document
from widedeep.report.styles import Ledger, Style
from widedeep.report.words import summary, why

_LABEL = 10


def styled_text(answer: Answer, style: Style, ledger: Ledger = (), *, brief: bool = False) -> str:
    """Return the answer in one of the styles; a report is Markdown."""
    match style:
        case "short":
            return short_text(answer, brief=brief)
        case "brief":
            return answer_text(answer, brief=brief)
        case "report":
            return document(answer, "report", ledger)


def answer_text(answer: Answer, *, brief: bool = False) -> str:
    """Return the answer with its numbered citations and, unless `brief`, the summary."""
    parts = [words(answer)]
    if answer.citations:
        parts.append("\n".join(_citation(one) for one in answer.citations))
    if not brief:
        lines = summary(answer)
        parts.append("\n".join(f"{label:<{_LABEL}}{one_line(text)}" for label, text in lines))
    return "\n\n".join(parts) + "\n"


def short_text(answer: Answer, *, brief: bool = False) -> str:
    """Return the short form and, unless `brief`, where it comes from and how sure it is."""
    parts = [styles.short(answer) or words(answer)]
    named = styles.short_sources(answer)
    if named and not brief:
        parts.append("\n".join(_head(one) for one in named))
    if answer.status != "answered" and answer.text.strip() and not brief:
        label, text = summary(answer)[0]
        parts.append(f"{label:<{_LABEL}}{text}")
    return "\n\n".join(parts) + "\n"


def words(answer: Answer) -> str:
    """Return the answer's own text, or that there is none and why."""
    text = inert(answer.text).strip()
    if text:
        return text
    if answer.status == "no_evidence":
        return "No answer: the sources hold no evidence for one."
    return f"No answer: {why(answer) or answer.status}."


def place(citation: Citation) -> str:
    """Return where a citation comes from: its title and its id, once if they are the same."""
    title = one_line(citation.title or "")
    source = one_line(citation.source)
    return source if not title or title == source else f"{title} ({source})"


def _citation(citation: Citation) -> str:
    quote = one_line(citation.quote)
    return f'{_head(citation)}\n    "{quote}"' if quote else _head(citation)


def _head(citation: Citation) -> str:
    mark = "" if citation.verified else "  not verified"
    return f"[{citation.n}] {place(citation)}{mark}"
