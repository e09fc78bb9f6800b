"""A run as its events tell it, made by hand: what every report is tested on."""

from __future__ import annotations

from dataclasses import replace

from widedeep.costs import Budget
from widedeep.events import (
    Appended,
    BatchEnded,
    CallSettled,
    CallStarted,
    Event,
    Record,
    Replied,
    RequestSent,
    RunEnded,
    RunStarted,
    SourcesMet,
    Stopping,
    TurnStarted,
)
from widedeep.messages import (
    Answer,
    Calls,
    Citation,
    Found,
    Outcome,
    Reply,
    Seconds,
    Source,
    ToolCall,
    ToolOutput,
    ToolResult,
    ToolSpec,
    Usage,
    User,
    Width,
    WidthUsed,
)

QUESTION = "How many people live in Ecuador?"
RUN = "20260102-030405-abcdef"

PERU = Source(2, "peru.json", "Peru has many people", "passage", None, None, 1)
ECUADOR = Source(
    1, "ec.json", "Ecuador has 18 people", "passage", "Ecuador", "https://x.example/ec", 1
)


def call(place: str, tool: str = "search_corpus", **arguments: object) -> ToolCall:
    return ToolCall(tool, arguments, id=place)


SEARCH = call("1.1", query="people of Ecuador")
BROKEN = call("1.2", query="people of Peru")
AGAIN = call("1.3", query="people of Ecuador")
SLOW = call("1.4", "read_document", id="ec.json")

RESULTS = (
    ToolResult(SEARCH, Outcome.OK, "found", (ECUADOR, PERU), 0.25),
    ToolResult(BROKEN, Outcome.ERROR, "ConnectionError: no route", (), 0.5),
    ToolResult(AGAIN, Outcome.DUPLICATE, "as in 1.1", (ECUADOR, PERU), None),
    ToolResult(SLOW, Outcome.LATE, "still running", (), 2.0),
)

ANSWER = Answer(
    run_id=RUN,
    question=QUESTION,
    status="answered",
    stopped_by="answer",
    text="Ecuador has 18 people [1]. Peru has many [2].",
    short_answer="18",
    citations=(
        Citation(1, "ec.json", "Ecuador", "Ecuador has 18 people", verified=True),
        Citation(2, "peru.json", None, "Peru has many people", verified=False),
    ),
    sources=(ECUADOR, PERU),
    turns=1,
    calls=Calls(requested=4, executed=3, ok=1, error=1, late=1, duplicate=1),
    width=(WidthUsed(1, 3, 4, 4, 3),),
    usage=Usage(input=100, output=20),
    cost_usd=None,
    seconds=Seconds(wall=2.0, critical_path=1.9, serial=5.0),
    model="scripted",
    schedule="descending",
    notes=("one call was late",),
)


def events(answer: Answer = ANSWER) -> list[Event]:
    """Return a run of one turn of four calls (ok, error, duplicate, late) and its answer."""
    wide = Width(3, 4)
    calls = (SEARCH, BROKEN, AGAIN, SLOW)
    output = ToolOutput("found", (Found("ec.json", "x"), Found("peru.json", "y")))
    happened: list[Event] = [
        RunStarted(
            RUN,
            answer.question,
            "scripted",
            "descending",
            Budget(),
            (ToolSpec("search_corpus", "Search.", {"type": "object"}),),
            "2026-01-02",
            "0.1.0",
        ),
        Appended(User(answer.question)),
        TurnStarted(1, wide, 0.0, answering=False),
        RequestSent(1, 2, "Make 3 calls now.", "auto"),
        CallStarted(1, SEARCH, "read", early=True),
        Replied(1, Reply("I look at both.", calls), 0.1),
        CallStarted(1, BROKEN, "read", early=False),
        CallStarted(1, SLOW, "read", early=False),
        CallSettled("1.1", Outcome.OK, 0.25, output),
        CallSettled("1.2", Outcome.ERROR, 0.5, error="ConnectionError: no route"),
        SourcesMet(1, (ECUADOR, PERU)),
        BatchEnded(1, wide, RESULTS, 3, 2.0),
        CallSettled("1.4", Outcome.OK, 3.5, ToolOutput("late text")),
        Stopping(2, "nothing_new", "3 turns brought nothing new"),
        TurnStarted(2, Width(0, 0), 0.1, answering=True),
        RequestSent(2, 4, None, "none"),
        Replied(2, Reply(answer.text), 0.2),
        RunEnded(replace(answer)),
    ]
    return happened


def records(answer: Answer = ANSWER) -> list[Record]:
    """Return the same, as the journal holds it: one event a tenth of a second."""
    all_of_it = events(answer)
    return [Record(RUN, seq, seq / 10, event) for seq, event in enumerate(all_of_it, 1)]
