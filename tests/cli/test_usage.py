"""Is wrong use told in one line on stderr that names value and fix, with exit status 2?"""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from tests.cli.command import Command, process

CASES: dict[str, tuple[list[str], list[str]]] = {
    "no question": (["ask"], ["QUESTION", "--help"]),
    "empty question": (["ask", "", "--corpus", "{corpus}"], ["empty", "''"]),
    "blank question": (["ask", " \t\n", "--corpus", "{corpus}"], ["empty", "' \\t\\n'"]),
    "words without quotes": (["ask", "what", "is"], ["'is'", "quotes"]),
    "no corpus": (["ask", "q"], ["--corpus PATH", "--corpus sample"]),
    "missing path": (["ask", "q", "--corpus", "/no/such"], ["--corpus '/no/such'", "check"]),
    "one of two missing": (
        ["ask", "q", "--corpus", "{corpus}", "--corpus", "/no/such"],
        ["'/no/such'"],
    ),
    "empty path": (["ask", "q", "--corpus", ""], ["--corpus ''", "sample"]),
    "empty corpus": (["ask", "q", "--corpus", "{empty}"], ["no document", ".txt"]),
    "bad schedule": (
        ["ask", "q", "--corpus", "{corpus}", "--schedule", "zigzag"],
        ["'zigzag'", "descending"],
    ),
    "schedule over the width": (
        ["ask", "q", "--corpus", "{corpus}", "--schedule", "constant:9"],
        ["9", "--max-width"],
    ),
    "schedule of nothing": (
        ["ask", "q", "--corpus", "{corpus}", "--schedule", "constant:0"],
        ["0"],
    ),
    "unknown style": (
        ["ask", "q", "--corpus", "{corpus}", "--style", "long"],
        ["--style", "long", "report"],
    ),
    "no turns": (
        ["ask", "q", "--corpus", "{corpus}", "--max-turns", "0"],
        ["--max-turns '0'", "1 or more"],
    ),
    "negative turns": (["ask", "q", "--corpus", "{corpus}", "--max-turns", "-3"], ["'-3'", "more"]),
    "half a turn": (
        ["ask", "q", "--corpus", "{corpus}", "--max-turns", "1.5"],
        ["--max-turns '1.5'", "whole number"],
    ),
    "negative calls": (
        ["ask", "q", "--corpus", "{corpus}", "--max-calls", "-1"],
        ["--max-calls '-1'", "1 or more"],
    ),
    "no width": (
        ["ask", "q", "--corpus", "{corpus}", "--max-width", "0"],
        ["--max-width '0'", "1 or more"],
    ),
    "no time": (
        ["ask", "q", "--corpus", "{corpus}", "--turn-deadline", "0"],
        ["--turn-deadline '0'", "more than 0"],
    ),
    "endless time": (
        ["ask", "q", "--corpus", "{corpus}", "--turn-deadline", "inf"],
        ["--turn-deadline 'inf'", "finite"],
    ),
    "time in words": (
        ["ask", "q", "--corpus", "{corpus}", "--turn-deadline", "soon"],
        ["--turn-deadline 'soon'", "number"],
    ),
    "unknown model": (
        ["ask", "q", "--corpus", "{corpus}", "--model", "foo"],
        ["'foo'", "builtin, ollama:NAME"],
    ),
    "a language for rules": (
        ["ask", "q", "--corpus", "{corpus}", "--language", "German"],
        ["--language 'German'", "name a model"],
    ),
    "a language without a name": (
        ["ask", "q", "--corpus", "{corpus}", "--model", "ollama:m", "--language", " "],
        ["--language ' '", "such as German"],
    ),
    "unknown policy": (
        ["ask", "q", "--corpus", "{corpus}", "--policy", "foo"],
        ["--policy 'foo'", "one-shot"],
    ),
    "out is a file": (
        ["ask", "q", "--corpus", "{corpus}", "--out", "{file}"],
        ["--out '{file}'", "another"],
    ),
    "store is a file": (
        ["ask", "q", "--corpus", "{corpus}", "--store", "{file}"],
        ["--store '{file}'", "another"],
    ),
    "json and events": (
        ["ask", "q", "--corpus", "{corpus}", "--json", "--events"],
        ["--json", "--events", "one of them"],
    ),
    "no config file": (["ask", "q", "--config", "/no/such.toml"], ["'/no/such.toml'", "TOML"]),
    "unknown option": (["ask", "q", "--jsn"], ["--jsn", "--json"]),
    "option without value": (["ask", "q", "--model"], ["--model needs a value"]),
    "option twice": (["ask", "q", "--model", "a", "--model", "b"], ["--model", "multiple"]),
    "unknown command": (["aks"], ["aks", "ask"]),
    "index without out": (["index", "{corpus}"], ["--out is missing"]),
    "index of nothing": (["index", "/no/such", "--out", "{new}"], ["PATH '/no/such'"]),
    "index of an empty folder": (["index", "{empty}", "--out", "{new}"], ["no document"]),
    "index into a file": (["index", "{corpus}", "--out", "{file}"], ["{file}"]),
    "search in nothing": (["search", "/no/such", "x"], ["INDEX '/no/such'"]),
    "search for nothing": (["search", "{corpus}", " "], ["empty", "' '"]),
    "search for none": (["search", "{corpus}", "x", "-k", "0"], ["-k '0'", "1 to"]),
    "search for too many": (["search", "{corpus}", "x", "-k", "9" * 30], ["from 1 to"]),
    "show no run": (["runs", "show", "x"], ["'x'", "store"]),
    "show the last of none": (["runs", "show", "last"], ["'last'", "store"]),
}


