"""In which order is a model probed, so that little is asked in vain?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from widedeep.errors import ModelError, TransientError
from widedeep.messages import Message, Reply
from widedeep.models.compat import Server
from widedeep.models.probe.cases import Asking, Case, Clock, Mode
from widedeep.models.probe.findings import Findings, Talk, conclude
from widedeep.models.probe.talk import QUESTION, after, request
from widedeep.net import lanes

WIDTHS = (1, 3, 8)
"""Calls that are asked for."""

GROUPS: tuple[tuple[Mode, bool], ...] = (
    ("hint", True),
    ("schema", True),
    ("hint", False),
    ("schema", False),
)
"""How they are asked for: as tool calls or by a schema, streamed or not."""

TALKING = 3
"""Calls that each turn of the conversation asks for."""


def most_requests(widths: Sequence[int]) -> int:
    """Return how many requests a probe makes at most.

    Those for calls; turns 2 and 3 of a conversation in each mode; one with tool_choice "none"; one
    with the switch for a single call.
    """
    return len(GROUPS) * len(widths) + 2 * 2 + 1 + 1


@dataclass(slots=True)
class Probe:
    """Finds out what a model at a server can do.

    Args:
        name: the model's name, as on the command line.
        model: its name at the server.
        server: the server as it is taken to be, without what an earlier probe found.
        known: the server as the settings have it.
        widths: calls that are asked for.
        most: tokens of output of a request at most.
        on: told of each case.
    """

    name: str
    model: str
    server: Server
    known: Server
    widths: Sequence[int] = WIDTHS
    most: int = 1_024
    on: Callable[[Case], None] = lambda _: None

    async def run(self) -> Findings:
        """Ask, and return what was found.

        Raises:
            ModelError: no request at all was taken.
        """
        way = lanes(f"{self.server.label} at {self.server.url}")
        asking = Asking(self.model, self.server, way)
        cases: list[Case] = []
        first: dict[Mode, Reply] = {}
        for mode, stream in GROUPS:
            for case, reply in await self._group(asking, mode, stream=stream):
                cases.append(case)
                if case.valid and case.asked <= TALKING:
                    first[mode] = reply
        if all(case.error for case in cases):
            raise ModelError(f"{self.name!r} took no request: {cases[0].error}")
        talks = await self._talks(asking, cases, first)
        quirks, flags, changes, modes = conclude(
            self.server,
            asking.server,
            self.known,
            seen=asking.seen,
            cases=tuple(cases),
            talks=talks,
        )
        return Findings(
            self.name,
            self.server.label,
            self.server.url,
            asking.made,
            tuple(cases),
            talks,
            quirks,
            flags,
            changes,
            modes,
        )

    async def _group(self, asking: Asking, mode: Mode, *, stream: bool) -> list[tuple[Case, Reply]]:
        """Ask for each width; what is refused for one is not asked for the others."""
        made: list[tuple[Case, Reply]] = []
        for width in self.widths:
            wanted = request(1, width, most=self.most)
            made.append(await asking.case(wanted, mode, stream=stream))
            case, _ = made[-1]
            self.on(case)
            if case.error is not None:
                break
        return made

    async def _talks(
        self, asking: Asking, cases: Sequence[Case], first: dict[Mode, Reply]
    ) -> tuple[Talk, ...]:
        """Go on where calls came: in the first mode in which that is possible."""
        talks: list[Talk] = []
        if any(case.in_text for case in cases):
            asking.server = replace(asking.server, calls_in_text=True)
        modes: tuple[Mode, ...] = ("hint", "schema")
        for mode in modes:
            if mode in first:
                stream = any(c.valid for c in cases if c.mode == mode and c.stream)
                talks.append(await self._talk(asking, mode, first[mode], cases, stream=stream))
                if talks[-1].failed is None:
                    break
        return tuple(talks)

    async def _talk(
        self, asking: Asking, mode: Mode, first: Reply, cases: Sequence[Case], *, stream: bool
    ) -> Talk:
        """Ask for two more turns after the first, then for what is not allowed."""
        history = after(QUESTION, first, 1)
        try:
            wanted = request(2, TALKING, history, most=self.most)
            second = await asking.reply(wanted, mode, stream=stream, on=Clock())
            history = after(history, second, 2)
            wanted = request(3, TALKING, history, most=self.most)
            third = await asking.reply(wanted, mode, stream=stream, on=Clock())
        except ModelError as error:
            return Talk(mode, failed=str(error), sure=not isinstance(error, TransientError))
        talk = Talk(mode, second.usage.input, third.usage.cached)
        if mode == "schema":
            return talk
        wide = any(case.came > 1 for case in cases if case.mode == "hint")
        none = await self._none(asking, history, stream=stream)
        switch = await self._switch(asking, stream=stream) if wide else None
        return replace(talk, none=none, switch=switch)

    async def _none(
        self, asking: Asking, history: Sequence[Message], *, stream: bool
    ) -> bool | None:
        """Ask for calls where none is allowed; say whether none came, None = nobody knows."""
        wanted = request(3, TALKING, history, most=self.most, choice="none")
        try:
            reply = await asking.reply(wanted, "hint", stream=stream, on=Clock())
        except ModelError:
            return None
        return not reply.calls if asking.server.choice_none else None

    async def _switch(self, asking: Asking, *, stream: bool) -> bool | None:
        """Ask for several calls where one is allowed; say whether one came, None = nobody knows."""
        if not asking.server.parallel_switch:
            return None
        wanted = request(1, TALKING, most=self.most, cap=1)
        try:
            reply = await asking.reply(wanted, "hint", stream=stream, on=Clock())
        except ModelError:
            return None
        return len(reply.calls) == 1 if reply.calls else None
