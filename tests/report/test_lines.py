"""Is each thing worth saying said on one line, with nothing a terminal would act on?"""

from __future__ import annotations

from dataclasses import replace

from tests.report import recorded

from widedeep.events import (
    Event,
    Replied,
    RequestFailed,
    RequestRestarted,
    RunInterrupted,
    TurnStarted,
)
from widedeep.messages import Reply, Width
from widedeep.report.lines import lines, told
from widedeep.report.timeline import Timeline, follow


def said(events: list[Event]) -> list[str]:
    timeline, found = Timeline(), list[str]()
    for at, event in enumerate(events):
        timeline.take(event, float(at))
        found += lines(event, timeline)
    return found


def test_a_run_line_by_line():
    assert said(recorded.events()) == [
        "run 20260102-030405-abcdef: How many people live in Ecuador?",
        "turn 1: asking the model",
        "turn 1: replied in 100 ms: target 3, 4 calls",
        "  1.1 search_corpus people of Ecuador: ok in 250 ms, 2 found",
        "  1.2 search_corpus people of Peru: error: ConnectionError: no route (500 ms)",
        "  1.3 search_corpus people of Ecuador: duplicate [1-2]",
        "  1.4 read_document ec.json: late (2.0 s)",
        "turn 1: ended in 2.0 s",
        "  1.4 read_document ec.json: late, then ok, 1 found (3.5 s)",
        "stopping: 3 turns brought nothing new",
        "turn 2: answering",
        "turn 2: replied in 200 ms: answer",
        "run 20260102-030405-abcdef: answered in 2.0 s, 1 turn, 3 calls",
    ]


def test_a_run_told_afterwards_has_hints_numbers_and_sources():
    assert told(follow(recorded.records())) == [
        "run 20260102-030405-abcdef: How many people live in Ecuador?",
        "turn 1: target 3, 4 calls, 3 executed; model 100 ms, calls 2.0 s",
        "  hint: Make 3 calls now.",
        "  text: I look at both.",
        "  1.1 search_corpus people of Ecuador: ok in 250 ms, [1-2]",
        "  1.2 search_corpus people of Peru: error: ConnectionError: no route (500 ms)",
        "  1.3 search_corpus people of Ecuador: duplicate [1-2]",
        "  1.4 read_document ec.json: late, then ok, 1 found (3.5 s)",
        "turn 2: answer; model 200 ms",
        "source [1] Ecuador (ec.json), turn 1",
        "source [2] peru.json, turn 1",
    ]


def test_what_goes_wrong_is_said():
    wide = TurnStarted(1, Width(2, 3), 0.0, answering=False)
    assert said(
        [
            wide,
            RequestRestarted(1, "the \x1b[31mconnection\n was lost"),
            RequestFailed(1, "no\u202e reply", 0.5),
            RunInterrupted("user"),
        ]
    )[1:] == [
        "turn 1: the reply starts anew: the connection was lost",
        "turn 1: no reply after 500 ms: no reply",
        "interrupted: user",
    ]
    assert said([wide, Replied(1, Reply(), 0.1)])[1:] == ["turn 1: replied in 100 ms: empty reply"]


def test_text_of_others_is_inert():
    evil = "\x1b[2J\x1b]0;x\x07[red]\u202e\nnew line"
    answer = replace(recorded.ANSWER, question=evil)
    assert said(recorded.events(answer))[0].endswith(": [red] new line")
