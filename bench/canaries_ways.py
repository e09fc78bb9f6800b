"""Which ways do keys take out of a program? Each is gone by `bench/canaries.py`."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from widedeep import Agent, Found, SqliteJournal, ToolOutput, tool
from widedeep.cli import main
from widedeep.cli.ask import told
from widedeep.cli.following import Stream, follow
from widedeep.cli.options import AskOptions
from widedeep.errors import ModelError
from widedeep.messages import Reply, ToolCall
from widedeep.models.scripted import Scripted, Step
from widedeep.report.live import Lines
from widedeep.seams import Tool


@dataclass(frozen=True)
class Place:
    """Where a way may write, and what it carries; `named`: the secrets are named as such."""

    folder: Path
    secrets: dict[str, str]
    named: bool

    @property
    def store(self) -> Path:
        return self.folder / "store"

    def config(self) -> str:
        """Write a file of settings and return its path; it is not one of those searched."""
        rows = (
            f"{name} = {json.dumps(secret, ensure_ascii=False)}\n"
            for name, secret in self.secrets.items()
        )
        file = self.folder.with_name(f"{self.folder.name}.toml")
        table = "[secrets]\n" + "".join(rows) if self.named else ""
        file.write_text(f'store = "{self.store}"\n{table}', encoding="utf-8")
        return str(file)


@dataclass
class Leak:
    """A run that carries secrets: `call` is what its tool does with one of them."""

    call: Callable[[str], Any] = str
    script: Callable[[list[str]], Sequence[Step]] | None = None
    question: Callable[[list[str]], str] = field(default=lambda _: "What is known of it?")
    arguments: Callable[[int, str], dict[str, Any]] = field(default=lambda at, _: {"at": at})

    def __call__(self, place: Place) -> None:
        """Make the run as `widedeep ask --out --events` would."""
        secrets = list(place.secrets.values())
        journal = SqliteJournal(
            place.store / "journal.sqlite", secrets=place.secrets if place.named else ()
        )
        agent = self.agent(secrets, journal)
        try:
            run = agent.stream(self.question(secrets))
            answer = asyncio.run(follow(run, Lines(sys.stderr), Stream()))
        finally:
            journal.close()
        assert answer is not None
        out = place.folder / "out"
        out.mkdir()
        told(answer, out, AskOptions())
        config = place.config()
        for line in (["show", "last"], ["show", "last", "--json"], ["export", "last"], ["list"]):
            main(["runs", *line, "--config", config])

    def agent(self, secrets: list[str], journal: SqliteJournal) -> Agent:
        """Return the agent that leaks."""
        return Agent(
            Scripted(self._script(secrets)),
            [self._tool(secrets)],
            schedule=f"constant:{len(secrets)}!",
            max_width=len(secrets),
            journal=journal,
        )

    def _script(self, secrets: list[str]) -> Sequence[Step]:
        if self.script is not None:
            return self.script(secrets)
        calls = [("use", self.arguments(at, each)) for at, each in enumerate(secrets)]
        return [calls, "That is what is known [1]."]

    def _tool(self, secrets: list[str]) -> Tool:
        @tool(name="use", deadline=20)
        async def use(at: int = 0, note: str = "") -> ToolOutput:
            """Use a key, with a note that is only on record."""
            del note
            made = self.call(secrets[at])
            return made if isinstance(made, ToolOutput) else ToolOutput(str(made))

        return use


def forms(secret: str) -> str:
    """Return a text with a secret in all its forms."""
    raw = secret.encode()
    coded = [base64.b64encode(b"id:"[:before] + raw + b":x") for before in range(4)]
    safe = [each.translate(bytes.maketrans(b"+/", b"-_")) for each in coded]
    parts = (secret, quote(secret, safe=""), quote(secret, safe="").lower(), json.dumps(secret))
    return " | ".join((*parts, *(each.decode() for each in (*coded, *safe))))


def _raise(error: Exception, cause: Exception | None = None) -> None:
    raise error from cause


def _locals(secret: str) -> str:
    """Return a traceback that tells what every variable held."""
    try:
        headers = {"Authorization": f"Bearer {secret}"}
        _raise(ConnectionError(f"{len(headers)} headers were refused"))
    except ConnectionError as error:
        told = traceback.TracebackException.from_exception(error, capture_locals=True)
        return "".join(told.format())
    return ""


def _page(secret: str) -> ToolOutput:
    text = "".join(f"Line {at} of a long page. " for at in range(900)) + forms(secret)
    return ToolOutput("", (Found(f"page {hash(secret)}", text),))


def _head(secret: str) -> ToolOutput:
    where = f"https://me:{quote(secret, safe='')}@api.example/?key={quote(secret)}"
    return ToolOutput("", (Found(where, "A page.", title=forms(secret), url=where),))


def _data(secret: str) -> ToolOutput:
    number = int(secret) if secret.isdecimal() else 0
    return ToolOutput("Done.", data={secret: [number, {"key": forms(secret)}]})


def _all(secrets: list[str]) -> str:
    return "\n".join(map(forms, secrets))


def _cut_off(secret: str) -> str:
    """End the process at the last secret, as a crash does, with calls noted beside the record."""
    if secret.startswith("-----BEGIN"):
        os._exit(9)
    return "Not yet."


def _told_before(place: Place) -> None:
    """Show a run that was recorded before anything was named as a secret."""
    secrets = list(place.secrets.values())
    config = place.config()
    with tempfile.TemporaryDirectory() as elsewhere:
        journal = SqliteJournal(Path(elsewhere) / "journal.sqlite")
        Leak(call=forms).agent(secrets, journal).run_sync(_all(secrets))
        journal.close()
        for line in (
            ["show", "last"],
            ["show", "last", "--json"],
            ["show", "last", "--svg", str(place.folder / "run.svg")],
            ["export", "last", "--out", str(place.folder / "run.jsonl")],
        ):
            main(["runs", *line, "--config", config, "--store", elsewhere])


def _looked_at(place: Place) -> None:
    """Show the settings, and what is wrong on the command line."""
    config = place.config()
    for secret in place.secrets.values():
        folded = secret.replace("\n", " ")
        main(["ask", folded, "--corpus", f"no/such/{quote(folded)}", "--config", config])
        main(["runs", "show", folded, "--config", config])
    for line in (["config", "show"], ["config", "show", "--json"], ["doctor"]):
        main([*line, "--config", config])


def _bug(place: Place) -> None:
    """End with a traceback."""
    try:
        _raise(KeyError(_all(list(place.secrets.values()))))
    except KeyError as error:
        raise RuntimeError("a bug") from error


def _reply(**parts: Callable[[list[str]], Any]) -> Callable[[list[str]], Sequence[Step]]:
    def script(secrets: list[str]) -> Sequence[Step]:
        made = {name: part(secrets) for name, part in parts.items()}
        return [Reply(calls=(ToolCall("use", {"at": 0}),)), Reply(**{"text": "Done [1].", **made})]

    return script


def _failing(secrets: list[str]) -> Sequence[Step]:
    error = ModelError(f"401: {_all(secrets)}")
    error.__cause__ = ConnectionError(_all(secrets))
    return [[("use", {"at": 0})], error]


def _noted(secrets: list[str]) -> Sequence[Step]:
    entries = [("note", {"id": f"q{at}", "text": forms(each)}) for at, each in enumerate(secrets)]
    return [[("use", {"at": 0}), *entries], "Done [1]."]


def _wrong(secrets: list[str]) -> Sequence[Step]:
    calls = [ToolCall("use", None, raw=f"{{'at': {forms(each)}") for each in secrets[::2]]
    calls += [ToolCall(forms(each), {"at": forms(each)}) for each in secrets[1::2]]
    return [Reply(calls=tuple(calls)), "Done."]


WAYS: dict[str, Callable[[Place], None]] = {
    "a tool's exception": Leak(call=lambda key: _raise(PermissionError(f"refused: {forms(key)}"))),
    "what caused a tool's exception": Leak(
        call=lambda key: _raise(ConnectionError(f"refused {key}"), KeyError(forms(key)))
    ),
    "a URL in an exception": Leak(
        call=lambda key: _raise(OSError(f"401: https://api.example/?key={quote(key, safe='')}&v=1"))
    ),
    "a proxy in an exception": Leak(
        call=lambda key: _raise(OSError(f"407: http://me:{quote(key, safe='')}@proxy.example:3128"))
    ),
    "a header in an exception": Leak(
        call=lambda key: _raise(
            OSError(f"Authorization: Basic {base64.b64encode(f'me:{key}'.encode()).decode()}")
        )
    ),
    "a traceback with its variables": Leak(call=_locals),
    "a tool's text": Leak(call=forms),
    "a long page": Leak(call=_page),
    "id, title and URL of a source": Leak(call=_head),
    "data of a tool": Leak(call=_data),
    "arguments of a call": Leak(arguments=lambda at, key: {"at": at, "note": forms(key)}),
    "calls that are wrong": Leak(script=_wrong),
    "the question": Leak(question=_all),
    "an error of the model": Leak(script=_failing),
    "text of a reply": Leak(script=_reply(text=lambda keys: f"{_all(keys)} [1].")),
    "a short answer": Leak(script=_reply(short_answer=_all)),
    "reasoning of a reply": Leak(script=_reply(reasoning=_all)),
    "what the provider sent along": Leak(script=_reply(provider=lambda keys: {"echo": keys})),
    "a note": Leak(script=_noted),
    "a process that was killed": Leak(
        call=_cut_off, arguments=lambda at, key: {"at": at, "note": forms(key)}
    ),
    "a run recorded before": _told_before,
    "settings and errors of the command": _looked_at,
    "a bug of the program": _bug,
}
"""Ways by what leaks on them."""
