"""A clock that jumps: tests of deadlines take no time and depend on none."""

import asyncio
import selectors


class _Jumping(selectors.DefaultSelector):
    """Instead of waiting for the next deadline, gives threads a moment and moves the clock."""

    def __init__(self, grace):
        super().__init__()
        self.grace = grace
        self.now = 0.0

    def select(self, timeout=None):
        if timeout is None:
            return super().select()
        ready = super().select(min(timeout, self.grace))
        if not ready:
            self.now += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop on virtual time; `grace` is the real seconds threads get before each jump."""

    def __init__(self, grace=0.0):
        self._jumping = _Jumping(grace)
        super().__init__(self._jumping)

    def time(self):
        return self._jumping.now


def run(coroutine, grace=0.0):
    """Run a coroutine to its end on a virtual clock."""
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(grace)) as runner:
        return runner.run(coroutine)
