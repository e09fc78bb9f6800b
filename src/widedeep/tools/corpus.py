"""How does a model search and read the user's documents?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Protocol

from pydantic import Field

from widedeep.messages import Found, ToolOutput
from widedeep.seams import Hit, Library, Query, Retriever, Tool
from widedeep.tools.function import tool
from widedeep.tools.keys import search_key

DEADLINE = 15.0
MOST = 20
READ_WORDS = 1500
# Not docstrings, which Python leaves out where it is told to (PYTHONOPTIMIZE=2).
_SEARCHES = "Search the user's documents and return the passages that match best."
_READS = "Read more of one document, up to about 1,500 words around the part you name."
_WORD = re.compile(r"\w+")


class Corpus(Retriever, Library, Protocol):
    """Something to search that also has its documents whole."""


def corpus_tools(corpus: Corpus) -> list[Tool]:
    """Return the tools `search_corpus` and `read_document` over a corpus, as of `open_index`."""
    return [_search(corpus), _read(corpus, corpus)]


def _search(retriever: Retriever) -> Tool:
    @tool(description=_SEARCHES, effects="read", deadline=DEADLINE, key=search_key)
    async def search_corpus(
        query: Annotated[str, "what to look for, in a few words"],
        k: Annotated[int, Field(ge=1, le=MOST, description="how many passages, 1 to 20")] = 5,
    ) -> ToolOutput:
        if not query.strip():
            raise ValueError("query is empty: say in a few words what to look for")
        hits = await retriever.search(Query(query), k)
        if not hits:
            return ToolOutput(f"No passage found for {query!r}.", sources=())
        return ToolOutput(sources=tuple(_passage(hit) for hit in hits))

    return search_corpus


def _read(retriever: Retriever, library: Library) -> Tool:
    @tool(description=_READS, effects="read", deadline=DEADLINE)
    async def read_document(
        id: Annotated[str, "the document's id, as a search result shows it"],
        around: Annotated[str | None, "words near the part to read; without it, the start"] = None,
    ) -> ToolOutput:
        passages = await library.passages(id)
        if not passages:
            raise ValueError(await _unknown(id, retriever))
        first, last = _window(passages, around)
        text = _joined(passages[first:last])
        shown = f"Passages {first + 1} to {last} of {len(passages)} of {id!r}."
        whole = "" if last - first == len(passages) else shown
        top = passages[0]
        found = Found(id=top.id, text=text, kind="file", title=top.title, url=top.url)
        return ToolOutput(whole, sources=(found,))

    return read_document


def _passage(hit: Hit) -> Found:
    return Found(id=hit.id, text=hit.text, kind="passage", title=hit.title, url=hit.url)


async def _unknown(id: str, retriever: Retriever) -> str:
    """Say that there is no such document, and which ones the caller may have meant."""
    words = " ".join(_WORD.findall(id.replace("_", " ")))
    near = {hit.id: hit.title for hit in await retriever.search(Query(words), 5)}
    close = [f"{other!r} ({title})" if title else f"{other!r}" for other, title in near.items()]
    meant = f"; close are {', '.join(close[:3])}" if close else ""
    return f"no document has the id {id!r}: give one as a search result shows it{meant}"


def _window(passages: Sequence[Hit], around: str | None) -> tuple[int, int]:
    """Return the run of passages to show: around the best match, as many as fit."""
    sizes = [_size(hit.text) for hit in passages]
    first = _best(passages, around) if around else 0
    last = first + 1
    total = sizes[first]
    while True:
        after = last < len(passages) and total + sizes[last] <= READ_WORDS
        if after:
            total += sizes[last]
            last += 1
        before = bool(around) and first > 0 and total + sizes[first - 1] <= READ_WORDS
        if before:
            first -= 1
            total += sizes[first]
        if not (after or before):
            return first, last


def _size(text: str) -> int:
    """Return how many words a text counts for; one without spaces by its length."""
    return max(len(text.split()), len(text) // 12)


def _best(passages: Sequence[Hit], around: str) -> int:
    """Return the passage that holds most of the words, rare ones counting more."""
    contents = [set(_WORD.findall(hit.text.casefold())) for hit in passages]
    spread = Counter(word for words in contents for word in words)
    wanted = set(_WORD.findall(around.casefold()))

    def score(place: int) -> float:
        if around.casefold() in passages[place].text.casefold():
            return float(len(wanted))
        return sum(1 / spread[word] for word in wanted & contents[place])

    return max(range(len(passages)), key=lambda place: (score(place), -place))


def _joined(passages: Sequence[Hit]) -> str:
    """Join passages that follow each other; a heading that only repeats stands once."""
    text = ""
    headings: list[str] = []
    for hit in passages:
        lines = hit.text.split("\n")
        top = [line for line in lines[: _count_headings(lines)] if line not in headings]
        text += ("\n\n" if text else "") + "\n".join([*top, *lines[_count_headings(lines) :]])
        headings = [line for line in lines if line.startswith("#")] or headings
    return text


def _count_headings(lines: Sequence[str]) -> int:
    return next((at for at, line in enumerate(lines) if not line.startswith("#")), len(lines))
