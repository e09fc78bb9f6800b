"""A model behind a fake server that does what it is asked, as far as it can."""

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from tests.fakes import providers as fake
from tests.fakes.providers import Asked, Habit, Rules, Said

from widedeep.models.compat import Server
from widedeep.models.probe import Findings, Probe

RIVERS = ("Amazon", "Congo", "Danube", "Mississippi", "Murray", "Nile", "Rhine", "Yangtze")


@dataclass(frozen=True, slots=True)
class Able:
    """What a model can do: `calls` at most in a reply, `schema`: its server holds it to one.

    `obeys`: it makes no call where none is allowed; `switched`: one where one is.
    """

    calls: int = 32
    schema: bool = True
    obeys: bool = True
    switched: bool = True

    def __call__(self, asked: Asked) -> Said:
        body = asked.body
        if form := body.get("response_format"):
            return self._written(form["json_schema"]["schema"])
        if body.get("tool_choice") == "none" and self.obeys:
            return Said("They end in the sea.")
        wanted = re.search(r"make (\d+|exactly one) tool", str(body["messages"][-1]["content"]))
        width = int(wanted[1]) if wanted and wanted[1].isdigit() else 1
        one = body.get("parallel_tool_calls") is False and self.switched
        width = min(width, self.calls, 1 if one else width)
        if "tools" not in body or not width:
            return Said("They are long.")
        return Said(
            calls=[("search", {"query": f"length of the {name}"}) for name in looked(width)]
        )

    def _written(self, shape: dict) -> Said:
        if not self.schema:
            return Said("Sure! The Nile is long.")
        properties = (shape["anyOf"][0] if "anyOf" in shape else shape)["properties"]
        if "calls" not in properties:
            return Said(json.dumps({"reasoning": "", "answer": None}))
        calls = properties["calls"]
        entries = [
            {"tool": "search", "arguments": {"query": name}} for name in looked(calls["minItems"])
        ]
        return Said(json.dumps({"reasoning": "", "calls": entries}))


def looked(width: int) -> list[str]:
    return [f"{RIVERS[at % 8]} {at // 8}" for at in range(width)]


def probed(
    model: Callable[[Asked], fake.script.Answer],
    *,
    habit: Habit = Habit.NORMAL,
    rules: Rules | None = None,
    known: dict | None = None,
) -> tuple[Findings, fake.Server]:
    """Return what a probe finds out about a model at a server with a habit, and that server."""

    async def go():
        async with fake.chat(model, habit=habit, rules=rules) as running:
            server = Server(running.url)
            probe = Probe("test:m", "m", server, Server(running.url, **(known or {})))
            return await probe.run(), running

    return asyncio.run(go())
