"""What are calls called on the wire, so that each result finds its own?"""

from __future__ import annotations

from widedeep.messages import Assistant
from widedeep.models.compat.loose import listed, mapping


def ids(message: Assistant) -> list[str]:
    """Return what the calls of a reply are called on the wire.

    The server's own ids where they are there and distinct (the reply says so), else ours: nine
    letters and digits, which is what every server takes.
    """
    kept = listed(mapping(message.provider).get("ids"))
    if len(kept) == len(message.calls):
        return [str(one) for one in kept]
    return [own_id(call.id) for call in message.calls]


def own_id(id: str) -> str:
    """Return an id of ours (`turn.position`) as servers take it."""
    turn, _, position = id.partition(".")
    return f"c{turn:0>5}{position:0>3}"
