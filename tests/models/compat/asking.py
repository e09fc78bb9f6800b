"""Asking a fake server, and histories to ask it with."""

import asyncio

from tests.fakes import providers as fake

from widedeep.messages import Assistant, Outcome, Results, System, ToolResult, ToolSpec, User, Width
from widedeep.models.compat import Compat, Server
from widedeep.seams import Request

SEARCH = ToolSpec(
    "search",
    "Search.",
    {
        "type": "object",
        "properties": {"query": {"type": "string"}},
        "required": ["query"],
        "additionalProperties": False,
    },
)
READ = ToolSpec("read", "Read.", {"type": "object", "properties": {"id": {"type": "string"}}})
QUESTION = (System("You look things up."), User("How many?"))


def request(history=QUESTION, *, turn=1, width=3, **options):
    """Return a request for a turn."""
    options.setdefault("tail", "Turn 1 of 3.")
    options.setdefault("tools", (SEARCH, READ))
    return Request(turn, tuple(history), width=Width(width, width), **options)


def ask(script, *requests, model="m", habit=fake.Habit.NORMAL, rules=None, server=None, **options):
    """Return the replies of a fake server to requests, the deltas of each, and the server."""

    async def go():
        given = {} if rules is None else {"rules": rules}
        async with fake.chat(script, habit=habit, **given) as running:
            asked = Compat(model, Server(running.url, **(server or {}), **options))
            replies, told = [], []
            for one in requests:
                deltas = []
                made = one(replies) if callable(one) else one
                replies.append(await asked.reply(made, deltas.append))
                told.append(deltas)
            await asked.aclose()
            return replies, told, running

    return asyncio.run(go())


def after(history, reply, turn=1, texts=None):
    """Return the history after a reply and its batch; calls get the ids that the loop gives."""
    from dataclasses import replace

    calls = tuple(replace(call, id=f"{turn}.{at + 1}") for at, call in enumerate(reply.calls))
    said = Assistant(reply.text, calls, reply.reasoning, reply.provider)
    if not calls:
        return (*history, said)
    results = tuple(
        ToolResult(call, Outcome.OK, texts[at] if texts else f"result {call.id}")
        for at, call in enumerate(calls)
    )
    return (*history, said, Results(results))


def alone(server, *requests):
    """Return the replies of a server that may not be there."""

    async def go():
        asked = Compat("m", server)
        try:
            return [await asked.reply(one, lambda _: None) for one in requests]
        finally:
            await asked.aclose()

    return asyncio.run(go())
