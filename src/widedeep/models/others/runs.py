"""Which run does a request belong to, and what is kept of that run between its requests?"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Protocol

from pydantic_ai import messages as ai

from widedeep.messages import Message
from widedeep.models.others.history import Plain
from widedeep.models.others.wire import DIALECTS, Wire

RUNS = 256
"""Runs that are kept in mind at a time; others are read anew."""

MARKED = frozenset({"bedrock"})
"""Providers that want to be told where their cache may end, by pydantic-ai."""


class Run(Protocol):
    """A run's history, as far as it has been sent."""

    def messages(self, history: Sequence[Message], tail: str | None) -> list[ai.ModelMessage]:
        """Return what pydantic-ai is to be given for the request whose history this is."""
        ...


class Runs:
    """The newest runs of a model, each known by its first message."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._kept: OrderedDict[int, tuple[Message, Run]] = OrderedDict()

    def of(self, history: Sequence[Message]) -> Run:
        """Return the run that a history belongs to."""
        first = history[0]
        known = self._kept.pop(id(first), None)
        if known is None or known[0] is not first:
            known = (first, self._new())
        self._kept[id(first)] = known
        while len(self._kept) > RUNS:
            self._kept.popitem(last=False)
        return known[1]

    def _new(self) -> Run:
        prefix = self._name.partition(":")[0]
        if prefix in DIALECTS:
            return Wire(self._name, DIALECTS[prefix])
        return Plain(self._name, cached=prefix in MARKED)
