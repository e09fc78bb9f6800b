"""What came of a request so far? Deltas pass through and are remembered as little as need be."""

from __future__ import annotations

from collections.abc import Callable

from widedeep.errors import ModelError, TransientError
from widedeep.seams import Delta, Restarted


class Heard:
    """Passes deltas on, and knows whether some would be void now and whether `on` objected.

    Args:
        on: who is told.
    """

    __slots__ = ("_any", "_on", "objected")

    def __init__(self, on: Callable[[Delta], None]) -> None:
        self.objected = False
        self._any = False
        self._on = on

    def __call__(self, delta: Delta) -> None:
        """Pass a delta on; what that raises was not the model's fault."""
        self._any = not isinstance(delta, Restarted)
        self.objected = True
        self._on(delta)
        self.objected = False

    def restart(self, reason: str, error: ModelError) -> None:
        """Say that all deltas so far are void, since the request ended with an error.

        The provider may charge if there were any, or if what the error tells of had come of others.
        """
        billed = isinstance(error, TransientError) and error.billed
        self(Restarted(reason, billed=self._any or billed))
