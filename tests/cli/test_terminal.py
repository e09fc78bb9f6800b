"""Is a run live in a real (pseudo) terminal, and does Ctrl-C end it as promised?"""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.cli.command import WIDEDEEP, Command, environment

from widedeep.journal import SqliteJournal

QUESTION = "What is the capital of Peru?"
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")

SLOW = """
import asyncio, sys
from pathlib import Path
from widedeep.agent import Agent
from widedeep.cli.following import Stream, follow
from widedeep.journal import SqliteJournal
from widedeep.messages import Found, Reply, ToolCall, ToolOutput
from widedeep.report.live import Lines
from widedeep.seams import ModelInfo
from widedeep.tools.function import tool

@tool(deadline=60)
async def look(query: str, seconds: float) -> ToolOutput:
    "Look something up."
    await asyncio.sleep(seconds)
    return ToolOutput(sources=(Found(query, f"{query} has 42 cats"),))

class Slow:
    info = ModelInfo("slow", free=True)

    async def reply(self, request, on):
        if request.turn == 1:
            given = ({"query": "fast", "seconds": 0.0}, {"query": "slow", "seconds": 50.0})
            return Reply(calls=tuple(ToolCall("look", each) for each in given))
        await asyncio.sleep(float(sys.argv[2]))
        return Reply("fast has 42 cats [1].")

async def main():
    journal = SqliteJournal(Path(sys.argv[1]) / "journal.sqlite")
    run = Agent(Slow(), [look], journal=journal).stream("How many cats?")
    answer = await follow(run, Lines(sys.stderr), Stream())
    journal.close()
    return answer

sys.exit(130 if asyncio.run(main()) is None else 0)
"""


def in_terminal(arguments: Sequence[str], env: dict[str, str]) -> tuple[int, str]:
    """Run a command in a terminal of its own; return its status and all that it wrote."""
    outer, inner = pty.openpty()
    running = subprocess.Popen(
        arguments, stdin=inner, stdout=inner, stderr=inner, env=env, start_new_session=True
    )
    os.close(inner)
    written = bytearray()
    while True:
        try:
            part = os.read(outer, 65536)
        except OSError:  # EIO: the other side has closed
            break
        if not part:
            break
        written += part
    os.close(outer)
    return running.wait(60), written.decode()


def colourful(store: Path, **more: str) -> dict[str, str]:
    env = environment(store, TERM="xterm-256color", COLUMNS="100", LINES="40", **more)
    env.pop("NO_COLOR", None)
    return env


def test_the_view_is_live_in_a_terminal(corpus: Path, store: Path):
    command = [WIDEDEEP, "ask", QUESTION, "--corpus", str(corpus)]
    status, text = in_terminal(command, colourful(store))
    assert status == 0
    assert "\x1b[?25l" in text, "the cursor is hidden while the view is live"
    assert text.rindex("\x1b[?25h") > text.rindex("\x1b[?25l"), "and is there again at the end"
    plain = CONTROL.sub("", text)
    assert re.search(r"Turn 1  target 3, \d calls? +model .* calls ", plain)
    assert re.search(r"✓ search_corpus .*\[\d.*(ms|s)", plain)
    assert re.search(r"Sources\r\n *\[1\] ", plain)
    assert re.search(r"status +answered", plain)


