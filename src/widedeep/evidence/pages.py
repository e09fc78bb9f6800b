"""What does each cited source say, line by line?"""

from __future__ import annotations

import re
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


_GOES_ON = re.compile(r"\w|[.,]\d")


class Standing:
    """The words, numbers and days of a source, each found once."""

    def __init__(self, text: str) -> None:
        self._text = text

    def says(self, claim: str) -> bool:
        """Say whether a claim stands here word for word."""
        said = words.fold(claim).strip(" .।")
        at = self._folded.find(said) if said else -1
        while at >= 0:
            end = at + len(said)
            before, after = self._folded[max(0, at - 1) : at], self._folded[end : end + 2]
            if not (before.isalnum() or _GOES_ON.match(after)):
                return True
            at = self._folded.find(said, at + 1)
        return False

    @cached_property
    def _folded(self) -> str:
        return words.fold(self._text)

    @cached_property
    def words(self) -> set[str]:
        """The folded words and the parts that apostrophes divide them into."""
        plain = words.words(self._folded)
        return {*plain, *(part for word in plain for part in word.split("'"))}

    @cached_property
    def numbers(self) -> set[str]:
        """The numbers, each in one form."""
        return words.numbers(self._text)

    @cached_property
    def days(self) -> set[str]:
        """The days named, as `day (year, month, day)`."""
        return {f"day {day}" for day in words.dates(self._text)}


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
            with_label = {line for line in lines if labelled(line, title)}
            plain = [line for line in lines if line not in with_label]
            standing = Standing(self._sources.titled(n) or "")
            self._read[n] = Page(standing, Labels(title, lines), read(title, plain, with_label))
        return self._read[n]
