"""What does each cited source say, line by line?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from widedeep import text as words
from widedeep.evidence.binding import Labels, labelled
from widedeep.evidence.prose import Prose, read
from widedeep.evidence.sources import Sources


@dataclass(frozen=True, slots=True)
class Page:
    """A source: what stands in it, its labelled lines, and as `prose` those that no label opens."""

    stands: Standing
    labels: Labels
    prose: Prose


class Standing:
    """The words, numbers and days of a source, each found once."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def words(self) -> set[str]:
        """The folded words and the parts that apostrophes divide them into."""
        plain = words.words(self._text)
        return {*plain, *(part for word in plain for part in word.split("'"))}

    @cached_property
    def numbers(self) -> set[str]:
        """The numbers, each in one form."""
        return words.numbers(self._text)

    @cached_property
    def days(self) -> set[tuple[int, int, int]]:
        """The days named, as (year, month, day)."""
        return words.dates(self._text)


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
            standing = Standing(self._sources.titled(n) or "")
            self._read[n] = Page(standing, Labels(title, lines), read(title, plain, with_label))
        return self._read[n]
