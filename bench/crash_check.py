"""What became of a run that was killed? Its record and the purchases say it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TypeVar

from crash_counter import Purchase

from widedeep.events import (
    BatchEnded,
    CallOrphaned,
    CallSettled,
    CallStarted,
    Record,
    Replied,
    RequestSent,
    RunEnded,
    RunResumed,
)
from widedeep.journal import delimiter_of, message_of, transcript_hash
from widedeep.messages import Outcome, Results, ToolCall

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Cut:
    """How things stood when a process was killed: its session, and the record it left."""

    session: int
    records: Sequence[Record]


@dataclass(slots=True)
class Found:
    """What a case came to; `wrong` says what should not be."""

    wrong: list[str] = field(default_factory=list[str])
    same: bool = False
    cuts: int = 0
    before: int = 0
    recorded_twice: int = 0
    requests_again: int = 0
    calls_again: int = 0
    most_again: int = 0
    interrupted: int = 0
    unlisted: int = 0
    unseen: int = 0


def judge(
    cuts: Sequence[Cut],
    last: Sequence[Record],
    bought: Sequence[Purchase],
    whole: Sequence[Record] | None,
) -> Found:
    """Return what is to be said of a case.

    Args:
        cuts: where it was killed, in order.
        last: its record at the end.
        bought: all its purchases.
        whole: the record of the run that nothing disturbed; None = it need not be the same.
    """
    found = Found(cuts=len(cuts))
    found.same = whole is not None and transcript_hash(last) == transcript_hash(whole)
    if whole is not None and not found.same:
        found.wrong.append(f"another transcript: {_difference(last, whole)}")
    found.unseen = sum(not one.seen for one in bought)
    for cut in cuts:
        _judge_cut(found, cut, last, bought)
    found.wrong += _keys(bought)
    found.wrong += _answered_once(last)
    _judge_writes(found, last, bought)
    if not isinstance(last[-1].event, RunEnded):
        found.wrong.append(f"the record ends with {last[-1].event.kind}")
    return found


def _difference(last: Sequence[Record], whole: Sequence[Record]) -> str:
    """Return where two transcripts part."""
    for at, (here, there) in enumerate(zip_longest(_said(last), _said(whole))):
        if here != there:
            return f"message {at} is {here}, not {there}"
    return "in what is not compared here"


def _said(records: Sequence[Record]) -> Iterator[str]:
    mark = delimiter_of(records[0].run_id)
    for message in filter(None, (message_of(one.event) for one in records)):
        if isinstance(message, Results):
            said = str([(one.outcome.value, one.text) for one in message.results])
        else:
            said = f"{message.role}: {message.text}"
        yield said.replace(mark, "")[:500]


def _judge_cut(found: Found, cut: Cut, last: Sequence[Record], bought: Sequence[Purchase]) -> None:
    """See what was bought again after a cut, and whether the record tells of it."""
    before = {one.thing for one in bought if one.session <= cut.session}
    after = {one.thing for one in bought if one.session > cut.session}
    again = before & after
    if not cut.records:
        found.before += 1
        found.wrong += [f"{thing} was bought before the run was on record" for thing in before]
        return
    if list(cut.records) != list(last[: len(cut.records)]):
        found.wrong.append("what was on record has changed")
    known = recorded(cut.records)
    twice = known & after
    found.recorded_twice += len(twice)
    found.wrong += [f"{thing} was on record and was bought again" for thing in twice]
    requests = {thing for thing in again if thing.startswith("request ")}
    found.requests_again += len(requests)
    found.calls_again += len(again - requests)
    found.most_again = max(found.most_again, len(again - requests))
    listed = _listed(cut, last)
    unlisted = before - known - listed
    found.unlisted += len(unlisted)
    found.wrong += [f"{thing} was bought before the cut and is not listed" for thing in unlisted]
    most = _most(cut.records, last)
    if len(requests) > 1 or len(again - requests) > most:
        found.wrong.append(f"bought again are {sorted(again)}, more than 1 request + {most} calls")


def _most(records: Sequence[Record], last: Sequence[Record]) -> int:
    """Return how many calls a cut may cost: those of one turn, and those that are late."""
    cap = max((event.width.cap or 0 for event in _of(last, BatchEnded)), default=0)
    results = [one for event in _of(records, BatchEnded) for one in event.results]
    late = {one.call.id for one in results if one.outcome is Outcome.LATE}
    return cap + len(late - {event.call_id for event in _of(records, CallSettled)})


def recorded(records: Sequence[Record]) -> set[str]:
    """Return the things whose results are on record."""
    _, settled = _things(records)
    return settled | {f"request {event.turn}" for event in _of(records, Replied)}


def _things(records: Sequence[Record]) -> tuple[dict[str, str], set[str]]:
    """Return what the started calls bought, by the ids they have at the end, and what settled."""
    names: dict[str, str] = {}
    settled: set[str] = set()
    for record in records:
        match record.event:
            case CallStarted(call=call):
                names[call.id] = _thing(call)
            case CallOrphaned(call_id, renamed):
                names[renamed] = names.pop(call_id)
            case CallSettled(call_id):
                settled.add(names[call_id])
            case _:
                pass
    return names, settled


def _listed(cut: Cut, last: Sequence[Record]) -> set[str]:
    """Return the things that the session after a cut says were under way."""
    place = len(cut.records)
    while place < len(last) and not isinstance(last[place].event, RunResumed):
        place += 1
    if place == len(last):
        return set()
    resumed, known = last[place].event, last[:place]
    assert isinstance(resumed, RunResumed)
    names, _ = _things(known)
    asked = [event.turn for event in _of(known, RequestSent)]
    requests = {f"request {asked[-1]}"} if resumed.request and asked else set[str]()
    return requests | {names[name] for name in resumed.calls}


def interrupted(records: Sequence[Record]) -> set[str]:
    """Return the ids of the calls of which the model was told that they were interrupted."""
    results = (one for event in _of(records, BatchEnded) for one in event.results)
    return {one.call.id for one in results if one.outcome is Outcome.INTERRUPTED}


def _keys(bought: Sequence[Purchase]) -> Iterator[str]:
    """Yield what is wrong with the idempotency keys: each thing has one, and no two share one."""
    pairs = {(one.thing, one.key) for one in bought}
    for place, what in enumerate(("thing", "key")):
        for name, count in Counter(pair[place] for pair in pairs).items():
            if count > 1:
                yield f"the {what} {name!r} stands in {count} pairs of thing and key"


def _answered_once(records: Sequence[Record]) -> Iterator[str]:
    """Yield the turns whose calls have not each one result, in order, before the next request."""
    asked: tuple[ToolCall, ...] = ()
    for record in records:
        match record.event:
            case Replied(_, reply):
                asked = reply.calls
            case BatchEnded(turn, _, results):
                if [result.call for result in results] != list(asked):
                    yield f"the results of turn {turn} are not those of its calls"
                asked = ()
            case RequestSent(turn) if asked:
                yield f"request {turn} was sent with calls unanswered"
            case _:
                pass


def _judge_writes(found: Found, last: Sequence[Record], bought: Sequence[Purchase]) -> None:
    """See that no write was made twice, and that those under way at a cut are interrupted."""
    times = Counter(one.thing for one in bought if one.thing.startswith("write "))
    found.wrong += [
        f"{thing} was done {count} times" for thing, count in times.items() if count > 1
    ]
    writes = {event.call.id for event in _of(last, CallStarted) if event.effects == "write"}
    cut = {name for event in _of(last, RunResumed) for name in event.calls} & writes
    told = interrupted(last)
    found.interrupted += len(told)
    if cut != told:
        found.wrong.append(f"writes under way {sorted(cut)}, interrupted {sorted(told)}")


def _thing(call: ToolCall) -> str:
    query = (call.arguments or {})["query"]
    return f"write {query}" if call.tool == "write" else str(query)


def _of(records: Sequence[Record], kind: type[T]) -> Iterator[T]:
    return (record.event for record in records if isinstance(record.event, kind))
