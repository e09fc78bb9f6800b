"""A history that is more than the model takes is trimmed for requests, and the run goes on."""

import pytest
from tests.agent.test_resuming import ByTurn, cut
from tests.fakes import clock
from tests.fakes.runs import of

from widedeep import Agent, Found, MemoryJournal, ToolOutput, tool
from widedeep.agent.replay import replay
from widedeep.errors import ContextError
from widedeep.events import RequestFailed, Trimmed
from widedeep.journal import transcript_hash
from widedeep.messages import LedgerEntry, Quote, Reply, Results, ToolCall
from widedeep.seams import ModelInfo

LONG = "many words about nothing in particular " * 50


@tool
async def page(query: str) -> ToolOutput:
    """Give back a long page."""
    return ToolOutput("", (Found(query, f"{query} has 42 inhabitants. {LONG}", title=query),))


def call(query):
    return ToolCall("page", {"query": query})


LEDGER = (LedgerEntry("q", "How many in a?", "supported", (Quote(1, "a has 42"),)),)
SCRIPT = [
    Reply(calls=(call("a"),), ledger=LEDGER),
    *(Reply(calls=(call(name),)) for name in "bcdefghi"),
    Reply(calls=(call("a"),)),
    "a has 42 inhabitants [1].",
]


class Small(ByTurn):
    """A model with a small context: it says how large, or only refuses what is too large."""

    def __init__(self, script, limit, *, known):
        super().__init__(script)
        self.info = ModelInfo("small", context=limit if known else None, free=True)
        self.limit = limit
        self.requests = []

    async def reply(self, request, on):
        size = sum(
            len(r.text) for m in request.history if isinstance(m, Results) for r in m.results
        )
        if size // 2 > self.limit:
            raise ContextError("too long")
        self.requests.append(request)
        return await super().reply(request, on)


def ran(model, journal=None):
    journal = journal or MemoryJournal()
    agent = Agent(model, [page], journal=journal, schedule="constant:1!", max_output=100)
    answer = clock.run(agent.run("How many?"))
    return answer, journal.read(answer.run_id), agent


@pytest.mark.parametrize("known", [True, False])
def test_a_long_run_is_trimmed_and_ends_with_its_answer(known):
    model = Small(SCRIPT, 8_000, known=known)
    answer, records, _ = ran(model)
    events = [record.event for record in records]
    assert (answer.status, answer.text) == ("answered", "a has 42 inhabitants [1].")
    assert of(events, Trimmed)
    assert bool(of(events, RequestFailed)) is not known
    last = [m for m in model.requests[-1].history if isinstance(m, Results)]
    assert len(last) == 10
    assert "still citable: [1] a." in last[0].results[0].text
    trimmed = of(events, Trimmed)[-1].batches
    assert 'q, supported: How many in a? [1] "a has 42"' in last[trimmed - 1].results[0].text
    assert "many words" in last[-2].results[0].text


def test_a_result_that_has_left_the_request_is_given_in_full_again():
    model = Small(SCRIPT, 8_000, known=True)
    ran(model)
    last = [m for m in model.requests[-1].history if isinstance(m, Results)]
    assert last[-1].results[0].outcome == "duplicate"
    assert "a has 42 inhabitants. many words" in last[-1].results[0].text


def test_what_no_trimming_helps_is_a_model_error():
    answer, _, _ = ran(Small(SCRIPT, 100, known=False))
    assert (answer.status, answer.stopped_by) == ("partial", "model_error")
    assert "a has 42" in answer.text


def test_a_trimmed_run_resumes_and_replays():
    _, records, _ = ran(Small(SCRIPT, 8_000, known=True))
    assert replay(records).same
    for count in range(20, len(records), 7):
        journal = cut(records, count)
        agent = Agent(
            Small(SCRIPT, 8_000, known=True),
            [page],
            journal=journal,
            schedule="constant:1!",
            max_output=100,
        )

        async def resume(agent=agent):
            return await agent.resume(records[0].run_id).answer()

        clock.run(resume())
        assert transcript_hash(journal.read(records[0].run_id)) == transcript_hash(records)
