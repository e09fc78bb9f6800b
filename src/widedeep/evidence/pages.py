"""What does each cited source say, line by line?"""

from __future__ import annotations

from dataclasses import dataclass

from widedeep import text as words
from widedeep.evidence.binding import bound, labelled
from widedeep.evidence.prose import Prose, read
from widedeep.evidence.sources import Sources


@dataclass(frozen=True, slots=True)
class Page:
    """The title and the lines of a source; `prose` is those lines that no label opens."""

    title: str
    lines: list[str]
    prose: Prose

    def binds(self, claim: str, about: str) -> bool:
        """Say whether the labelled lines say the claim's values of what the claim says them of."""
        return bound(claim, about, self.title, self.lines)


class Pages:
    """The cited sources of an answer, each cut into lines once."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._read: dict[int, Page] = {}

    def page(self, n: int) -> Page:
        """Return source `n`."""
        if n not in self._read:
            title = (self._sources.titled(n) or "").partition("\n")[0]
            lines = [line for text in self._sources.passages(n) for line in words.sentences(text)]
            with_label = [line for line in lines if labelled(line, title)]
            plain = [line for line in lines if not labelled(line, title)]
            self._read[n] = Page(title, lines, read(title, plain, with_label))
        return self._read[n]
