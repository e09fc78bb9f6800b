"""What does a stream's event show of the reply under way?"""

from __future__ import annotations

from collections.abc import Callable

from pydantic_ai import messages as ai

from widedeep.messages import ToolCall
from widedeep.models.others.replies import BETWEEN, arguments_of
from widedeep.seams import CallReady, Delta, Reasoning, Text


class Progress:
    """Tell `on` of text, reasoning, and of each call as soon as the stream proves it whole.

    The start of the next part proves the end of the one before, if what was there by then is a JSON
    object: with deltas that interleave a part's end is told with nothing in it.
    """

    def __init__(self, on: Callable[[Delta], None]) -> None:
        self._on = on
        self._positions: dict[int, int] = {}
        self._ready: set[int] = set()
        self._said: set[type[Text | Reasoning]] = set()

    def see(self, event: ai.ModelResponseStreamEvent) -> None:
        """Take one event."""
        if isinstance(event, ai.PartStartEvent):
            self._start(event)
        elif isinstance(event, ai.PartDeltaEvent):
            self._delta(event.delta)
        elif isinstance(event, ai.PartEndEvent) and isinstance(event.part, ai.ToolCallPart):
            self._call(event.index, event.part)

    def _start(self, event: ai.PartStartEvent) -> None:
        part = event.part
        if isinstance(part, ai.ToolCallPart):
            self._positions.setdefault(event.index, len(self._positions))
            if isinstance(part.args, dict):
                self._call(event.index, part)
        elif isinstance(part, ai.TextPart | ai.ThinkingPart):
            kind = Text if isinstance(part, ai.TextPart) else Reasoning
            self._say(kind, part.content, begins=True)

    def _delta(self, delta: ai.ModelResponsePartDelta) -> None:
        if isinstance(delta, ai.TextPartDelta):
            self._say(Text, delta.content_delta)
        elif isinstance(delta, ai.ThinkingPartDelta):
            self._say(Reasoning, delta.content_delta or "")

    def _say(self, kind: type[Text | Reasoning], text: str, *, begins: bool = False) -> None:
        if begins and kind in self._said:
            text = BETWEEN + text
        if text:
            self._said.add(kind)
            self._on(kind(text))

    def _call(self, index: int, part: ai.ToolCallPart) -> None:
        position = self._positions.get(index)
        arguments = arguments_of(part.args) if part.args else None
        if position is None or position in self._ready or arguments is None:
            return
        self._ready.add(position)
        call = ToolCall(part.tool_name, arguments, provider_id=part.tool_call_id)
        self._on(CallReady(position, call))
