"""Where is a text cut into passages that stand on their own?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

WORDS = 350
"""The most words a passage has."""
TARGET = 200
"""Words from which on a passage ends at the next paragraph or line that does not fit in whole."""

_HEADING = re.compile(r"^(#{1,6}) \S")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_SENTENCE = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9À-Þ])|(?<=[。！？；])")
# Scripts written without spaces: two characters count as one word.
_DENSE = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
)
_WORD_LETTERS = 12
"""Letters in a row that count as one more word, so that no string without spaces is endless."""


def split(text: str, words: int = WORDS) -> Iterator[str]:
    """Yield the passages of a text in order, each of at most `words` words.

    A passage ends between paragraphs where it can, else between lines, then sentences, then words.
    The headings (`# ...` lines) over a passage that begins within their section stand at its top.
    """
    if size(text) <= words and "\n#" not in text:
        if text.strip():
            yield text.strip()
        return
    page = _Page(words, min(TARGET, words))
    for lines in _paragraphs(text):
        if isinstance(lines, str) and size(lines) < words // 8:
            yield from page.head(lines)
        else:
            yield from page.add([lines] if isinstance(lines, str) else lines)
    yield from page.end()


def size(text: str) -> int:
    """Return how many words a text counts for; a text never counts more than its parts."""
    counted = max(len(text.split()), -(-(len(text) + 2) // _WORD_LETTERS))
    return counted if text.isascii() else counted + -(-len(_DENSE.findall(text)) // 2)


@dataclass(slots=True)
class _Page:
    """A passage being filled."""

    words: int
    target: int
    headings: list[str] = field(default_factory=list[str])
    blocks: list[str] = field(default_factory=list[str])
    filled: int = 0

    def add(self, paragraph: list[str]) -> Iterator[str]:
        whole = "\n".join(paragraph)
        if self._fits(size(whole)):
            self._put(whole, "\n\n")
            return
        if self.filled >= self.target or size(whole) <= self._room_on_a_new_page():
            yield from self._turn()
        if self._fits(size(whole)):
            self._put(whole, "\n\n")
            return
        joint = "\n\n"
        for line in paragraph:
            for piece in _pieces(line, self._room_on_a_new_page()):
                if self.filled >= self.target or not self._fits(size(piece)):
                    yield from self._turn()
                self._put(piece, joint)
                joint = "\n"

    def end(self) -> Iterator[str]:
        if self.blocks:
            yield "".join(self.blocks)

    def head(self, heading: str) -> Iterator[str]:
        level = _level(heading)
        over = [each for each in self.headings if _level(each) < level]
        if self.filled >= self.target // 2 and not self._is_fresh():
            yield "".join(self.blocks)
            self._open(over)
        self.headings = [*over, heading]
        self._put(heading, "\n\n")

    def _fits(self, more: int) -> bool:
        return self.filled + more <= self.words

    def _room_on_a_new_page(self) -> int:
        return max(1, self.words - sum(map(size, self.headings)))

    def _is_fresh(self) -> bool:
        """Tell whether there is nothing on the page but the headings over what comes next."""
        return self.filled == sum(map(size, self.headings))

    def _turn(self) -> Iterator[str]:
        if not self._is_fresh():
            yield "".join(self.blocks)
            self._open(self.headings)

    def _open(self, headings: list[str]) -> None:
        self.blocks = ["\n".join(headings)] if headings else []
        self.filled = sum(map(size, headings))

    def _put(self, text: str, joint: str) -> None:
        if self.blocks:
            last = self.blocks[-1].strip().rsplit("\n", 1)[-1]
            text = ("\n" if _HEADING.match(last) else joint) + text
        self.blocks.append(text)
        self.filled += size(text.strip())


def _level(heading: str) -> int:
    return len(heading) - len(heading.lstrip("#"))


def _paragraphs(text: str) -> Iterator[list[str] | str]:
    """Yield runs of lines between empty lines, and headings as strings."""
    run: list[str] = []
    fenced = False
    for line in text.splitlines():
        fenced ^= bool(_FENCE.match(line))
        heading = not fenced and bool(_HEADING.match(line))
        if run and (heading or not line.strip()):
            yield run
            run = []
        if heading:
            yield line.rstrip()
        elif line.strip():
            run.append(line.rstrip())
    if run:
        yield run


def _pieces(line: str, words: int) -> Iterator[str]:
    """Yield a line whole if it fits, else its sentences, cut if need be, as many as fit at once."""
    if size(line) <= words:
        yield line
        return
    piece = ""
    for part in _parts(line, words):
        joined = f"{piece}{part}"
        if piece.strip() and size(joined) > words:
            yield piece.strip()
            joined = part
        piece = joined
    if piece.strip():
        yield piece.strip()


def _parts(line: str, words: int) -> Iterator[str]:
    start = 0
    ends = [match.end() for match in _SENTENCE.finditer(line)]
    for end in [*ends, len(line)]:
        sentence = line[start:end]
        start = end
        if size(sentence) <= words:
            yield sentence
        else:
            yield from _cut(sentence, words)


def _cut(sentence: str, words: int) -> Iterator[str]:
    """Yield the words of a sentence; one without spaces in pieces of `words` characters."""
    for word in re.findall(r"\S+\s?", sentence):
        if size(word) <= words:
            yield word
        else:
            yield from (word[at : at + words] for at in range(0, len(word), words))
