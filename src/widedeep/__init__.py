"""widedeep: a deep research agent with really parallel tool calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from widedeep.agent import Agent, Run
    from widedeep.costs import Budget, Cost, Prices
    from widedeep.errors import UsageError, WidedeepError
    from widedeep.journal import MemoryJournal, SqliteJournal
    from widedeep.messages import Answer, Found, ToolOutput
    from widedeep.models.builtin import Builtin
    from widedeep.models.scripted import Scripted
    from widedeep.retrieval import open_index
    from widedeep.seams import Context, Tool
    from widedeep.tools.corpus import corpus_tools
    from widedeep.tools.function import tool

_HOMES = {
    "Agent": "widedeep.agent",
    "Answer": "widedeep.messages",
    "Budget": "widedeep.costs",
    "Builtin": "widedeep.models.builtin",
    "Context": "widedeep.seams",
    "Cost": "widedeep.costs",
    "Found": "widedeep.messages",
    "MemoryJournal": "widedeep.journal",
    "Prices": "widedeep.costs",
    "Run": "widedeep.agent",
    "Scripted": "widedeep.models.scripted",
    "SqliteJournal": "widedeep.journal",
    "Tool": "widedeep.seams",
    "ToolOutput": "widedeep.messages",
    "UsageError": "widedeep.errors",
    "WidedeepError": "widedeep.errors",
    "corpus_tools": "widedeep.tools.corpus",
    "open_index": "widedeep.retrieval",
    "tool": "widedeep.tools.function",
}

__all__ = [
    "Agent",
    "Answer",
    "Budget",
    "Builtin",
    "Context",
    "Cost",
    "Found",
    "MemoryJournal",
    "Prices",
    "Run",
    "Scripted",
    "SqliteJournal",
    "Tool",
    "ToolOutput",
    "UsageError",
    "WidedeepError",
    "corpus_tools",
    "open_index",
    "tool",
]


def __getattr__(name: str) -> object:
    """Load a public name when it is first used: importing widedeep itself does nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'widedeep' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
