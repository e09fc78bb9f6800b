"""What are calls called on the wire, so that each result finds its own?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from widedeep.messages import Assistant
from widedeep.models.compat.loose import listed, mapping


def own_part(message: Assistant, model: str) -> Mapping[str, Any]:
    """Return what a model has sent with a reply to have it sent back; of another's nothing."""
    kept = mapping(message.provider)
    return kept if kept.get("of") == model else {}


def ids(message: Assistant, model: str) -> list[str]:
    """Return what the calls of a reply are called on the wire.

    The server's own ids where they are there and distinct (the reply says so), else ours: nine
    letters and digits, which is what every server takes.
    """
    kept = listed(own_part(message, model).get("ids"))
    if len(kept) == len(message.calls):
        return [str(one) for one in kept]
    return [own_id(call.id) for call in message.calls]


def own_id(id: str) -> str:
    """Return an id of ours (`turn.position`) as servers take it."""
    turn, _, position = id.partition(".")
    return f"c{turn:0>5}{position:0>3}"
