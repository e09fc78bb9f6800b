"""A real engine, llama.cpp with a small model, keeps any width by constrained decoding."""

import asyncio

import pytest

from widedeep import Agent, Budget, Found, ToolOutput, tool
from widedeep.models.compat import Compat, Server
from widedeep.seams import ModelInfo


@tool
async def search(query: str) -> ToolOutput:
    """Search."""
    found = Found(f"q {query}", "Quito has two million inhabitants.", title=query[:20])
    return ToolOutput(sources=(found,))


@pytest.mark.parametrize("width", [1, 3, 5])
def test_a_run_is_as_wide_as_is_wanted(engine, width):
    server = Server(f"{engine}/v1", width_mode="schema", body={"temperature": 0, "seed": 7})
    info = ModelInfo("smol", context=4_096, free=True, notes=False)

    async def go():
        agent = Agent(
            Compat("smol", server, info),
            [search],
            schedule=f"constant:{width}!",
            budget=Budget(turns=2),
            max_output=40 + 40 * width,
            text_limit=200,
            model_deadline=600,
        )
        return await agent.run("How many people live in Quito?")

    answer = asyncio.run(go())
    assert answer.stopped_by in {"answer", "max_turns", "cut_reply", "empty_reply"}
    assert [used.requested for used in answer.width] == [width] * answer.turns
    assert answer.turns >= 1
    assert answer.calls.error == 0
    assert (answer.usage.input or 0) > 100
    assert (answer.usage.output or 0) > 10 * width
