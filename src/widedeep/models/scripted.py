"""A model that replies as written down beforehand: for tests, benches and demonstrations."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from widedeep.errors import ModelError
from widedeep.messages import Reply, ToolCall, Usage
from widedeep.seams import CallReady, Delta, ModelInfo, Request, Text

Step = str | Reply | Exception | Sequence[tuple[str, Mapping[str, Any]]]
"""One reply: a text, a whole `Reply`, calls as (tool, arguments), or an error to raise."""


class Scripted:
    """Reply to the n-th request with the n-th step of a script.

    Args:
        script: steps, or functions from the request to a step.
        first: seconds to the first delta of a reply.
        each: seconds that each call takes to be streamed.
        name: what the model is called.

    Raises:
        ModelError: (on `reply`) the script has no step left, or the step is one.
    """

    def __init__(
        self,
        script: Iterable[Step | Callable[[Request], Step]],
        *,
        first: float = 0.0,
        each: float = 0.0,
        name: str = "scripted",
    ) -> None:
        self.info = ModelInfo(name, free=True)
        self.requests: list[Request] = []
        self._script = list(script)
        self._first = first
        self._each = each

    async def reply(self, request: Request, on: Callable[[Delta], None]) -> Reply:
        """Stream the step for this request and return it whole."""
        self.requests.append(request)
        at = len(self.requests)
        if at > len(self._script):
            raise ModelError(f"the script has no reply for request {at}")
        step = self._script[at - 1]
        if callable(step):
            step = step(request)
        if isinstance(step, Exception):
            raise step
        reply = _whole(step)
        await _pause(self._first)
        if reply.text:
            on(Text(reply.text))
        for position, call in enumerate(reply.calls):
            await _pause(self._each)
            whole = reply.stop == "end" or position + 1 < len(reply.calls)
            if call.arguments is not None and whole:
                on(CallReady(position, call))
        return reply


def _whole(step: Step) -> Reply:
    if isinstance(step, Reply):
        return step
    if isinstance(step, str):
        return Reply(text=step, usage=Usage(input=0, output=0))
    assert not isinstance(step, Exception)
    calls = tuple(ToolCall(tool, dict(args)) for tool, args in step)
    return Reply(calls=calls, usage=Usage(input=0, output=0))


async def _pause(seconds: float) -> None:
    if seconds > 0:
        await asyncio.sleep(seconds)