@pytest.mark.parametrize("variable", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_may_want_plain_text(corpus: Path, store: Path, variable: dict[str, str]):
    command = [WIDEDEEP, "ask", QUESTION, "--corpus", str(corpus)]
    status, text = in_terminal(command, {**colourful(store), **variable})
    assert status == 0
    assert "\x1b" not in text
    assert "turn 1: asking the model" in text


def test_events_in_a_terminal_are_not_drawn_over(corpus: Path, store: Path):
    command = [WIDEDEEP, "ask", QUESTION, "--corpus", str(corpus), "--events", "--quiet"]
    status, text = in_terminal(command, colourful(store))
    assert status == 0
    assert json.loads(text.splitlines()[0])["seq"] == 1


def test_other_commands_in_a_terminal(corpus: Path, store: Path, widedeep: Command):
    widedeep("ask", QUESTION, "--corpus", str(corpus))
    env = colourful(store)
    status, text = in_terminal([WIDEDEEP, "runs", "show", "last"], env)
    assert status == 0
    assert "Sources met" in CONTROL.sub("", text)
    status, text = in_terminal([WIDEDEEP, "search", str(corpus), "Peru"], env)
    assert status == 0
    assert "Lima" in text


class Slow:
    """A run with one call that takes a minute, in a process of its own."""

    def __init__(self, folder: Path, *, last_reply: float) -> None:
        """`last_reply` is the seconds that the model takes to answer at the end."""
        self.store = folder / "store"
        script = folder / "slow.py"
        script.write_text(SLOW, encoding="utf-8")
        self._process = subprocess.Popen(
            [sys.executable, str(script), str(self.store), str(last_reply)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.seen: list[str] = []
        self.wait_for("call_settled")

    def wait_for(self, kind: str) -> None:
        """Read events until one of a kind has come."""
        assert self._process.stdout is not None
        while not self.seen or json.loads(self.seen[-1])["kind"] != kind:
            line = self._process.stdout.readline()
            assert line, self._process.communicate()[1]
            self.seen.append(line)

    def send(self, what: signal.Signals) -> None:
        self._process.send_signal(what)

    def end(self) -> tuple[int, list[str], str]:
        """Return status, kinds of events and stderr of the end, which waits for no call."""
        out, err = self._process.communicate(timeout=30)
        kinds = [json.loads(line)["kind"] for line in self.seen + out.splitlines()]
        return self._process.returncode, kinds, err


def test_first_ctrl_c_asks_for_the_answer(tmp_path: Path):
    run = Slow(tmp_path, last_reply=0.0)
    run.send(signal.SIGINT)
    status, kinds, err = run.end()
    assert (status, kinds[-1]) == (0, "run_ended")
    assert "answering now" in err


@pytest.mark.parametrize("first", [[signal.SIGINT], []])
def test_second_ctrl_c_or_sigterm_ends_the_run(tmp_path: Path, first: list[signal.Signals]):
    run = Slow(tmp_path, last_reply=60.0)
    for each in first:
        run.send(each)
        run.wait_for("stopping")
    run.send(signal.SIGINT if first else signal.SIGTERM)
    status, _, err = run.end()
    assert status == 130
    [told] = [line for line in err.splitlines() if line.startswith("widedeep: interrupted")]
    journal = SqliteJournal(run.store / "journal.sqlite")
    [kept] = journal.runs()
    assert told.endswith(f"runs resume {kept.run_id}")
    assert [record.event.kind for record in journal.read(kept.run_id)][-1] == "run_interrupted"
    journal.close()


def test_ctrl_c_while_an_index_is_built(tmp_path: Path, store: Path):
    corpus = tmp_path / "large"
    corpus.mkdir()
    for n in range(200):
        (corpus / f"{n}.txt").write_text(f"word{n} other{n} more{n} " * 20_000, encoding="utf-8")
    running = subprocess.Popen(
        [WIDEDEEP, "index", str(corpus), "--out", str(tmp_path / "index")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stderr is not None
    assert running.stderr.readline().startswith("widedeep: indexing")
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "")
    *progress, last = err.splitlines()
    assert last == "widedeep: interrupted"
    assert all(line.startswith("widedeep: indexing") for line in progress)
    assert not (tmp_path / "index").exists()


EARLY = """
import os, signal, sys
from importlib import import_module

ask = import_module("widedeep.cli.ask")
made = ask._view

def interrupted(options):
    os.kill(os.getpid(), signal.SIGINT)  # before anything listens for it
    return made(options)

ask._view = interrupted
from widedeep.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_ctrl_c_before_the_run_is_followed_ends_in_one_line(
    widedeep: Command, corpus: Path, store: Path
):
    ended = subprocess.run(
        [sys.executable, "-c", EARLY, "ask", QUESTION, "--corpus", str(corpus), "--quiet"],
        capture_output=True,
        env=environment(store),
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (130, b"")
    assert ended.stderr.count(b"\n") == 1
    assert b"interrupted" in ended.stderr
    assert all(run["status"] is None for run in widedeep("runs", "list", "--json").json["runs"])
