"""What was said in a run: its history as the record tells it, and a hash of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from widedeep.events import Appended, BatchEnded, Continued, Event, Record, Replied, Trimmed
from widedeep.messages import Assistant, Message, Results

UNMARKED = "result"
"""What stands in the hash for the delimiters of a run, which no other run has."""


def message_of(event: Event) -> Message | None:
    """Return the message by which the durable history grew with an event, if it did."""
    match event:
        case Appended(message):
            return message
        case Replied(_, reply) if reply.text or reply.calls:
            return Assistant(reply.text, reply.calls, reply.reasoning, reply.provider, reply.model)
        case BatchEnded(results=results):
            return Results(results)
        case _:
            return None


def delimiter_of(run_id: str) -> str:
    """Return what frames texts from outside in a run: a mark that they cannot know."""
    return f"result-{hashlib.sha256(run_id.encode()).hexdigest()[:8]}"


def transcript_hash(records: Iterable[Record]) -> str:
    """Return a SHA-256 of a run's history: the same for runs in which the same was said.

    It covers the messages in order: their texts, the calls with their arguments, the results with
    their outcomes. Ids, times, delimiters, tails and prices are left out.
    """
    digest = hashlib.sha256()
    marks: tuple[str, ...] = ()
    for record in records:
        event = record.event
        if not marks or isinstance(event, Continued):
            runs = event.runs if isinstance(event, Continued) else ()
            marks = tuple(map(delimiter_of, (record.run_id, *runs)))
        for part in _said(event):
            text = json.dumps(part, sort_keys=True, default=str)
            for mark in marks:
                text = text.replace(mark, UNMARKED)
            digest.update(text.encode() + b"\n")
    return digest.hexdigest()


def _said(event: Event) -> Iterator[Any]:
    """Yield what an event adds to what was said, as JSON."""
    if (message := message_of(event)) is not None:
        yield from _parts(message)
    elif isinstance(event, Trimmed):
        yield ["trimmed", event.batches]
    elif isinstance(event, Continued):
        for message in event.history:
            yield from _parts(message)
        if event.trimmed:
            yield ["trimmed", event.trimmed]


def _parts(message: Message) -> Iterator[Any]:
    """Yield what of a message counts, as JSON."""
    yield message.role
    if isinstance(message, Results):
        for result in message.results:
            yield [result.outcome, result.text]
        return
    yield message.text
    if isinstance(message, Assistant):
        for call in message.calls:
            arguments = call.arguments
            plain = dict(arguments) if isinstance(arguments, Mapping) else call.raw
            yield [call.tool, plain]
