"""Does `--width-mode` decide how a model keeps a width, and does a run keep its mode?"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.cli.command import Command
from tests.fakes import providers as fake
from tests.fakes.providers import Asked, Said

QUESTION = "What is the capital of Peru?"
ANSWER = "The capital of Peru is Lima [1]."
LOOK = {"query": "capital of Peru"}


def reply(asked: Asked) -> Said:
    """Search once, then answer; in JSON where the request wants it."""
    body = asked.body
    searched = any(message["role"] == "assistant" for message in body["messages"])
    if "response_format" not in body:
        return Said(ANSWER) if searched else Said(calls=[("search_corpus", LOOK)])
    calls = [{"tool": "search_corpus", "arguments": LOOK}]
    done = {"answer": ANSWER} if searched else {"calls": calls}
    return Said(json.dumps({"reasoning": "", **done}))


@pytest.mark.parametrize("mode", ["schema", "hint"])
def test_a_run_keeps_the_mode_that_it_began_with(
    widedeep: Command, corpus: Path, store: Path, tmp_path: Path, mode: str
):
    with fake.chat(reply) as server:
        name = f"compat:{server.url}#m"
        told = ("--model", name, "--width-mode", mode, "--schedule", "constant:1", "--json")
        ended = widedeep("ask", QUESTION, "--corpus", str(corpus), *told)
        assert (ended.status, ended.json["answer"]) == (0, ANSWER), ended.err
        with closing(sqlite3.connect(store / "journal.sqlite")) as connection, connection:
            connection.execute("DELETE FROM events WHERE kind = 'run_ended'")
            connection.execute("DELETE FROM events WHERE seq > (SELECT count(*) / 2 FROM events)")
        config = tmp_path / "config.toml"
        other = "hint" if mode == "schema" else "schema"
        config.write_text(f'[models."{name}"]\nwidth_mode = "{other}"\n', encoding="utf-8")
        resumed = widedeep("runs", "resume", "last", "--json", "--config", str(config))
        assert (resumed.status, resumed.json["answer"]) == (0, ANSWER), resumed.err
        assert len(server.requests) >= 3
        assert {"response_format" in each.body for each in server.requests} == {mode == "schema"}
        assert server.invalid == []


@pytest.mark.parametrize(
    ("model", "mode", "says"),
    [
        ("builtin", "schema", "the built-in rules always keep their width; leave it out"),
        ("ollama:m", "wide", "--width-mode 'wide': there is no such mode; take one of auto, hint"),
    ],
)
def test_a_mode_that_makes_no_sense(
    widedeep: Command, corpus: Path, model: str, mode: str, says: str
):
    ended = widedeep(
        "ask", QUESTION, "--corpus", str(corpus), "--model", model, "--width-mode", mode
    )
    assert (ended.status, ended.out) == (2, "")
    assert says in ended.err
    assert ended.err.count("\n") == 1
