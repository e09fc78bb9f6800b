"""Is a run shown right while it happens, whatever its texts and its terminal are?"""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from tests.report import recorded

from widedeep.costs import Budget
from widedeep.events import (
    CallSettled,
    CallStarted,
    Event,
    Replied,
    RequestFailed,
    RunInterrupted,
    RunStarted,
    TurnStarted,
)
from widedeep.messages import Outcome, Reply, ToolCall, ToolOutput, Width
from widedeep.report.hits import hits_block
from widedeep.report.live import Lines, Silent, Terminal
from widedeep.report.terminal import answer_block, fit, run_block
from widedeep.report.timeline import follow
from widedeep.seams import Hit

CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def screen(width: int = 100, encoding: str = "utf-8") -> tuple[Console, io.BytesIO]:
    """Return a console that believes it is a terminal, and the bytes it writes."""
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding=encoding, errors="backslashreplace", write_through=True)
    console = Console(
        file=out, force_terminal=True, width=width, height=30, _environ={}, legacy_windows=False
    )
    return console, raw


def shown(raw: io.BytesIO, encoding: str = "utf-8") -> str:
    return CONTROL.sub("", raw.getvalue().decode(encoding))


def play(view: Terminal, events: list[Event]) -> None:
    for event in events:
        view.take(event)
        view.tick()
    view.close()
    view.close()


def test_terminal_shows_turns_calls_and_a_late_result():
    console, raw = screen()
    play(Terminal(console, lambda: 1.0, keys="press x"), recorded.events())
    text = shown(raw)
    assert "How many people live in Ecuador?" in text
    assert re.search(r"Turn 1  target 3, 4 calls, 3 executed +model 100 ms  calls 2.0 s", text)
    assert re.search(r"✓ search_corpus people of Ecuador +\[1-2\]  250 ms", text)
    assert re.search(r"✗ search_corpus people of Peru +error: ConnectionError: no route", text)
    assert re.search(r"– read_document ec.json +late +2.0 s", text)
    assert "1.4 read_document ec.json: late, then ok" in text
    assert "press x" in text
    assert "answering: 3 turns brought nothing new" in text


def test_running_calls_count_their_time():
    console, raw = screen()
    now = [0.0]
    view = Terminal(console, lambda: now[0])
    for event in recorded.events()[:8]:
        view.take(event)
    now[0] = 2.5
    view.tick()
    view.close()
    assert re.search(r"search_corpus people of Peru +2.5 s", shown(raw))
    assert "4 calls (3 running)" in shown(raw)


def test_a_wide_turn_does_not_outgrow_the_screen():
    console, raw = screen()
    calls = tuple(ToolCall("read", {"id": f"doc-{n}"}, id=f"1.{n}") for n in range(1, 65))
    view = Terminal(console, lambda: 0.0)
    view.take(RunStarted("r", "q", "m", "s", Budget(), (), "2026-01-02", "0"))
    view.take(TurnStarted(1, Width(64, 64), 0.0, answering=False))
    view.take(Replied(1, Reply("", calls), 0.1))
    view.take(CallStarted(1, calls[-1], "read", early=False))
    view.tick()
    view.close()
    assert "and 40 more calls" in shown(raw)
    assert "doc-64" in shown(raw)


def test_a_terminal_without_unicode_gets_other_signs():
    console, raw = screen(encoding="ascii")
    play(Terminal(console, lambda: 1.0), recorded.events())
    text = shown(raw, "ascii")
    assert re.search(r"\+ search_corpus people of Ecuador", text)
    assert re.search(r"x search_corpus people of Peru", text)


EVIL = (
    "[red]x[/red] [/nope] \x1b[31mred\x1b[2J \x1b]0;title\x07 \u202ereversed \x9b2J {0} "
    "\ud800 :smile:"
)


