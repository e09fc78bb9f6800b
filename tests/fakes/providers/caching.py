"""What of a request does a provider find in its prompt cache?"""

from collections.abc import Sequence
from dataclasses import dataclass, field

LOOK_BACK = 20  # blocks before a breakpoint


@dataclass(slots=True)
class PromptCache:
    """What earlier requests began with: whole requests, or what stood before breakpoints."""

    _seen: list[Sequence[str]] = field(default_factory=list)
    _marked: set[tuple[str, ...]] = field(default_factory=set)

    def used(self, read: Sequence[str], breakpoints: Sequence[int] | None) -> tuple[int, int]:
        """Return how many blocks are read from the cache, and up to which they are written.

        Args:
            read: The blocks of a request.
            breakpoints: After how many blocks it is cached; None = after any, and for nothing.
        """
        if breakpoints is None:
            cached = max((_common(read, earlier) for earlier in self._seen), default=0)
            self._seen.append(read)
            return cached, cached
        found = [
            end
            for mark in breakpoints
            for end in range(max(1, mark - LOOK_BACK), mark + 1)
            if tuple(read[:end]) in self._marked
        ]
        cached = max(found, default=0)
        self._marked |= {tuple(read[:mark]) for mark in breakpoints}
        return cached, max([cached, *breakpoints])


def tokens(texts: Sequence[str]) -> int:
    """Return the size of texts: a token is four bytes."""
    return -(-sum(len(text.encode()) for text in texts) // 4)


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many blocks two requests begin with alike."""
    alike = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        alike += 1
    return alike
