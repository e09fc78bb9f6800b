"""What does a refusal teach about a server? That it does not know a field it was sent."""

from __future__ import annotations

from dataclasses import replace

from widedeep.models.compat.server import Server

REFUSED = frozenset({400, 422})
"""Statuses of a request that was not understood."""


def learned(server: Server, said: str) -> Server | None:
    """Return the server with the habit that a refusal shows; None when it shows none.

    Args:
        server: the server as it was taken to be.
        said: what it answered.
    """
    if "stream_options" in said and server.usage:
        return replace(server, usage=False)
    if "parallel_tool_calls" in said and server.parallel_switch:
        return replace(server, parallel_switch=False)
    if "max_completion_tokens" in said and server.limit_field == "max_tokens":
        return replace(server, limit_field="max_completion_tokens")
    if "tool_choice" in said and server.choice_none:
        return replace(server, choice_none=False)
    if "alternat" in said and not server.alternates:
        return replace(server, alternates=True)
    return None
