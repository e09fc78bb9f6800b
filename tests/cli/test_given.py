"""Is every option that cannot be what it was given named in one line, as it was typed?"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.command import Command, Ended, process

LONG = "x" * 256

PATHS: dict[str, list[str]] = {
    "--corpus": ["ask", "q", "--corpus", "{}"],
    "--out": ["ask", "q", "--corpus", "{corpus}", "--out", "{}"],
    "--store": ["ask", "q", "--corpus", "{corpus}", "--store", "{}"],
    "--config": ["ask", "q", "--corpus", "{corpus}", "--config", "{}"],
    "PATH": ["index", "{}", "--out", "{new}"],
    "--out of index": ["index", "{corpus}", "--out", "{}"],
    "INDEX": ["search", "{}", "q"],
    "WHERE": ["eval", "{}"],
    "--out of eval": ["eval", "{tasks}", "--corpus", "{corpus}", "--out", "{}"],
    "CORPUS": ["synth", "{}", "--out", "{new}"],
    "--out of synth": ["synth", "{corpus}", "--out", "{}"],
    "--svg": ["runs", "show", "last", "--svg", "{}"],
    "--store of runs": ["runs", "list", "--store", "{}"],
    "--store of config": ["config", "show", "--store", "{}"],
    "--config of config": ["config", "show", "--config", "{}"],
}

TEXTS: dict[str, list[str]] = {
    "--schedule": ["ask", "q", "--corpus", "{corpus}", "--schedule", "{}"],
    "--model": ["ask", "q", "--corpus", "{corpus}", "--model", "{}"],
    "--max-turns": ["ask", "q", "--corpus", "{corpus}", "--max-turns", "{}"],
    "--turn-deadline": ["ask", "q", "--corpus", "{corpus}", "--turn-deadline", "{}"],
    "-k": ["search", "{corpus}", "q", "-k", "{}"],
    "--limit": ["eval", "{tasks}", "--corpus", "{corpus}", "--limit", "{}"],
    "--kinds": ["synth", "{corpus}", "--out", "{new}", "--kinds", "{}"],
    "--n": ["synth", "{corpus}", "--out", "{new}", "--n", "{}"],
    "RUN": ["runs", "show", "{}"],
    "command": ["{}"],
}


def run(widedeep: Command, corpus: Path, line: list[str], value: str) -> Ended:
    tasks = corpus.parent / "tasks.jsonl"
    tasks.write_text('{"question": "q", "answer": "a"}\n', encoding="utf-8")
    new = str(corpus.parent / "new")
    places = {"corpus": str(corpus), "tasks": str(tasks), "new": new}
    return widedeep(*(each.format(value, **places) for each in line))


def is_one_line(ended: Ended) -> None:
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("widedeep: error: ")
    assert ended.err.count("\n") == 1
    assert "\\x00dash" not in ended.err


@pytest.mark.parametrize("option", PATHS)
@pytest.mark.parametrize("value", ["~nouser/x", LONG, "-", "", " ", "a\0b", "a\udcff"])
def test_no_path_can_be_that(widedeep: Command, corpus: Path, option: str, value: str):
    ended = run(widedeep, corpus, PATHS[option], value)
    is_one_line(ended)
    assert f"{option.split(maxsplit=1)[0]} {value!r}: " in ended.err


@pytest.mark.parametrize("option", TEXTS)
@pytest.mark.parametrize("value", ["-", "a\udcff"])
def test_no_text_or_number_can_be_that(widedeep: Command, corpus: Path, option: str, value: str):
    ended = run(widedeep, corpus, TEXTS[option], value)
    is_one_line(ended)
    assert repr(value)[1:-1] in ended.err or value.replace("\udcff", "\ufffd") in ended.err


@pytest.mark.parametrize("value", ["/", ".", "{corpus}"])
def test_a_picture_is_no_directory(widedeep: Command, corpus: Path, value: str):
    ended = run(widedeep, corpus, ["runs", "show", "last", "--svg", value], "")
    is_one_line(ended)
    assert "is a directory" in ended.err


@pytest.mark.parametrize("value", ["~nouser/x", LONG, "-"])
def test_a_store_in_the_environment(
    widedeep: Command, corpus: Path, monkeypatch: pytest.MonkeyPatch, value: str
):
    monkeypatch.setenv("WIDEDEEP_STORE", value)
    ended = widedeep("ask", "q", "--corpus", str(corpus))
    is_one_line(ended)
    assert f"WIDEDEEP_STORE {value!r}: " in ended.err
    found = widedeep("doctor")
    assert (found.status, found.err) == (1, "")
    assert f"FAIL  settings     WIDEDEEP_STORE {value!r}" in found.out


@pytest.mark.parametrize(
    ("option", "value", "wanted"),
    [
        ("--schedule", "a\udcff", "UTF-8"),
        ("--schedule", "constant:0", "constant:0"),
        ("--model", "\udcff", "UTF-8"),
    ],
)
def test_what_is_wrong_is_said_of_the_right_value(
    widedeep: Command, corpus: Path, option: str, value: str, wanted: str
):
    ended = widedeep("ask", "q", "--corpus", str(corpus), option, value)
    is_one_line(ended)
    assert option in ended.err
    assert wanted in ended.err


@pytest.mark.parametrize("command", ["ask", "search"])
def test_bytes_that_are_no_utf8_are_replaced(corpus: Path, store: Path, command: str):
    asked = ["ask", b"capital of Peru \x80", "--corpus", str(corpus)]
    sought = ["search", str(corpus), b"Peru \x80"]
    line = [*(asked if command == "ask" else sought), "--json", "--quiet"]
    ended = process(*line, store=store)  # pyright: ignore[reportArgumentType]
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert "Peru \ufffd" in ended.stdout.decode()


def test_a_device_is_written_to_and_not_replaced(widedeep: Command, corpus: Path, tmp_path: Path):
    assert widedeep("ask", "capital of Peru?", "--corpus", str(corpus)).status == 0
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR)  # so that the writer need not wait
    assert widedeep("runs", "show", "last", "--svg", str(pipe)).status == 0
    assert os.read(reader, 4) == b"<svg"
    os.close(reader)
    assert pipe.is_fifo()


HOMELESS = """
import os, pwd, sys
def unknown(key): raise KeyError(key)
pwd.getpwuid = unknown
from widedeep.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("more", "status"), [([], 2), (["--store", "{store}"], 0), (["--config", "{config}"], 0)]
)
def test_a_user_without_a_home(tmp_path: Path, more: list[str], status: int):
    config = tmp_path / "config.toml"
    config.write_text('store = "s"\n', encoding="utf-8")
    keep = {"PATH": os.environ["PATH"]}
    line = [each.format(store=tmp_path / "s", config=config) for each in more]
    ended = subprocess.run(
        [sys.executable, "-c", HOMELESS, "config", "show", *line],
        capture_output=True,
        env=keep,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == status
    if status:
        assert ended.stdout == ""
        assert ended.stderr.count("\n") == 1
        assert "--store" in ended.stderr
        assert "--config" in ended.stderr
