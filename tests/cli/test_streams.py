"""What becomes of an answer when stdout, stderr or stdin is closed, full or not read?"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from tests.cli.command import WIDEDEEP, environment, process
from tests.require import need

QUESTION = "What is the capital of Peru?"
FULL = Path("/dev/full")


def shell(line: str, store: Path, corpus: Path) -> subprocess.CompletedProcess[bytes]:
    """Run `$W` as a shell would; `$Q` is a question and `$C` a corpus."""
    env = environment(store, W=WIDEDEEP, Q=QUESTION, C=str(corpus))
    return subprocess.run(["sh", "-c", line], capture_output=True, env=env, check=False, timeout=60)


@pytest.mark.parametrize("streams", [">&-", "2>&-", "2>/dev/full", "<&-"])
def test_an_answer_needs_neither_progress_nor_a_question_on_stdin(
    corpus: Path, store: Path, streams: str
):
    need(FULL.exists(), "/dev/full")
    ended = shell(f'"$W" ask "$Q" --corpus "$C" --json {streams}', store, corpus)
    assert ended.returncode == 0
    assert b"Traceback" not in ended.stderr
    if streams != ">&-":
        assert json.loads(ended.stdout)["status"] == "answered"


@pytest.mark.parametrize("more", [[], ["--json"], ["--events"]])
def test_an_answer_comes_when_nobody_reads_the_progress(corpus: Path, store: Path, more: list[str]):
    running = subprocess.Popen(
        [WIDEDEEP, "ask", QUESTION, "--corpus", str(corpus), *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(store),
    )
    assert running.stdout is not None
    assert running.stderr is not None
    running.stderr.close()
    out = running.stdout.read()
    running.stdout.close()
    assert running.wait(60) == 0
    assert b"Lima" in out


@pytest.mark.parametrize(
    "command",
    [
        'ask "$Q" --corpus "$C" --quiet',
        'ask "$Q" --corpus "$C" --quiet --json',
        'ask "$Q" --corpus "$C" --quiet --events',
        'search "$C" Peru --quiet',
        "runs list",
        "config show --json",
        "doctor",
        "--help",
        "ask --help",
        "--version",
    ],
)
def test_a_full_stdout_is_one_line(corpus: Path, store: Path, command: str):
    need(FULL.exists(), "/dev/full")
    ended = shell(f'"$W" {command} >/dev/full', store, corpus)
    assert ended.returncode == 1
    assert ended.stderr.startswith(b"widedeep: error: stdout: cannot be written to")
    assert ended.stderr.count(b"\n") == 1


@pytest.mark.parametrize("command", ["ask", "help"])
def test_a_stdout_that_nobody_reads_ends_in_silence(corpus: Path, store: Path, command: str):
    asked = ["ask", QUESTION, "--corpus", str(corpus), "--events", "--quiet"]
    running = subprocess.Popen(
        [WIDEDEEP, *(asked if command == "ask" else ["--help"])],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(store),
    )
    assert running.stdout is not None
    running.stdout.close()
    assert running.stderr is not None
    err = running.stderr.read()
    running.stderr.close()
    assert running.wait(60) == 141
    assert err == b""


def test_a_pipe_that_does_not_block_gets_every_byte(corpus: Path, store: Path):
    for number in range(100):
        (corpus / f"{number}.txt").write_text(f"Peru {'and more ' * 300}")
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    command = [WIDEDEEP, "search", str(corpus), "Peru", "-k", "100", "--json", "--quiet"]
    with os.fdopen(reading, "rb") as stream:
        running = subprocess.Popen(command, stdout=writing, env=environment(store))
        os.close(writing)
        out = stream.read()
    assert running.wait(60) == 0
    assert len(out) > 2 * 65536  # more than a pipe holds
    assert len(json.loads(out)["hits"]) == 100


def test_an_answer_that_cannot_be_saved_is_still_shown(corpus: Path, store: Path):
    out = corpus.parent / "out"
    (out / "answer.md").mkdir(parents=True)
    ended = process("ask", QUESTION, "--corpus", str(corpus), "--out", str(out), store=store)
    assert ended.returncode == 1
    assert b"Lima" in ended.stdout
    assert b"the answer is kept: widedeep runs show" in ended.stderr


def test_a_stdin_that_cannot_be_read_is_named(corpus: Path, store: Path):
    ended = shell('"$W" ask - --corpus "$C" 0>/dev/null', store, corpus)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert b"stdin" in ended.stderr
    assert ended.stderr.count(b"\n") == 1
