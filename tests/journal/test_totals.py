"""What a journal says its runs took is what they took."""

import asyncio
from dataclasses import replace

import pytest
from tests.fakes import clock

from widedeep import Agent, Budget, Cost, MemoryJournal, Prices, SqliteJournal, ToolOutput, tool
from widedeep.budget import Spend
from widedeep.errors import ModelError
from widedeep.events import RequestFailed, RequestRestarted, RunResumed
from widedeep.journal.totals import Total, total
from widedeep.messages import Reply, ToolCall, Usage
from widedeep.seams import ModelInfo, Restarted

USAGE = Usage(input=500, output=100)
OPTIONS = {"schedule": "constant:4!", "text_limit": 500, "max_output": 500, "turn_deadline": 5}
FAILS = "fails"


class Unsteady:
    """A model whose requests are restarted, fail, or tell no usage, by turn."""

    def __init__(self, *odd):
        self.info = ModelInfo("unsteady", prices=Prices(1.0, 2.0))
        self.odd = odd

    async def reply(self, request, on):
        await asyncio.sleep(1.0)
        if "restarts" in self.odd:
            on(Restarted("the reply was cut off", billed=True))
        if FAILS in self.odd and request.turn == 2:
            raise ModelError("out of order")
        usage = Usage() if "tells no usage" in self.odd else USAGE
        if request.choice == "none":
            return Reply("Done.", usage=usage)
        names = ("tells", "silent", "breaks", "hangs", "writes")
        calls = tuple(ToolCall(name, {"query": f"{request.turn}"}) for name in names)
        return Reply(calls=calls, usage=usage)


def tools():
    @tool(bound=Cost(10, 0.2))
    async def tells(query: str) -> ToolOutput:
        """Tell what it took."""
        return ToolOutput(f"found {query}", cost=Cost(3, 0.01))

    @tool(bound=Cost(0, 0.02))
    async def silent(query: str) -> str:
        """Tell nothing of what it took."""
        return f"found {query}"

    @tool(bound=Cost(0, 0.03))
    async def breaks(query: str) -> str:
        """Fail."""
        raise ConnectionError("no route")

    @tool(bound=Cost(0, 0.04), deadline=60)
    async def hangs(query: str) -> str:
        """Take longer than the turn."""
        await asyncio.sleep(30)
        return query

    @tool(bound=Cost(0, 0.05), effects="write")
    async def writes(query: str) -> str:
        """Write."""
        await asyncio.sleep(2)
        return query

    return [tells, silent, breaks, hangs, writes]


def spend():
    return Spend(Budget(turns=None, usd=100.0), "evaluation")


def recorded(folder, records):
    """Return what a journal of these records says was taken."""
    path = folder / f"{len(list(folder.iterdir()))}" / "journal.sqlite"
    path.parent.mkdir()
    journal = SqliteJournal(path)
    for record in records:
        if isinstance(record.event, RunResumed):
            journal.close()
            journal = SqliteJournal(path)
        journal.append(record.run_id, record.event)
    journal.close()
    return total(path)


def same(told, within):
    assert (told.turns, told.calls) == (within.turns, within.calls)
    assert told.cost.tokens == within.spent.tokens
    assert told.cost.usd == pytest.approx(within.spent.usd)


ODD = [(), ("restarts",), ("tells no usage",), (FAILS,), ("restarts", FAILS, "tells no usage")]


@pytest.mark.parametrize("odd", ODD)
def test_what_the_record_tells_is_what_was_spent(odd, tmp_path):
    within, journal = spend(), MemoryJournal()
    agent = Agent(
        Unsteady(*odd), tools(), journal=journal, within=within, budget=Budget(turns=2), **OPTIONS
    )
    answer = clock.run(agent.run("How many?"))
    records = journal.read(answer.run_id)
    assert any(isinstance(record.event, RequestFailed) for record in records) == (FAILS in odd)
    assert any(isinstance(one.event, RequestRestarted) for one in records) == ("restarts" in odd)
    same(recorded(tmp_path, records), within)


def test_a_run_that_was_cut_off_and_went_on_is_told_in_full(tmp_path):
    journal, options = MemoryJournal(), {"budget": Budget(turns=2), **OPTIONS}
    agent = Agent(Unsteady(), tools(), journal=journal, within=spend(), **options)
    whole = journal.read(clock.run(agent.run("How many?")).run_id)
    for count in range(1, len(whole)):
        again, within = MemoryJournal(), spend()
        for record in whole[:count]:
            again.append(record.run_id, record.event)
        resuming = Agent(Unsteady(), tools(), journal=again, within=within, **options)

        async def resume(resuming=resuming):
            return await resuming.resume(whole[0].run_id).answer()

        clock.run(resume())
        records = again.read(whole[0].run_id)
        assert any(isinstance(record.event, RunResumed) for record in records)
        same(recorded(tmp_path, records), within)


def test_what_was_under_way_at_the_end_of_a_record_counts_at_its_bound(tmp_path):
    journal = MemoryJournal()
    agent = Agent(
        Unsteady(), tools(), journal=journal, within=spend(), budget=Budget(turns=1), **OPTIONS
    )
    whole = journal.read(clock.run(agent.run("How many?")).run_id)
    sent = next(at for at, one in enumerate(whole) if one.event.kind == "request_sent")
    told = recorded(tmp_path, whole[: sent + 1])
    assert told == Total(1, 0, whole[sent].event.bound)
    begun = next(at for at, one in enumerate(whole) if one.event.kind == "call_started")
    before = recorded(tmp_path, whole[:begun])
    after = recorded(tmp_path, whole[: begun + 1])
    assert after == replace(
        before, calls=1, cost=Cost(before.cost.tokens + 10, pytest.approx(before.cost.usd + 0.2))
    )


def test_a_file_without_tables_holds_nothing(tmp_path):
    path = tmp_path / "journal.sqlite"
    assert total(path) == Total(0, 0, Cost(0, 0.0))
    path.touch()
    assert total(path) == Total(0, 0, Cost(0, 0.0))
