"""How a run becomes an answer: its text, checked citations, an honest status, what it took."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any, cast

from widedeep import evidence
from widedeep.agent.learning import REPEATED
from widedeep.agent.state import RunState
from widedeep.events import RunResumed
from widedeep.messages import (
    Answer,
    Calls,
    Citation,
    Quote,
    Reply,
    Seconds,
    Status,
    StoppedBy,
    Usage,
)
from widedeep.prompts import fill
from widedeep.text import sentences

WHOLE: frozenset[StoppedBy] = frozenset({"answer", "nothing_new"})
"""What may end a run without making its answer partial."""

BROKEN: frozenset[StoppedBy] = frozenset({"model_error", "error"})
"""What may end a run that says nothing of what the sources hold."""

SHORT_ANSWER_WORDS = 8

QUOTES = 10
"""Quotes that an answer keeps."""

REPETITIONS = 3
"""Calls that are named for having been asked for over and over."""

_MARK = re.compile(r"\s*\[\d+(?:\s*[,;]\s*\d+)*\]")


@dataclass(frozen=True, slots=True)
class Ending:
    """What ended the run: the last reply, or none when the model wrote no answer."""

    stopped_by: StoppedBy
    reply: Reply | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """What a reply says once prose or JSON is read; `text` None = it abstains without words."""

    text: str
    short: str | None
    abstains: bool


def conclude(run: RunState, ending: Ending) -> Answer:
    """Return the answer of a run; without a reply it is the kept quotes, cited."""
    written = _read(ending.reply) if ending.reply else _quotes(run)
    if ending.reply and not written.text and not written.abstains:
        ending, written = Ending("empty_reply", note=ending.note), _quotes(run)
    citations, doubts = evidence.check(written.text, run.sources)
    status = _status(run, ending, written, citations)
    stopped_by = ending.stopped_by
    if stopped_by == "answer" and ending.reply and ending.reply.stop != "end":
        stopped_by = "cut_reply"
    return Answer(
        run_id=run.id,
        question=run.question,
        status=status,
        stopped_by=stopped_by,
        text=written.text,
        short_answer=written.short,
        citations=citations,
        sources=run.sources.all(),
        turns=len(run.tally.turns),
        calls=_calls(run),
        width=tuple(run.tally.widths),
        usage=_total(run.tally.usages),
        cost_usd=run.spend.spent.usd,
        seconds=_seconds(run),
        model=run.setup.model.info.name,
        schedule=str(run.setup.schedule),
        notes=tuple(_notes(run, ending, status, doubts)),
        quotes=_best(run, ending.reply, citations),
        continues=run.continues,
        prices=prices.source if (prices := run.setup.model.info.prices) else None,
    )


def _status(
    run: RunState, ending: Ending, written: Written, citations: tuple[Citation, ...]
) -> Status:
    if written.abstains:
        return "no_evidence"
    if not written.text:
        broken = ending.stopped_by in BROKEN or not run.spend.calls
        return "failed" if broken else "no_evidence"
    if run.setup.tools and not len(run.sources):
        return "no_evidence"
    cut = ending.reply is None or ending.reply.stop != "end"
    if cut or ending.stopped_by not in WHOLE:
        return "partial"
    verified = any(citation.verified for citation in citations)
    return "answered" if verified or not run.setup.tools else "partial"


def _read(reply: Reply) -> Written:
    """Read a reply as prose or as a JSON object with an `answer`."""
    data = _json(reply.text)
    if data is None or "answer" not in data:
        text = reply.text.strip()
        return Written(text, reply.short_answer or _short(text), reply.abstains)
    answer = data["answer"]
    if answer is None:
        return Written("The sources hold no answer to this question.", None, abstains=True)
    text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    short = data.get("short_answer")
    return Written(text.strip(), str(short) if short else _short(text), reply.abstains)


def _json(text: str) -> dict[str, Any] | None:
    body = re.sub(r"^```(?:json)?\s*|\s*```$", "", text.strip())
    if not body.startswith("{"):
        return None
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", data)


def _short(text: str) -> str | None:
    bare = _MARK.sub("", text).strip()
    if len(sentences(bare)) != 1 or len(bare.split()) > SHORT_ANSWER_WORDS:
        return None
    return bare.rstrip(".")


def _quotes(run: RunState) -> Written:
    quotes = evidence.kept(run.question, run.sources, run.ledger)
    lines = [f"- “{' '.join(quote.text.split())}” [{quote.n}]" for quote in quotes]
    text = "\n".join([fill("kept_quotes"), *lines]) if lines else ""
    return Written(text, None, abstains=False)


def _best(run: RunState, reply: Reply | None, citations: tuple[Citation, ...]) -> tuple[Quote, ...]:
    """Return the quotes of the ledger, best first, or those that the answer cites."""
    ledger = reply.ledger if reply and reply.ledger else run.ledger
    quotes = [quote for entry in ledger for quote in entry.quotes]
    return tuple(quotes or (Quote(one.n, one.quote) for one in citations))[:QUOTES]


def _calls(run: RunState) -> Calls:
    sums = {f.name: sum(getattr(calls, f.name) for calls in run.tally.turns) for f in fields(Calls)}
    return Calls(**sums)


def _total(usages: Iterable[Usage]) -> Usage:
    """Return the sum of what the provider said; what it never said stays unknown."""

    def add(values: list[int | None]) -> int | None:
        known = [value for value in values if value is not None]
        return sum(known) if known else None

    rows = list(usages)
    return Usage(
        input=add([row.input for row in rows]),
        cached=add([row.cached for row in rows]),
        cache_write=add([row.cache_write for row in rows]),
        output=add([row.output for row in rows]),
        reasoning=add([row.reasoning for row in rows]),
    )


def _seconds(run: RunState) -> Seconds:
    """Return wall time, critical path and serial time; no call counts longer than a turn may."""
    slowest: dict[int, float] = {}
    serial = model = run.tally.model_seconds
    for call_id, seconds in run.tally.call_seconds.items():
        turn = int(call_id.partition(".")[0])
        counted = min(seconds, run.setup.turn_deadline)
        serial += counted
        slowest[turn] = max(slowest.get(turn, 0.0), counted)
    waited = run.tally.batch_seconds
    path = model + sum(min(slowest.get(turn, 0.0), seconds) for turn, seconds in waited.items())
    wall = asyncio.get_running_loop().time() - run.started
    return Seconds(wall=wall, critical_path=path, serial=serial)


def _notes(run: RunState, ending: Ending, status: Status, doubts: tuple[str, ...]) -> list[str]:
    notes = [ending.note] if ending.note else []
    if ending.reply and ending.reply.stop != "end":
        notes.append("The answer was cut off before its end.")
    late = sum(calls.late for calls in run.tally.turns)
    if late:
        notes.append(f"{late} calls did not end within the deadline of their turn.")
    deferred = sum(calls.deferred for calls in run.tally.turns)
    if deferred:
        notes.append(f"{deferred} calls were over the cap of their turn and were not run.")
    if run.runner.orphans:
        notes.append(
            f"{run.runner.orphans} calls started early and were not in the reply; "
            "they count towards the limit of calls."
        )
    notes += [run.why] if run.whose != run.spend.name else []
    notes += _repeated(run)
    notes += _taken_over(run)
    notes += map(_cut_off, run.cuts)
    notes += dict.fromkeys(_unsettled(run, status))
    for text, count in run.tally.failures.most_common(5):
        notes.append(f"{count} × {text}" if count > 1 else text)
    return notes + list(doubts)


def _repeated(run: RunState) -> Iterator[str]:
    """Yield which calls were asked for over and over."""
    for call_id, times in run.asked.most_common(REPETITIONS):
        if times >= REPEATED:
            yield f"Call {call_id} was asked for {times} times; it was made once."


def _taken_over(run: RunState) -> list[str]:
    """Return who replied, when that was not the preferred model alone."""
    members, writers = run.setup.model.info.members, run.tally.writers
    if not members or set(writers) <= {members[0].name}:
        return []
    return [f"Replies: {', '.join(f'{count} by {name}' for name, count in writers.items())}."]


def _cut_off(cut: RunResumed) -> str:
    """Return what is said of the run having been cut off."""
    under_way = ["a model request"] if cut.request else []
    if cut.calls:
        under_way.append(f"calls {', '.join(cut.calls)}")
    if not under_way:
        return "The run was cut off and went on; nothing was under way."
    return (
        f"The run was cut off and went on. Under way were {' and '.join(under_way)}: each is "
        "charged, and made again unless it is a call of a tool that writes."
    )


def _unsettled(run: RunState, status: Status) -> Iterator[str]:
    """Yield what the ledger leaves open, unless the question is answered, and what is refuted."""
    for entry in run.ledger:
        marks = "".join(f" [{n}]" for n in dict.fromkeys(quote.n for quote in entry.quotes))
        if entry.state == "refuted" and marks:
            yield f"Refuted: {entry.text}{marks}"
        elif entry.state == "open" and status != "answered":
            yield f"Still open: {entry.text}"
