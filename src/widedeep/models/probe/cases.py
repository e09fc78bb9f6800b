"""How does one request of a probe go?"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from widedeep.errors import ModelError, TransientError
from widedeep.messages import Reply
from widedeep.models.compat import Server
from widedeep.models.compat.intext import calls_in
from widedeep.models.patient import Patient
from widedeep.models.probe.talk import SEARCH, distinct, valid
from widedeep.models.probe.wire import Watched, habits
from widedeep.net import Lanes
from widedeep.seams import CallReady, Delta, Request, Restarted

Mode = Literal["hint", "schema"]

ATTEMPTS = 3
"""Times that a request is made at most: a probe is no place to wait long."""


@dataclass(frozen=True, slots=True)
class Case:
    """A request for so many calls, and what came.

    `valid`: calls that could be run; `distinct`: how many of them differ. `early`: seconds from the
    first call that was whole to the reply's end, None = none was. `in_text`: they stood in the
    text. `usage`: whether the tokens were told. `sure`: what came says what the model can; a
    request that failed just now, or a reply cut within its reasoning, does not.
    """

    mode: Mode
    stream: bool
    asked: int
    came: int = 0
    valid: int = 0
    distinct: int = 0
    early: float | None = None
    seconds: float | None = None
    usage: bool | None = None
    in_text: bool = False
    stop: str | None = None
    error: str | None = None
    sure: bool = True


@dataclass(slots=True)
class Asking:
    """Asks a server and learns its habits on the way.

    `server` is what is known of it by now, `seen` what its wire showed, `made` the requests so far.
    """

    model: str
    server: Server
    lanes: Lanes
    seen: set[str] = field(default_factory=set[str])
    made: int = 0

    async def case(self, request: Request, mode: Mode, *, stream: bool) -> tuple[Case, Reply]:
        """Ask for the calls of a request; without a reply an empty one comes back."""
        case = Case(mode, stream, request.width.target or 0)
        clock = Clock()
        try:
            reply = await self.reply(request, mode, stream=stream, on=clock)
        except ModelError as error:
            sure = not isinstance(error, TransientError)
            return replace(case, error=str(error), sure=sure), Reply()
        seconds, early = clock.read()
        made = _with_calls(reply)
        good = [call for call in made.calls if valid(call)]
        thinking = reply.stop != "end" and not (reply.text.strip() and "<think" not in reply.text)
        case = replace(
            case,
            came=len(made.calls),
            valid=len(good),
            distinct=distinct(good),
            early=early if stream else None,
            seconds=seconds,
            usage=reply.usage.input is not None,
            in_text=made is not reply,
            stop=reply.stop,
            sure=bool(good) or not thinking,
        )
        return case, made

    async def reply(
        self, request: Request, mode: Mode, *, stream: bool, on: Callable[[Delta], None]
    ) -> Reply:
        """Return the reply to a request.

        Raises:
            ModelError: there is none.
        """
        server = replace(self.server, stream=stream, width_mode=mode)
        watched = Watched(self.model, server)
        self.made += 1
        try:
            reply = await Patient(watched, self.lanes, attempts=ATTEMPTS).reply(request, on)
        finally:
            learned = watched.server
            self.server = replace(learned, stream=self.server.stream)
            await watched.aclose()
        found = habits(watched.chunks, reply, stream=stream)
        self.seen |= found if mode == "hint" else found & {"stream_ignored", "no_done"}
        return reply


class Clock:
    """Hears when the first call of a reply was whole."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._ready: float | None = None

    def __call__(self, delta: Delta) -> None:
        if isinstance(delta, Restarted):
            self._begun, self._ready = time.monotonic(), None
        elif isinstance(delta, CallReady) and self._ready is None:
            self._ready = time.monotonic()

    def read(self) -> tuple[float, float | None]:
        """Return the seconds that the reply took, and those that were left at its first call."""
        now = time.monotonic()
        return now - self._begun, None if self._ready is None else now - self._ready


def _with_calls(reply: Reply) -> Reply:
    """Return the very reply, or one with the calls that were left in its text."""
    if reply.calls:
        return reply
    text, calls = calls_in(reply.text, {SEARCH.name})
    return replace(reply, text=text, calls=calls, provider=None) if calls else reply
