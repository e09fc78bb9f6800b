"""The faults of parallel batches once more, in runs that are killed in the middle and resumed."""

import asyncio
from dataclasses import dataclass, field

import pytest
from tests.cases.test_durability import Killed, is_valid
from tests.fakes.runs import Budget, of, outcomes, results
from tests.fakes.tools import fail, hang, look, recorder

from widedeep import tool
from widedeep.events import CallSettled, CallStarted, Replied, RequestSent, RunResumed


@dataclass(frozen=True)
class Case:
    """What a turn asks for, of which tools, and which outcomes its calls must have."""

    calls: list
    tools: list
    outcomes: list
    options: dict = field(default_factory=dict)


@tool(deadline=10)
async def misbehave(how: str) -> str:
    """Misbehave."""
    match how:
        case "exit":
            raise SystemExit(3)
        case "cancel":
            raise asyncio.CancelledError
        case "surrogate":
            return "bad \ud800 text \x00"
    raise IsADirectoryError(21, "Is a directory", "/etc")


def looks(count, seconds=0.01):
    return [("look", {"query": f"q{n}", "seconds": seconds + n / 100}) for n in range(count)]


WIDE = {"schedule": "constant:32!", "max_width": 64}
CASES = {
    "p1": Case(
        [*looks(3), ("fail", {"seconds": 0.005}), *looks(27, 1)[4:]],
        [look, fail],
        ["ok"] * 3 + ["error"] + ["ok"] * 23,
        WIDE,
    ),
    "p3": Case([*looks(1, 1), ("fail", {"seconds": 2})], [look, fail], ["ok", "error"]),
    "p6": Case(
        [*(("misbehave", {"how": how}) for how in ("raise", "exit", "cancel")), *looks(1)],
        [misbehave, look],
        ["error"] * 3 + ["ok"],
        WIDE,
    ),
    "p6 bytes": Case(
        [("misbehave", {"how": "surrogate"}), *looks(2, 1)], [misbehave, look], ["ok"] * 3
    ),
    "p8": Case([*looks(7, 1), ("hang", {})], [look, hang], ["ok"] * 7 + ["timeout"], WIDE),
    "p8 late": Case(
        [*looks(7, 1), ("hang", {})],
        [look, hang],
        ["ok"] * 7 + ["late"],
        {**WIDE, "turn_deadline": 5},
    ),
    "p13": Case(
        [("work", {"name": str(n)}) for n in range(6)],
        [recorder(limit=2, seconds=8.0)[0]],
        ["late"] * 2 + ["cancelled"] * 4,
        {**WIDE, "turn_deadline": 5},
    ),
}


def half_settled(events):
    """Return the number of events up to where half the calls of the turn had settled."""
    places = [n for n, event in enumerate(events) if isinstance(event, CallSettled)]
    return 1 + places[len(places) // 2]


def first(kind):
    return lambda events: 1 + next(n for n, e in enumerate(events) if isinstance(e, kind))


POINTS = {
    "asked": first(RequestSent),
    "replied": first(Replied),
    "one call started": first(CallStarted),
    "half settled": half_settled,
}


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("name", CASES)
def test_a_batch_that_was_cut_off_ends_as_it_would_have(name, point):
    case = CASES[name]
    script = [case.calls, "q0 has 42 inhabitants [1]."]
    run = Killed(script, case.tools, POINTS[point], **case.options)
    kept = [record.event for record in run.journal.read(run.id)]
    settled = {event.call_id: event for event in of(kept, CallSettled)}
    run.resume()
    assert len(of(run.events, RunResumed)) == 1
    assert outcomes(run.events) == case.outcomes
    asked = [f"1.{n}" for n in range(1, len(case.calls) + 1)]
    assert [result.call.id for result in results(run.events)] == asked
    assert run.answer.status == run.undisturbed.status
    for result in results(run.events):
        recorded = settled.get(result.call.id)
        assert recorded is None or recorded.outcome in (result.outcome, "cancelled")
    for request in run.requests:
        is_valid(request.history)


@pytest.mark.parametrize("point", POINTS)
def test_p14_a_call_that_the_user_cancelled_stays_cancelled(point):
    calls = [*looks(1, 1), ("hang", {}), *looks(2, 1)[1:]]
    run = Killed([calls, "q0 has 42 inhabitants [1]."], [look, hang], POINTS[point])

    def cancelling(stream):
        async def follow():
            async for event in stream:
                if isinstance(event, CallStarted) and event.call.tool == "hang":
                    assert stream.cancel(event.call.id)
            return await stream.answer()

        return follow()

    run.resume(follow=cancelling)
    assert outcomes(run.events)[::2] == ["ok", "ok"]
    assert outcomes(run.events)[1] in {"cancelled", "timeout"}


@pytest.mark.parametrize("point", POINTS)
def test_p17_a_limit_of_six_calls_is_kept_through_a_crash(point):
    work, seen = recorder()
    calls = [("work", {"name": str(n)}) for n in range(8)]
    options = {"schedule": "constant:8!", "budget": Budget(calls=6)}
    run = Killed([calls, "Done."], [work], POINTS[point], **options)
    kept = [record.event for record in run.journal.read(run.id)]
    begun = len(of(kept, CallStarted))
    ok = [e.call_id for e in of(kept, CallSettled) if e.outcome == "ok"]
    seen.clear()
    run.resume()
    assert begun + len(seen) <= 6
    assert outcomes(run.events)[6:] == ["refused"] * 2
    told = {result.call.id: result.outcome for result in results(run.events)}
    assert all(told[call_id] == "ok" for call_id in ok)
    assert len(told) == 8
