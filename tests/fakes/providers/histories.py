"""Which histories may an adapter meet? Random ones, written by hand or held with a fake provider.

`requests()` are histories as a run may hand them over when another model, of which no provider
remembers anything, wrote them: ids absent, equal or odd, arguments that are no JSON, results of
every outcome, late texts. `conversations()` are held with a fake by `hold`, so that reasoning,
signatures and ids are the provider's own and must come back.

    @given(requests())
    async def test_no_request_is_refused(request): ...
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from hypothesis import strategies as st

from tests.fakes.providers.script import Json, Said
from widedeep.messages import (
    Assistant,
    Message,
    Outcome,
    Reply,
    Results,
    System,
    ToolCall,
    ToolResult,
    ToolSpec,
    User,
    Width,
)
from widedeep.seams import Delta, Model, Request

TEXT: Json = {"type": "string"}
TOOLS = (
    ToolSpec(
        "search",
        "Search.",
        {
            "type": "object",
            "properties": {"query": TEXT, "k": {"type": "integer", "minimum": 1, "default": 5}},
            "required": ["query"],
            "additionalProperties": False,
        },
    ),
    ToolSpec(
        "read_page",
        "Read a page.",
        {
            "type": "object",
            "properties": {
                "id": TEXT,
                "around": {"anyOf": [TEXT, {"type": "null"}], "default": None},
                "format": {"type": "string", "enum": ["text", "markdown"]},
            },
            "required": ["id"],
        },
    ),
    ToolSpec(
        "note",
        "Keep notes.",
        {
            "type": "object",
            "properties": {
                "entries": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {"text": TEXT, "n": {"type": "array", "items": TEXT}},
                        "required": ["text"],
                    },
                }
            },
            "required": ["entries"],
        },
    ),
    ToolSpec("today", "Tell the day.", {"type": "object", "properties": {}}),
)

# No lone surrogates: what a provider sends is UTF-8, and what tools bring is cleaned.
texts = st.text('ab1 \n\t\x00"\\{}[]<>&é漢😀\u2028', min_size=1, max_size=12)
words = texts.map("{}.".format)  # what we write ourselves is never blank
said_texts = texts | st.sampled_from(["\n", " ", "Looking [1].", "<b>&amp;</b>"])
arguments = st.fixed_dictionaries({"query": texts}, optional={"k": st.integers(1, 50)}) | (
    st.sampled_from([{}, {"a b": None}, {"id": {"x": [1.5, True, None]}}, {"": "ü"}])
)
broken = st.sampled_from(["", "{", '{"query": "a', "[1]", "null", '{"a":1}{"b":2}', "plain words"])
names = st.sampled_from([*(tool.name for tool in TOOLS), "unknown_tool", "odd.name/1 ü"])
ids = st.sampled_from(
    [None, "", "call_1", "call_1", "functions.search:0", "a" * 80, "with space", "ü", "toolu_01A"]
)
outcomes = st.sampled_from(list(Outcome))


@st.composite
def _calls(draw: st.DrawFn, turn: int, least: int = 0) -> tuple[ToolCall, ...]:
    made: list[ToolCall] = []
    for position in range(draw(st.integers(least, 5))):
        given = draw(arguments | broken)
        text = given if isinstance(given, str) else json.dumps(given)
        call = ToolCall(
            draw(names),
            None if isinstance(given, str) else given,
            f"{turn}.{position + 1}",
            draw(st.just(text) if isinstance(given, str) else st.none() | st.just(text)),
            draw(ids),
        )
        made.append(call)
    return tuple(made)


@st.composite
def _results(draw: st.DrawFn, calls: Sequence[ToolCall]) -> Results:
    return Results(
        tuple(
            ToolResult(
                call,
                draw(outcomes),
                draw(texts | st.just("")),
                same_as=draw(st.none() | st.just(calls[0].id)),
            )
            for call in calls
        )
    )


@st.composite
def histories(
    draw: st.DrawFn, provider: st.SearchStrategy[object] | None = None
) -> tuple[Message, ...]:
    """Return a history that ends where a request may follow; `provider`: of the replies in it."""
    history: list[Message] = [System(draw(words)), User(draw(words))]
    for turn in range(1, draw(st.integers(0, 4)) + 1):
        calls = draw(_calls(turn))
        text = draw(said_texts | st.just("")) if calls else draw(said_texts)
        thought = draw(st.none() | texts)
        carried = draw(provider) if provider is not None else None
        history.append(Assistant(text, calls, thought, carried))
        if calls:
            history.append(draw(_results(calls)))
            history += draw(st.lists(st.builds(User, words), max_size=2))
        else:
            history.append(User(draw(words)))
    return tuple(history)


@st.composite
def requests(draw: st.DrawFn, provider: st.SearchStrategy[object] | None = None) -> Request:
    """Return a request with a random history, tail, width and choice."""
    history = draw(histories(provider))
    return asked(
        history,
        tail=draw(st.none() | words),
        target=draw(st.none() | st.integers(1, 8)),
        choice=draw(st.sampled_from(["auto", "auto", "none"])),
        tools=draw(st.just(TOOLS) | st.just(TOOLS) | st.just(())) if len(history) == 2 else TOOLS,
    )


def asked(
    history: Sequence[Message],
    *,
    tail: str | None = None,
    target: int | None = 3,
    choice: Literal["auto", "none"] = "auto",
    tools: tuple[ToolSpec, ...] = TOOLS,
) -> Request:
    """Return a request with the history."""
    turn = 1 + sum(isinstance(message, Assistant) for message in history)
    cap = None if target is None else target + (target > 1)
    return Request(turn, history, tail, tools, Width(target, cap), choice, key=f"run/{turn}")


@dataclass(frozen=True, slots=True)
class Turn:
    """What the model says, what becomes of its calls, and what is told late after them."""

    said: Said
    outcomes: tuple[Outcome, ...]
    late: tuple[str, ...]
    tail: str | None


@st.composite
def conversations(draw: st.DrawFn) -> tuple[Turn, ...]:
    """Return what is said and done in up to five turns."""
    turns: list[Turn] = []
    for _ in range(draw(st.integers(1, 5))):
        calls = draw(st.lists(st.tuples(st.sampled_from(["search", "read_page"]), arguments)))
        spoken = said_texts | st.just("") if calls else said_texts
        said = Said(draw(spoken), calls[:5], draw(texts | st.just("")))
        ends = tuple(draw(outcomes) for _ in said.calls)
        late = tuple(draw(st.lists(words, max_size=2)))
        turns.append(Turn(said, ends, late, draw(st.none() | words)))
    return tuple(turns)


def _unheard(delta: Delta) -> None:
    """Take a delta; these conversations are about requests."""


async def hold(model: Model, turns: Sequence[Turn]) -> list[Reply]:
    """Hold a conversation as a run does, resumed before each turn; return the replies.

    The script of the fake is `[turn.said for turn in turns]`.
    """
    history: list[Message] = [System("Search."), User("Who?")]
    replies: list[Reply] = []
    for number, turn in enumerate(turns, 1):
        reply = await model.reply(asked(history, tail=turn.tail), _unheard)
        replies.append(reply)
        calls = tuple(
            replace(call, id=f"{number}.{position}") for position, call in enumerate(reply.calls, 1)
        )
        # What a resumed run has of a reply has been through JSON.
        carried = json.loads(json.dumps(reply.provider))
        if reply.text or calls:
            history.append(Assistant(reply.text, calls, reply.reasoning, carried))
        if calls:
            ends = [*turn.outcomes, *[Outcome.OK] * len(calls)]
            pairs = zip(calls, ends, strict=False)
            found = (ToolResult(call, end, f"{end}: [1] found") for call, end in pairs)
            history.append(Results(tuple(found)))
            history += [User(text) for text in turn.late]
        else:
            history.append(User("Go on."))
    return replies
