"""How many requests may be under way at one provider, and from when on?"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from math import inf
from types import TracebackType

from widedeep.errors import TransientError

MOST = 256
"""Requests under way at one provider at most; also before it has said that these are too many."""

CUT = 0.5
"""What is left of the lanes when a provider was crowded."""

LONGEST_PAUSE = 600.0
"""Seconds after which a provider is asked again, however long it told another to wait."""


class Lanes:
    """The lanes to one provider: who asks it takes one, in order of coming, or waits for one.

    Their number is learnt. All are open until the provider says that it is crowded: then half of
    those in use are left, once for all requests that were under way together. With each reply
    while all are in use their number grows by a fraction, by one when each has brought a reply
    (additive increase, multiplicative decrease, as TCP has it: RFC 5681). While the provider asks
    to wait, none is open. Any number of threads and event loops may share them.

    Args:
        name: who is asked, as errors name it.
        most: lanes at most.
    """

    def __init__(self, name: str, most: int = MOST) -> None:
        self.name = name
        self._most = most
        self._number = float(most)
        self._taken = 0
        self._entered = 0
        self._full = 0
        self._cut = 0
        self._open_at = -inf
        self._queue: deque[_Waiting] = deque()
        # Reentrant: collecting an abandoned coroutine may give its lane back at any allocation.
        self._lock = threading.RLock()

    @property
    def number(self) -> int:
        """How many requests may be under way now."""
        return max(1, int(self._number))

    @property
    def taken(self) -> int:
        """How many are under way."""
        return self._taken

    @property
    def waiting(self) -> int:
        """How many wait for a lane."""
        return len(self._queue)

    def lane(self, within: float = inf) -> Lane:
        """Return a lane to be entered with `async with`; how it is left tells what the lanes learn.

        Entering raises `TransientError` at once when the provider asks to wait longer than
        `within` seconds.
        """
        return Lane(self, within)

    async def take(self, within: float) -> int:
        """Wait for a lane and take it; return the number of this entry.

        Raises:
            TransientError: the provider asks to wait longer.
        """
        loop = asyncio.get_running_loop()
        now = loop.time()
        with self._lock:
            if self._open_at - now > within:
                raise self._too_long(now)
            if not self._queue and self._taken < self.number and now >= self._open_at:
                return self._enter()
            mine = _Waiting(loop, now + within)
            self._queue.append(mine)
            self._admit(now)
        came = False
        try:
            await mine.told
            came = True
        finally:
            if not came:
                self._give_up(mine, loop.time())
        return mine.entry

    def give_back(self, entry: int, error: BaseException | None, now: float) -> None:
        """Give a lane back, and learn from how its request ended.

        Args:
            entry: what `take` returned.
            error: what it ended with; None = with a reply.
            now: the time of the loop that took it; that loop may run no more.
        """
        with self._lock:
            if isinstance(error, TransientError):
                self._learn(error, entry, now)
            elif error is None and self._cut < entry <= self._full:
                self._number = min(self._most, self._number + 1 / self._number)
            self._taken -= 1
            self._admit(now)

    def _enter(self) -> int:
        """Count one in, and keep in mind that all who are in have seen the lanes full."""
        self._taken += 1
        self._entered += 1
        if self._taken >= self.number:
            self._full = self._entered
        return self._entered

    def _learn(self, error: TransientError, entry: int, now: float) -> None:
        if error.crowded and entry > self._cut:
            self._cut = self._entered
            self._number = max(1.0, min(self._number, self._taken) * CUT)
        if error.wait:
            self._open_at = max(self._open_at, now + min(error.wait, LONGEST_PAUSE))
            for one in [one for one in self._queue if one.deadline < self._open_at]:
                self._queue.remove(one)
                one.tell(self._too_long(now))

    def _too_long(self, now: float) -> TransientError:
        wait = self._open_at - now
        return TransientError(f"{self.name} takes no requests now", wait=wait)

    def _give_up(self, mine: _Waiting, now: float) -> None:
        """Leave the queue, or give back the lane that came too late."""
        with self._lock:
            if mine.entry:
                self._taken -= 1
            mine.forget()
            with suppress(ValueError):
                self._queue.remove(mine)
            self._admit(now)

    def _admit(self, now: float) -> None:
        """Let in who is first, as long as there are lanes; if none is open, see to it later."""
        while self._queue and self._taken < self.number:
            first = self._queue[0]
            if now < self._open_at:
                if first.wake(self._open_at, self._opened):
                    return
                self._queue.popleft()
                continue
            self._queue.popleft()
            first.entry = self._enter()
            if not first.tell(None):
                first.entry = 0
                self._taken -= 1

    def _opened(self, at: float) -> None:
        with self._lock:
            self._admit(max(at, asyncio.get_running_loop().time()))


class Lane:
    """One request's way to a provider, by `async with`."""

    __slots__ = ("_entry", "_lanes", "_loop", "_within")

    def __init__(self, lanes: Lanes, within: float) -> None:
        self._lanes = lanes
        self._within = within
        self._entry = 0
        self._loop: asyncio.AbstractEventLoop | None = None

    async def __aenter__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._entry = await self._lanes.take(self._within)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        assert self._loop is not None, "entered before it is left"
        self._lanes.give_back(self._entry, error, self._loop.time())


class _Waiting:
    """One who waits for a lane, in an event loop that may be another's."""

    __slots__ = ("_loop", "_woken_at", "deadline", "entry", "told")

    def __init__(self, loop: asyncio.AbstractEventLoop, deadline: float) -> None:
        self.deadline = deadline
        self.entry = 0
        self.told: asyncio.Future[None] = loop.create_future()
        self._loop = loop
        self._woken_at = -inf

    def tell(self, error: TransientError | None) -> bool:
        """Say that it is its turn, or that it is of no use; False when its loop is closed."""
        try:
            self._loop.call_soon_threadsafe(self._settle, error)
        except RuntimeError:
            return False
        return True

    def wake(self, at: float, opened: Callable[[float], None]) -> bool:
        """Have `opened` called in its loop at that time; False when its loop is closed."""
        if self._woken_at >= at:
            return True
        try:
            self._loop.call_soon_threadsafe(self._loop.call_at, at, opened, at)
        except RuntimeError:
            return False
        self._woken_at = at
        return True

    def forget(self) -> None:
        """Say that nobody listens any more, so that an error told too late is not complained of."""
        if self.told.done() and not self.told.cancelled():
            self.told.exception()

    def _settle(self, error: TransientError | None) -> None:
        if self.told.done():
            return
        if error is None:
            self.told.set_result(None)
        else:
            self.told.set_exception(error)


_shared: dict[str, Lanes] = {}
_sharing = threading.Lock()


def lanes(name: str) -> Lanes:
    """Return the lanes that all runs of this process share under a name.

    The name says whose limit it is: a server's address, with the model where each has its own.
    """
    with _sharing:
        return _shared.setdefault(name, Lanes(name))
