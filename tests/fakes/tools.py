"""Tools that behave, fail, hang or misbehave on demand."""

import asyncio
from contextlib import suppress

from widedeep import Context, Found, ToolOutput, tool


@tool(deadline=10)
async def look(query: str, seconds: float = 0.0) -> ToolOutput:
    """Look something up; it takes `seconds`."""
    await asyncio.sleep(seconds)
    return ToolOutput(sources=(Found(f"doc {query}", f"{query} has 42 inhabitants.", title=query),))


@tool(deadline=10)
async def fail(message: str = "no such host", seconds: float = 0.0) -> str:
    """Fail."""
    await asyncio.sleep(seconds)
    raise ConnectionError(message)


@tool(deadline=10)
async def hang(name: str = "") -> str:
    """Never come back, however often it is cancelled."""
    while True:
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()


@tool(deadline=10)
async def empty(query: str) -> ToolOutput:
    """Find nothing."""
    return ToolOutput("Nothing was found.", ())


def recorder(*, effects="read", order="any", limit=None, seconds=1.0, deadline=10.0):
    """Return a tool and the list of (name, when it began, when it ended) that it keeps."""
    seen = []

    @tool(name="work", effects=effects, order=order, limit=limit, deadline=deadline)
    async def work(name: str, seconds: float = seconds) -> str:
        """Work for some seconds."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        seen.append([name, began, None])
        place = seen[-1]
        await asyncio.sleep(seconds)
        place[2] = loop.time()
        return f"{name} is done"

    return work, seen


@tool
async def who(context: Context) -> str:
    """Say which call this is."""
    return f"{context.call_id} {context.key.split('/')[1]} {context.deadline}"
