"""How is what was once made of a message kept, as long as the message itself lives?"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
Of = TypeVar("Of")


class Kept(Generic[T]):
    """Values by the object they were made of: by the very object, not by what is equal to it."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[weakref.ref[object], T]] = {}

    def get(self, of: Of, make: Callable[[Of], T]) -> T:
        """Return what was made of an object, making it when it was not."""
        name = id(of)
        found = self._kept.get(name)
        if found is not None:
            return found[1]
        value = make(of)
        self._kept[name] = (weakref.ref(of, lambda _: self._kept.pop(name, None)), value)
        return value

    def __len__(self) -> int:
        return len(self._kept)
