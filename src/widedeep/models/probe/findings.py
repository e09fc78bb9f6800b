"""What do the cases of a probe say of a model and its server?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from widedeep.models.compat import Server
from widedeep.models.probe.cases import Case, Mode

FLAGS = (
    "tool_calls",
    "stream",
    "usage",
    "parallel_switch",
    "choice_none",
    "limit_field",
    "calls_in_text",
    "alternates",
)
"""The habits of a server that a probe finds out, by their names in the settings."""

Flags = Mapping[str, bool | str]

REFUSED = {
    "usage": "refuses stream_options: a stream is not asked for its usage",
    "parallel_switch": "refuses parallel_tool_calls: a single call is only asked for",
    "limit_field": "wants max_completion_tokens in the place of max_tokens",
    "alternates": "wants the messages of user and model to alternate",
    "choice_none": 'refuses tool_choice "none": the answering request has no tools',
}
"""What a server refuses, by the flag that it sets."""

QUIRKS = {
    "stream_ignored": "answers a request for a stream in one piece: no call starts early",
    "no_done": "ends a stream without [DONE]",
    "same_index": "gives all calls of a stream the same index",
    "no_index": "gives the calls of a stream no index",
    "interleaved": "mixes the pieces of several calls",
    "at_once": "sends all calls in one piece: they start together",
    "no_ids": "gives calls no ids",
    "same_ids": "gives several calls the same id",
    "joined": "writes all calls into the arguments of one: none starts early",
    "objects": "sends arguments as an object and not as text",
    "name_pieces": "sends the name of a tool in pieces",
    "says_stop": 'says that it has ended ("stop") where it calls',
    "in_text": "leaves calls in the text",
    "reasoning_content": "tells its reasoning as reasoning_content",
    "reasoning": "tells its reasoning as reasoning",
    "reasoning_details": "tells its reasoning as reasoning_details",
}
"""What else is odd, by name; calls arrive whole all the same."""


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation of three turns, and the requests about what may be called.

    `input`: tokens of its second request; `cached`: tokens that the third found cached (None = not
    told). `failed`: why it could not go on, and `sure` whether it never can. `none`: tool_choice
    "none" is honoured; `switch`: so is the switch for a single call; None = not found out.
    """

    mode: Mode
    input: int | None = None
    cached: int | None = None
    failed: str | None = None
    sure: bool = True
    none: bool | None = None
    switch: bool | None = None


@dataclass(frozen=True, slots=True)
class Findings:
    """All that a probe found out.

    `flags`: those that it is sure of. `changes`: what of them is not what was known. `modes`: the
    ways to keep a width that work.
    """

    name: str
    label: str
    url: str
    requests: int
    cases: tuple[Case, ...]
    talks: tuple[Talk, ...]
    quirks: tuple[str, ...]
    flags: Flags
    changes: Flags
    modes: tuple[Mode, ...]

    @property
    def advice(self) -> str | None:
        """What the user may want to do, in a sentence; None = nothing."""
        if not self.modes:
            return "no way to keep a width works: neither tool calls nor a JSON Schema"
        if self.modes == ("schema",):
            return "tool calls do not work, a JSON Schema does: --width-mode auto takes schema"
        width = {mode: _width(self.cases, mode) for mode in self.modes}
        if width.get("schema", 0) > width["hint"]:
            return (
                f"of {width['schema']} tool calls at most {width['hint']} come; a JSON Schema "
                "keeps the width: --width-mode schema"
            )
        return None


def conclude(
    asked: Server,
    learned: Server,
    known: Server,
    *,
    seen: set[str],
    cases: tuple[Case, ...],
    talks: tuple[Talk, ...],
) -> tuple[tuple[str, ...], dict[str, bool | str], dict[str, bool | str], tuple[Mode, ...]]:
    """Return the quirks, the flags that are sure, those of them that are news, and what works.

    Args:
        asked: the server as the probe took it to be.
        learned: the server as its refusals show it.
        known: the server as the settings have it.
        seen: what its wire showed.
        cases: the requests for calls.
        talks: the conversations.
    """
    hint, schema = _works("hint", cases, talks), _works("schema", cases, talks)
    flags = _refusals(asked, learned, cases, talks)
    plain = [case for case in cases if case.mode == "hint"]
    if hint or (schema and hint is False):
        flags["tool_calls"] = bool(hint)
    if any(case.in_text for case in plain):
        flags["calls_in_text"] = True
    elif any(case.valid for case in plain):
        flags["calls_in_text"] = False
    if (streams := _streams(cases, "hint" if hint else "schema")) is not None:
        flags["stream"] = streams
    quirks = [REFUSED[name] for name in REFUSED if getattr(learned, name) != getattr(asked, name)]
    if any(talk.none is False for talk in talks):
        quirks.append('calls although tool_choice is "none": the answering request has no tools')
    named = {*seen, *(["in_text"] if flags.get("calls_in_text") is True else [])}
    quirks += [text for name, text in QUIRKS.items() if name in named]
    changes = {name: value for name, value in flags.items() if getattr(known, name) != value}
    modes: list[Mode] = [*(["hint"] if hint else []), *(["schema"] if schema else [])]
    return tuple(quirks), flags, changes, tuple(modes)


def _works(mode: Mode, cases: Iterable[Case], talks: Iterable[Talk]) -> bool | None:
    """Say whether a way to keep a width works; None = it is not sure."""
    mine = [case for case in cases if case.mode == mode]
    failed = [talk for talk in talks if talk.mode == mode and talk.failed is not None]
    if any(talk.sure for talk in failed):
        return False
    if any(case.valid for case in mine):
        return True
    return False if mine and all(case.sure for case in mine) else None


def _refusals(
    asked: Server, learned: Server, cases: Iterable[Case], talks: Iterable[Talk]
) -> dict[str, bool | str]:
    """Return the flags that a refusal, or a request that was taken, makes sure."""
    taken = [case for case in cases if case.error is None]
    plain = [case for case in taken if case.mode == "hint"]
    proved = {
        "usage": any(case.stream for case in taken),
        "parallel_switch": bool(plain),
        "limit_field": bool(taken),
        "alternates": bool(plain),
        "choice_none": any(talk.none for talk in talks),
    }
    flags: dict[str, bool | str] = {
        name: getattr(learned, name)
        for name, sure in proved.items()
        if sure or getattr(learned, name) != getattr(asked, name)
    }
    if any(talk.none is False for talk in talks):
        flags["choice_none"] = False
    return flags


def _streams(cases: Iterable[Case], mode: Mode) -> bool | None:
    """Say whether calls come in a stream where they come without one; None = not sure."""
    mine = [case for case in cases if case.mode == mode]
    streamed = [case for case in mine if case.stream]
    if any(case.valid for case in streamed):
        return True
    whole = any(case.valid for case in mine if not case.stream)
    return False if whole and streamed and all(case.sure for case in streamed) else None


def _width(cases: Iterable[Case], mode: Mode) -> int:
    """Return the most calls that came of those asked for."""
    return max((min(c.valid, c.asked) for c in cases if c.mode == mode), default=0)