@pytest.mark.parametrize("case", CASES)
def test_wrong_use_is_one_line_and_status_2(widedeep: Command, corpus: Path, case: str):
    tmp = corpus.parent
    (tmp / "empty").mkdir()
    (tmp / "file").write_text("x", encoding="utf-8")
    places = {name: str(tmp / name) for name in ("corpus", "empty", "file", "new")}
    arguments, parts = CASES[case]
    ended = widedeep(*(each.format(**places) for each in arguments))
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("widedeep: error: ")
    assert ended.err.count("\n") == 1
    for part in parts:
        assert part.format(**places) in ended.err


@pytest.mark.parametrize(
    ("name", "value"), [("WIDEDEEP_MAX_TURNS", "-1"), ("WIDEDEEP_STORE", "/dev/null/x")]
)
def test_the_environment_is_checked_too(
    widedeep: Command, corpus: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
):
    monkeypatch.setenv(name, value)
    ended = widedeep("ask", "q", "--corpus", str(corpus))
    assert ended.status == 2
    assert f"{name} {value!r}: " in ended.err


def test_nothing_is_made_before_all_is_checked(widedeep: Command, corpus: Path, store: Path):
    out = corpus.parent / "out"
    widedeep("ask", "q", "--corpus", str(corpus), "--model", "foo", "--out", str(out))
    assert not store.exists()
    assert not out.exists()


@pytest.mark.parametrize("given", [b"", b"  \n"])
def test_an_empty_question_on_stdin(
    widedeep: Command, corpus: Path, monkeypatch: pytest.MonkeyPatch, given: bytes
):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    ended = widedeep("ask", "-", "--corpus", str(corpus))
    assert ended.status == 2
    assert "the question is empty" in ended.err


def test_odd_bytes_on_the_command_line_are_no_bug(store: Path):
    ended = process("ask", b"caf\xe9", "--corpus", b"/no/\xff\x1b[31m", store=store)  # pyright: ignore[reportArgumentType]
    assert ended.returncode == 2
    assert ended.stdout == b""
    assert ended.stderr.count(b"\n") == 1
    assert b"\x1b" not in ended.stderr


def test_a_damaged_index_is_named(widedeep: Command, corpus: Path):
    made = corpus.parent / "index"
    assert widedeep("index", str(corpus), "--out", str(made), "--quiet").status == 0
    for file in made.rglob("*"):
        if file.is_file() and file.suffix != ".json":
            file.unlink()  # another process may have it mapped
            file.write_bytes(b"\0broken\xff")
    ended = widedeep("search", str(made), "Peru", "--quiet")
    assert ended.status == 2
    assert str(made) in ended.err
    assert ended.err.count("\n") == 1
