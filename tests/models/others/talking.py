"""Conversations as the loop would have them, with a hosted model against a strict fake."""

import re
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from tests.fakes import providers as fake
from tests.fakes.providers import Habit, Said
from tests.require import package

from widedeep.messages import (
    Assistant,
    Outcome,
    Results,
    System,
    ToolResult,
    ToolSpec,
    User,
    Width,
)
from widedeep.models import others
from widedeep.seams import Request

SCHEMA = {
    "type": "object",
    "properties": {"query": {"type": "string"}},
    "required": ["query"],
    "additionalProperties": False,
}
TOOLS = (ToolSpec("search", "Search.", SCHEMA), ToolSpec("read", "Read.", SCHEMA))
TAIL = "Turn 1 of 30. Make 3 calls."
KEY = "sk-test-0123456789"
WIDTH = Width(3, 4)


@dataclass(frozen=True)
class Dialect:
    """A provider: the prefix and name of a model, and its fake server."""

    prefix: str
    model: str
    server: str
    package: str

    @asynccontextmanager
    async def talk(self, script, **options):
        """Yield a conversation with a fake that has a script, and the fake."""
        package(self.package)
        async with getattr(fake, self.server)(script, key=KEY, **options) as server:
            model = self.open(server)
            try:
                yield Talk(model), server
            finally:
                await model.aclose()

    def open(self, server):
        url = server.url if self.prefix == "openai" else re.sub(r"/v1\w*$", "", server.url)
        return others.open_model(f"{self.prefix}:{self.model}", key=KEY, base_url=url)


DIALECTS = {
    "responses": Dialect("openai", "gpt-5", "responses", "openai"),
    "messages": Dialect("anthropic", "claude-sonnet-5", "messages", "anthropic"),
    "gemini": Dialect("google", "gemini-3-pro-preview", "gemini", "google.genai"),
}


@dataclass(frozen=True)
class Turn:
    """What the model says in a turn, and what it is told then.

    `outcomes`: of its calls, all ok if there are none. `told`: what follows the results.
    """

    said: Said
    outcomes: tuple[Outcome, ...] = ()
    told: tuple[str, ...] = ()
    tail: str | None = TAIL
    width: Width = WIDTH
    choice: str = "auto"


@dataclass
class Talk:
    """A conversation under way."""

    model: object
    history: list = field(
        default_factory=lambda: [System("You research."), User("How high is Chimborazo?")]
    )
    turn: int = 0
    deltas: list = field(default_factory=list)

    async def ask(self, on=None, **more):
        """Return a reply to the history as it stands."""
        given = {"turn": self.turn, "history": tuple(self.history), "tail": TAIL, "tools": TOOLS}
        request = Request(**given | {"width": WIDTH} | more)
        self.deltas = []
        return await self.model.reply(request, on or self.deltas.append)

    async def go(self, turn):
        """Have one turn and return the reply, whose calls have been answered."""
        self.turn += 1
        reply = await self.ask(tail=turn.tail, width=turn.width, choice=turn.choice)
        calls = tuple(
            replace(call, id=f"{self.turn}.{place}") for place, call in enumerate(reply.calls, 1)
        )
        reply = replace(reply, calls=calls)
        if reply.text or calls:
            said = Assistant(reply.text, calls, reply.reasoning, reply.provider)
            self.history.append(said)
        if calls:
            outcomes = turn.outcomes or (Outcome.OK,) * len(calls)
            self.history.append(
                Results(
                    tuple(
                        ToolResult(call, outcome, f"{outcome} of call {call.id}")
                        for call, outcome in zip(calls, outcomes, strict=True)
                    )
                )
            )
        self.history += map(User, turn.told)
        return reply


def calls(*queries):
    return [("search", {"query": query}) for query in queries]


WIDE = Said("Looking.", calls=calls("a", "b", "c"))
ANSWER = Turn(Said("It is 6,263 m high [1]."))

CONVERSATIONS = {
    "parallel calls": [Turn(WIDE), Turn(Said(calls=calls("d", "e"))), ANSWER],
    "reasoning": [
        Turn(Said("Looking.", calls=calls("a", "b"), reasoning="Where to look?")),
        Turn(Said(calls=calls("c"), reasoning="Once more.")),
        Turn(Said("It is 6,263 m high [1].", reasoning="Enough.")),
    ],
    "errors": [
        Turn(WIDE, (Outcome.ERROR, Outcome.OK, Outcome.TIMEOUT)),
        Turn(WIDE, (Outcome.REFUSED, Outcome.CANCELLED, Outcome.INTERRUPTED)),
        ANSWER,
    ],
    "deferred and late": [
        Turn(WIDE, (Outcome.OK, Outcome.LATE, Outcome.DEFERRED)),
        Turn(
            Said(calls=calls("a")),
            (Outcome.DUPLICATE,),
            ("Late result of call 2 of turn 1: found.",),
        ),
        ANSWER,
    ],
    "empty reply": [Turn(Said(), told=("Go on.",)), Turn(Said(calls=calls("a"))), ANSWER],
    "empty reply later": [Turn(WIDE), Turn(Said(), told=("Go on.",)), ANSWER],
    "invalid arguments": [
        Turn(
            Said(calls=[("search", '{"query": "a" "n": 1}'), ("search", {"query": "b"})]),
            (Outcome.ERROR, Outcome.OK),
        ),
        ANSWER,
    ],
    "an unknown tool": [
        Turn(
            Said(calls=[*calls("a"), ("serach", {"query": "b"})]),
            (Outcome.OK, Outcome.ERROR),
        ),
        ANSWER,
    ],
    "no arguments": [Turn(Said(calls=[("read", {})]), (Outcome.ERROR,)), ANSWER],
    "width 1": [Turn(Said(calls=calls("a")), width=Width(1, 1)), ANSWER],
    "tool choice none": [
        Turn(WIDE),
        Turn(Said("It is high."), choice="none", width=Width(0, 0), tail="Answer now."),
    ],
    "calls in the answering turn": [
        Turn(WIDE),
        Turn(
            Said("Hm.", calls=calls("d")),
            (Outcome.REFUSED,),
            choice="none",
            width=Width(0, 0),
        ),
        Turn(Said("It is high."), choice="none", width=Width(0, 0)),
    ],
    "no tail": [Turn(WIDE, tail=None), Turn(Said("Done."), tail=None)],
    "wide": [Turn(Said(calls=calls(*map(str, range(12))))), Turn(WIDE), ANSWER],
}
"""What every dialect must pass (but for arguments that are no JSON, which Gemini cannot send)."""


__all__ = ["CONVERSATIONS", "DIALECTS", "KEY", "TAIL", "TOOLS", "Habit", "Talk", "Turn", "calls"]
