"""When is a request that failed made again? The one layer that retries, around any model."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

from widedeep.defaults import MODEL_DEADLINE
from widedeep.errors import TransientError
from widedeep.messages import Reply
from widedeep.models.heard import Heard
from widedeep.net import Lanes
from widedeep.seams import Delta, Model, ModelInfo, Request

ATTEMPTS = 7
"""Times that a request is made at most: with the pauses below they last out a limit a minute."""

FIRST_PAUSE = 1.0
"""Seconds before the second attempt; each further pause is twice as long."""

LONGEST_PAUSE = 30.0
"""Seconds between two attempts at most, where the provider does not say how long."""

JITTER = 1.0
"""Seconds at most by which a pause is longer by chance, so that not all come back at once."""


class Patient:
    """A model whose requests are made again when asking again may help.

    Retried is a `TransientError` and nothing else, after a pause that grows or, where the provider
    says how long, after that. A wait of 0 (a connection that was gone before it was used) is
    retried at once, the first time. Each retry is told with `Restarted`. What `on` raises is
    never retried. While a request is under way it holds one of the provider's lanes.

    Args:
        model: what is asked; it retries nothing itself.
        lanes: the way to its provider, shared by all that ask it.
        attempts: times that a request is made at most.
        within: seconds that all attempts of a request may take: a longer wait is not begun.
    """

    def __init__(
        self,
        model: Model,
        lanes: Lanes,
        *,
        attempts: int = ATTEMPTS,
        within: float = MODEL_DEADLINE,
    ) -> None:
        self._model = model
        self._lanes = lanes
        self._attempts = attempts
        self._within = within

    @property
    def info(self) -> ModelInfo:
        """What is known of the model."""
        return self._model.info

    async def reply(self, request: Request, on: Callable[[Delta], None]) -> Reply:
        """Answer one request.

        Raises:
            TransientError: it failed too often, or the provider asks to wait too long.
            ModelError: asking again is no use.
        """
        loop = asyncio.get_running_loop()
        heard = Heard(on)
        attempts = _Attempts(heard, self._attempts, loop.time() + self._within)
        while True:
            try:
                async with self._lanes.lane(attempts.deadline - loop.time()):
                    return await self._model.reply(request, heard)
            except TransientError as error:
                if heard.objected:
                    raise
                pause = attempts.pause(error)
            await asyncio.sleep(pause)


class _Attempts:
    """The attempts of one request: how many there were, and when there is another."""

    def __init__(self, heard: Heard, most: int, deadline: float) -> None:
        self.deadline = deadline
        self._heard = heard
        self._most = most
        self._made = 0
        self._at_once = False

    def pause(self, error: TransientError) -> float:
        """Return the seconds after which to ask again.

        Raises:
            TransientError: asking again would help, but there is no more time or patience for it.
        """
        self._made += 1
        left = self.deadline - asyncio.get_running_loop().time()
        if self._made >= self._most:
            raise _given_up(error, f"asked {self._made} times")
        if (error.wait or 0.0) > left:
            wait = f"it asks to wait {error.wait:,.0f} s"
            raise _given_up(error, f"{wait}, and the request may take {max(0.0, left):,.0f} s more")
        self._heard.restart(f"{error}; asking again" + _after(error.wait), error)
        if error.wait == 0 and not self._at_once:
            self._at_once = True
            return 0.0
        jitter = random.uniform(0.0, JITTER)
        if error.wait:
            return error.wait + jitter
        return min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (self._made - 1) + jitter)


def _after(wait: float | None) -> str:
    return f" in {wait:,.0f} s, as the provider wishes" if wait else ""


def _given_up(error: TransientError, why: str) -> TransientError:
    given_up = TransientError(
        f"{error}; {why}", wait=error.wait, crowded=error.crowded, billed=error.billed
    )
    given_up.__cause__ = error
    return given_up
