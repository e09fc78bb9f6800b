"""Which run does a request belong to, and what is kept of that run between its requests?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pydantic_ai import messages as ai

from widedeep.messages import Message
from widedeep.models.kept import Kept
from widedeep.models.others.history import Plain
from widedeep.models.others.wire import DIALECTS, Wire

MARKED = frozenset({"bedrock"})
"""Providers that want to be told where their cache may end, by pydantic-ai."""


class Run(Protocol):
    """A run's history, as far as it has been sent."""

    def messages(self, history: Sequence[Message], tail: str | None) -> list[ai.ModelMessage]:
        """Return what pydantic-ai is to be given for the request whose history this is."""
        ...


class Runs:
    """The runs of a model, each known by its first message and kept as long as that lives."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._kept: Kept[Run] = Kept()

    def of(self, history: Sequence[Message]) -> Run:
        """Return the run that a history belongs to."""
        return self._kept.get(history[0], self._new)

    def __len__(self) -> int:
        return len(self._kept)

    def _new(self, _: Message) -> Run:
        prefix = self._name.partition(":")[0]
        if prefix in DIALECTS:
            return Wire(self._name, DIALECTS[prefix])
        return Plain(self._name, cached=prefix in MARKED)
