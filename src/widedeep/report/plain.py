"""What does an answer look like as plain text, for a pipe or a file?"""

from __future__ import annotations

from widedeep.messages import Answer, Citation
from widedeep.report.inert import inert, one_line
from widedeep.report.words import summary, why

_LABEL = 10


def answer_text(answer: Answer, *, brief: bool = False) -> str:
    """Return the answer with its numbered citations and, unless `brief`, the summary."""
    parts = [words(answer)]
    if answer.citations:
        parts.append("\n".join(_citation(one) for one in answer.citations))
    if not brief:
        lines = summary(answer)
        parts.append("\n".join(f"{label:<{_LABEL}}{one_line(text)}" for label, text in lines))
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
    mark = "" if citation.verified else "  not verified"
    head = f"[{citation.n}] {place(citation)}{mark}"
    quote = one_line(citation.quote)
    return f'{head}\n    "{quote}"' if quote else head