def test_odd_text_is_inert_everywhere():
    console, raw = screen()
    answer = replace(recorded.ANSWER, question=EVIL, text=EVIL, notes=(EVIL,), short_answer=EVIL)
    odd = ToolCall(EVIL, {"query": EVIL}, id="1.5")
    events = recorded.events(answer)
    events[8:8] = [
        CallStarted(1, odd, "read", early=False),
        CallSettled("1.5", Outcome.ERROR, 0.1, error=EVIL),
    ]
    play(Terminal(console, lambda: 1.0), events)
    fit(console).print(answer_block(answer))
    raw_text = raw.getvalue().decode()
    for forbidden in ("\x1b[2J", "\x1b]0", "\u202e", "\x9b", "\ud83d\ude04"):
        assert forbidden not in raw_text
    assert "[red]x[/red] [/nope] red" in shown(raw)


@settings(max_examples=20, deadline=None)
@given(st.text(st.characters(codec=None), max_size=40))
def test_no_text_ends_the_view(text: str):
    console, raw = screen(60)
    answer = replace(recorded.ANSWER, question=text, text=text, short_answer=text)
    odd = ToolCall(text, {text: text}, id="1.5")
    events = recorded.events(answer)
    events[8:8] = [
        CallStarted(1, odd, "read", early=False),
        CallSettled("1.5", Outcome.OK, 0.1, ToolOutput(text)),
    ]
    play(Terminal(console, lambda: 1.0), events)
    console.print(answer_block(answer))
    assert raw.getvalue()


def test_answer_in_a_terminal():
    console, raw = screen()
    console.print(answer_block(recorded.ANSWER))
    text = shown(raw)
    assert "Ecuador has 18 people [1]. Peru has many [2]." in text
    assert "[2] peru.json  not verified" in text
    assert re.search(r"serial +5.0 s for the same calls one after another, 2.5 times as long", text)


def test_a_run_shown_again_has_its_hints_and_sources():
    console, raw = screen()
    console.print(run_block(follow(recorded.records()), console, hints=True))
    text = shown(raw)
    assert "Make 3 calls now." in text
    assert "[1] Ecuador (ec.json), turn 1" in text


def test_lines_have_no_control_characters_and_end_when_closed():
    out = io.StringIO()
    view = Lines(out, lambda: 0.0)
    for event in recorded.events(replace(recorded.ANSWER, question=EVIL)):
        view.take(event)
        view.tick()
    view.close()
    before = out.getvalue()
    view.take(recorded.events()[0])
    assert out.getvalue() == before
    assert "\x1b" not in before
    assert len(before.splitlines()) == 13


def test_silent_says_nothing(capsys: pytest.CaptureFixture[str]):
    view = Silent()
    for event in recorded.events():
        view.take(event)
    view.tick()
    view.say("x")
    view.close()
    assert capsys.readouterr() == ("", "")


def test_what_went_wrong_is_shown():
    timeline = follow(recorded.records()[:3])
    timeline.take(RequestFailed(1, "no [red]connection[/red]", 0.5), 1.0)
    timeline.take(RunInterrupted("the user"), 2.0)
    console, raw = screen()
    console.print(run_block(timeline, console))
    console.print(answer_block(replace(recorded.ANSWER, text="", short_answer=None)))
    text = shown(raw)
    assert re.search(r"Turn 1  no reply +model 500 ms", text)
    assert "no [red]connection[/red]" in text
    assert "interrupted: the user" in text
    assert "No answer: answered." in text


def test_hits_in_a_terminal():
    console, raw = screen(40)
    hits = [Hit("a.md", "A", "words " * 12, 1.5, 0), Hit("b.md", None, EVIL, 1.0, 2)]
    console.print(hits_block(hits))
    console.print(hits_block([]))
    lines = shown(raw).splitlines()
    assert lines[0].startswith("1. A (a.md), passage 0, score 1.50")
    assert all(line.startswith("   words") for line in lines[1:3])
    assert lines[-1] == "nothing found"
