"""What the run has met: numbered sources and what was read of each."""

from __future__ import annotations

from dataclasses import replace

from widedeep.messages import Found, Source


class Sources:
    """The numbered sources of a run; a source met again keeps its number."""

    def __init__(self) -> None:
        self._first: dict[str, Source] = {}
        self._texts: dict[int, list[str]] = {}
        self._numbered: list[Source] = []
        self._fresh: list[Source] = []

    def __len__(self) -> int:
        return len(self._first)

    def meet(self, found: Found, turn: int) -> Source:
        """Return the source as met now."""
        known = self._first.get(found.id)
        n = known.n if known else len(self._first) + 1
        first_turn = known.turn if known else turn
        source = Source(n, found.id, found.text, found.kind, found.title, found.url, first_turn)
        texts = self._texts.setdefault(n, [])
        if found.text not in texts:
            texts.append(found.text)
            self._fresh.append(source)
        if known is None:
            self._first[found.id] = source
            self._numbered.append(source)
        return source

    def take_fresh(self) -> tuple[Source, ...]:
        """Return what was met since this was last asked: new sources, or more of known ones."""
        fresh, self._fresh = tuple(self._fresh), []
        return fresh

    def all(self) -> tuple[Source, ...]:
        """Return every source once, with all of its text that was met."""
        return tuple(_whole(source, self._texts[source.n]) for source in self._first.values())

    def titled(self, n: int) -> str | None:
        """Return title and text of source `n`, or None when there is no such source."""
        if n not in self._texts:
            return None
        source = self._numbered[n - 1]
        return "\n".join([source.title or "", *self._texts[n]])

    def passages(self, n: int) -> list[str]:
        """Return the texts of source `n` in the order they were met."""
        return self._texts.get(n, [])


def _whole(source: Source, texts: list[str]) -> Source:
    """Return the source with all of its text; most were met once and stay as they are."""
    return source if len(texts) == 1 else replace(source, text="\n".join(texts))
