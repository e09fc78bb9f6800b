"""What of a text is thinking that leaked into it?

Some models and servers send their reasoning in the text, between tags (`<think> ... </think>`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from widedeep.seams import Reasoning, Text

TAGS = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
)
"""How a block of thinking begins and ends; it begins with a line, outside of fenced code."""

_FENCES = ("```", "~~~")
_STARTS = (*(start for start, _ in TAGS), *_FENCES)
_END_ALONE = re.compile(
    rf"^[ \t]*(?:{'|'.join(re.escape(end) for _, end in TAGS)})[ \t]*$", re.MULTILINE
)


class Thinking:
    """Parts a text that arrives in pieces, wherever they are cut.

    What a tag could begin with is held back until it is decided, so feed every piece and `end`.
    """

    def __init__(self) -> None:
        self._held = ""
        self._end: str | None = None
        self._at_line = True
        self._fence: str | None = None
        self._skipping = False
        self._blocks = 0

    @property
    def fenced(self) -> bool:
        """Whether what comes next is in fenced code."""
        return self._fence is not None

    def feed(self, piece: str) -> list[Text | Reasoning]:
        """Return what is decided with this piece."""
        self._held += piece
        return _joined(self._decided(whole=False))

    def end(self) -> list[Text | Reasoning]:
        """Return what was held back; a block that has no end is thinking to the last."""
        return _joined(self._decided(whole=True))

    def _decided(self, *, whole: bool) -> Iterator[Text | Reasoning]:
        while self._held:
            before = len(self._held)
            step = self._line if self._end is None else self._block
            yield from step(whole=whole)
            if len(self._held) == before:
                return

    def _block(self, *, whole: bool) -> Iterator[Text | Reasoning]:
        """Take what is thinking, up to the tag that ends it."""
        end = self._end or ""
        at = self._held.find(end)
        if at < 0:
            kept = 0 if whole else _begun(self._held, end)
            yield from self._take(len(self._held) - kept, Reasoning)
            return
        yield from self._take(at, Reasoning)
        self._held = self._held[len(end) :]
        self._end, self._at_line, self._skipping = None, True, True

    def _line(self, *, whole: bool) -> Iterator[Text | Reasoning]:
        """Take the next of a line: at its beginning it may be a tag or a fence."""
        if self._skipping:
            self._held = self._held.lstrip()
            self._skipping = not self._held
        if self._at_line:
            bare = self._held.lstrip(" \t")
            if not whole and any(start != bare and start.startswith(bare) for start in _STARTS):
                return  # it may become one
            yield from self._opened(bare)
            self._at_line = False
            if self._end is not None:
                return
        at = self._held.find("\n") + 1
        self._at_line = at > 0
        yield from self._take(at or len(self._held), Text)

    def _opened(self, bare: str) -> Iterator[Text | Reasoning]:
        """Begin a block or a fence where the line begins with one."""
        fence = next((fence for fence in _FENCES if bare.startswith(fence)), None)
        if fence is not None and self._fence in (None, fence):
            self._fence = fence if self._fence is None else None
        for start, end in TAGS:
            if self._fence is None and bare.startswith(start):
                self._end, self._held = end, bare[len(start) :]
                if self._blocks:
                    yield Reasoning("\n")
                self._blocks += 1

    def _take(self, count: int, kind: type[Text | Reasoning]) -> Iterator[Text | Reasoning]:
        taken, self._held = self._held[:count], self._held[count:]
        if taken:
            yield kind(taken)


def part(text: str) -> tuple[str, str | None]:
    """Return a whole text without the thinking in it, and that thinking (None without any).

    A tag that ends a block and has none before it, alone on its line, ends one that the prompt
    had begun: all before it is thinking. Without tags the text is what it was.
    """
    alone = _END_ALONE.search(text)
    if alone and not _thought(text[: alone.start()]):
        return _parted(text[alone.end() :].lstrip(), text[: alone.start()])
    return _parted(text, "")


def _thought(text: str) -> bool:
    """Say whether a text has thinking in it, or ends within fenced code."""
    thinking = Thinking()
    deltas = thinking.feed(text) + thinking.end()
    return thinking.fenced or any(isinstance(delta, Reasoning) for delta in deltas)


def _parted(text: str, before: str) -> tuple[str, str | None]:
    thinking = Thinking()
    deltas = thinking.feed(text) + thinking.end()
    answer = "".join(delta.text for delta in deltas if isinstance(delta, Text))
    reasoning = before + "".join(delta.text for delta in deltas if isinstance(delta, Reasoning))
    return answer, reasoning if reasoning.strip() else None


def _begun(text: str, tag: str) -> int:
    """Return how many characters at the end of a text may be the beginning of a tag."""
    return next((n for n in range(len(tag) - 1, 0, -1) if text.endswith(tag[:n])), 0)


def _joined(deltas: Iterator[Text | Reasoning]) -> list[Text | Reasoning]:
    """Return deltas with those of one kind that follow each other as one."""
    joined: list[Text | Reasoning] = []
    for delta in deltas:
        if joined and type(joined[-1]) is type(delta):
            joined[-1] = type(delta)(joined[-1].text + delta.text)
        else:
            joined.append(delta)
    return joined
