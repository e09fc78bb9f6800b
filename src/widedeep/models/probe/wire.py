"""Which habits of a server does its wire show, that its reply no longer does?"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from widedeep.messages import Reply
from widedeep.models.compat import Compat
from widedeep.models.compat.loose import listed, mapping, text
from widedeep.models.probe.talk import SEARCH

if TYPE_CHECKING:
    from httpx2 import Response

Chunk = Mapping[str, Any]

REASONING = ("reasoning_content", "reasoning", "reasoning_details")


class Watched(Compat):
    """A model whose replies are also kept as they came: `chunks`, those of the last request."""

    chunks: Sequence[Chunk] = ()

    async def _read(self, response: Response) -> AsyncGenerator[Chunk]:
        kept: list[Chunk] = []
        self.chunks = kept
        async for chunk in super()._read(response):
            kept.append(chunk)
            yield chunk


def habits(chunks: Sequence[Chunk], reply: Reply, *, stream: bool) -> set[str]:
    """Return what a reply shows of its server, by the names that `QUIRKS` has.

    Args:
        chunks: the reply as it came.
        reply: what it says.
        stream: whether a stream was asked for.
    """
    choices = [mapping(next(iter(listed(one.get("choices"))), None)) for one in chunks]
    deltas = [mapping(one.get("delta") or one.get("message")) for one in choices]
    found: set[str] = set()
    if stream and any("message" in one for one in choices):
        found.add("stream_ignored")
    elif stream and not any("done" in one for one in chunks):
        found.add("no_done")
    found |= {name for name in REASONING if any(one.get(name) for one in deltas)}
    groups = [[mapping(one) for one in listed(delta.get("tool_calls"))] for delta in deltas]
    groups = [group for group in groups if group]
    if not groups:
        return found
    if any(one.get("finish_reason") == "stop" for one in choices):
        found.add("says_stop")
    streamed = stream and "stream_ignored" not in found
    pieces = [piece for group in groups for piece in group]
    shown = set(_of_pieces(groups, reply, streamed=streamed))
    return found | shown | (set() if "joined" in shown else _of_ids(pieces, reply))


def _of_ids(pieces: Sequence[Chunk], reply: Reply) -> set[str]:
    names = [text(piece.get("id")) for piece in pieces]
    if not any(names):
        return {"no_ids"}
    return {"same_ids"} if len(set(filter(None, names))) < len(reply.calls) else set()


def _of_pieces(groups: Sequence[Sequence[Chunk]], reply: Reply, *, streamed: bool) -> Iterator[str]:
    pieces = [piece for group in groups for piece in group]
    functions = [mapping(piece.get("function")) for piece in pieces]
    named = [name for one in functions if (name := text(one.get("name")))]
    if any(isinstance(one.get("arguments"), Mapping) for one in functions):
        yield "objects"
    if any(name != SEARCH.name and SEARCH.name.startswith(name) for name in named):
        yield "name_pieces"
    several = len(reply.calls) > 1
    if several and len(named) == 1:
        yield "joined"
    if not streamed:
        return
    indexes = [piece.get("index") for piece in pieces]
    if None in indexes:
        yield "no_index"
    elif several and len(set(indexes)) == 1 and len(named) > 1:
        yield "same_index"
    runs = [index for index, _ in groupby(indexes)]
    if len(runs) > len(set(indexes)):
        yield "interleaved"
    if several and len(groups) == 1:
        yield "at_once"
