"""What does an answer look like as a Markdown document (`answer.md`)?"""

from __future__ import annotations

import re

from widedeep.messages import Answer, Citation, Source
from widedeep.report.inert import inert, one_line
from widedeep.report.words import summary

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#])")
_NOTHING = "*No answer: {why}*"


def document(answer: Answer) -> str:
    """Return question, answer, numbered sources with quotes, and the summary."""
    parts = [f"# {_plain(answer.question)}", _answer(answer)]
    if answer.citations:
        urls = {source.n: source for source in answer.sources}
        cited = [_citation(one, urls.get(one.n)) for one in answer.citations]
        parts += ["## Sources", *cited]
    parts += ["## Summary", _summary(answer)]
    return "\n\n".join(parts) + "\n"


def _answer(answer: Answer) -> str:
    text = inert(answer.text).strip()
    if not text:
        return _NOTHING.format(why=_plain(answer.status.replace("_", " ")))
    short = answer.short_answer
    if short and one_line(short) not in one_line(text):
        return f"**{_plain(short)}**\n\n{text}"
    return text


def _citation(citation: Citation, source: Source | None) -> str:
    """Return one numbered source with its quote; an unverified one says so."""
    title = _plain(citation.title or citation.source)
    url = one_line(source.url) if source and source.url else ""
    place = f"<{url}>" if url.startswith(("https://", "http://")) else _code(citation.source)
    mark = "" if citation.verified else " — **not verified**"
    lines = [f"**[{citation.n}]** {title}, {place}{mark}"]
    if citation.quote.strip():
        lines += ["", *(f"> {_plain(line)}" for line in inert(citation.quote).strip().split("\n"))]
    return "\n".join(lines)


def _summary(answer: Answer) -> str:
    return "\n".join(f"- {label}: {_plain(text)}" for label, text in summary(answer))


def _plain(text: str) -> str:
    """Return text on one line that Markdown shows as it is."""
    return _SPECIAL.sub(r"\\\1", one_line(text))


def _code(text: str) -> str:
    return "`" + one_line(text).replace("`", "'") + "`"
