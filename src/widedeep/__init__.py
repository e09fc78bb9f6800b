"""widedeep: a deep research agent with really parallel tool calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from widedeep.agent import Agent, Run
    from widedeep.errors import UsageError, WidedeepError
    from widedeep.journal import MemoryJournal, SqliteJournal
    from widedeep.messages import Answer, Budget, Found, ToolOutput
    from widedeep.seams import Context, Tool
    from widedeep.tools.function import tool

_HOMES = {
    "Agent": "widedeep.agent",
    "Answer": "widedeep.messages",
    "Budget": "widedeep.messages",
    "Context": "widedeep.seams",
    "Found": "widedeep.messages",
    "MemoryJournal": "widedeep.journal",
    "Run": "widedeep.agent",
    "SqliteJournal": "widedeep.journal",
    "Tool": "widedeep.seams",
    "ToolOutput": "widedeep.messages",
    "UsageError": "widedeep.errors",
    "WidedeepError": "widedeep.errors",
    "tool": "widedeep.tools.function",
}

__all__ = [
    "Agent",
    "Answer",
    "Budget",
    "Context",
    "Found",
    "MemoryJournal",
    "Run",
    "SqliteJournal",
    "Tool",
    "ToolOutput",
    "UsageError",
    "WidedeepError",
    "tool",
]


def __getattr__(name: str) -> object:
    """Load a public name when it is first used: importing widedeep itself does nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'widedeep' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
