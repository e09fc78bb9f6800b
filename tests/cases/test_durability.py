"""Faults reported of runs that die, and of limits and keys that leak; each is named by its case."""

import asyncio

import pytest
from tests.fakes import clock
from tests.fakes.runs import Budget, MemoryJournal, of, outcomes, research
from tests.fakes.tools import look, recorder

from widedeep import Agent, Context, Found, ToolOutput, tool
from widedeep.errors import ContextError, ModelError
from widedeep.events import (
    BatchEnded,
    CallStarted,
    Replied,
    RequestFailed,
    RequestSent,
    RunResumed,
    Trimmed,
)
from widedeep.messages import Assistant, Reply, Results, ToolCall
from widedeep.models.scripted import Scripted
from widedeep.seams import CallReady, ModelInfo, Restarted


class ByTurn:
    """A model whose reply depends on the turn alone; it keeps the requests that it was sent."""

    def __init__(self, script):
        self.script = script
        self.info = ModelInfo("by turn")
        self.requests = []

    async def reply(self, request, on):
        self.requests.append(request)
        step = self.script[request.turn - 1]
        return await Scripted([step], each=0.1).reply(request, on)


class Killed:
    """What a run left that ended after its n-th event, and what it came to once resumed."""

    def __init__(self, script, tools, after, model=ByTurn, **options):
        whole, self.journal, self.model = MemoryJournal(), MemoryJournal(), model
        self.undisturbed = clock.run(Agent(model(script), tools, journal=whole, **options).run("?"))
        self.id = self.undisturbed.run_id
        records = whole.read(self.id)
        count = after if isinstance(after, int) else after([record.event for record in records])
        for record in records[:count]:
            self.journal.append(self.id, record.event)
        self.script, self.tools, self.options = script, tools, options

    def resume(self, script=None, follow=None):
        model = self.model(script or self.script)
        agent = Agent(model, self.tools, journal=self.journal, **self.options)

        async def go():
            run = agent.resume(self.id)
            return await (follow(run) if follow else run.answer())

        self.answer = clock.run(go())
        self.events = [record.event for record in self.journal.read(self.id)]
        self.requests = model.requests
        return self

    def again(self):
        """Kill the resumed run just before its end, and resume it."""
        records = self.journal.read(self.id)
        self.journal = MemoryJournal()
        for record in records[:-1]:
            self.journal.append(self.id, record.event)
        return self.resume()


def last(kind):
    """Return a function from a run's events to the number of events up to the last of a kind."""
    return lambda events: 1 + max(n for n, event in enumerate(events) if isinstance(event, kind))


def bought(seen):
    """Return a tool that reads and one that writes; they keep what they do and its key."""

    @tool(name="search", deadline=10)
    async def search(query: str, context: Context) -> ToolOutput:
        """Search; that takes a second."""
        seen.append((query, context.key))
        await asyncio.sleep(1)
        return ToolOutput(sources=(Found(query, f"{query} has 42 inhabitants."),))

    @tool(name="send", effects="write", deadline=10)
    async def send(query: str, context: Context) -> str:
        """Send; that takes a second."""
        seen.append((query, context.key))
        await asyncio.sleep(1)
        return f"{query} is sent"

    return [search, send]


def is_valid(history):
    """See that every call of a history has one result, in order, before the next message."""
    for message, following in zip(history, [*history[1:], None], strict=True):
        asked = message.calls if isinstance(message, Assistant) else ()
        if asked:
            assert isinstance(following, Results)
        if isinstance(following, Results):
            assert [result.call for result in following.results] == list(asked)


BOTH = [("search", {"query": "a"}), ("send", {"query": "b"})]


def test_s1_a_run_killed_in_its_calls_goes_on_and_its_next_request_is_valid():
    seen = []
    run = Killed([BOTH, "a has 42 inhabitants [1]."], bought(seen), last(CallStarted))
    seen.clear()
    run.resume()
    assert [query for query, _ in seen] == ["a"]
    assert outcomes(run.events) == ["ok", "interrupted"]
    assert len(of(run.events, RunResumed)) == 1
    is_valid(run.requests[-1].history)
    seen.clear()
    run.again()
    assert (seen, outcomes(run.events)) == ([], ["ok", "interrupted"])


def test_s3_concurrent_calls_never_pass_their_limit():
    work, seen = recorder()
    calls = [("work", {"name": str(n)}) for n in range(8)]
    answer, events = research([calls, "Done."], [work], budget=Budget(calls=3), each=0.1)
    assert outcomes(events) == ["ok"] * 3 + ["refused"] * 5
    assert (len(seen), len(of(events, CallStarted)), answer.stopped_by) == (3, 3, "max_calls")


@pytest.mark.parametrize("limit", [3, 4, 8])
def test_s3_a_crash_gives_no_call_back(limit):
    seen = []
    script = [[("search", {"query": str(n)}) for n in range(8)], "0 has 42 inhabitants [1]."]
    options = {"budget": Budget(calls=limit), "schedule": "constant:8!"}
    run = Killed(script, bought(seen), last(CallStarted), **options)
    begun = len(of([record.event for record in run.journal.read(run.id)], CallStarted))
    seen.clear()
    run.resume()
    assert begun + len(seen) <= limit
    assert len(of(run.events, CallStarted)) == begun + len(seen)
    is_valid(run.requests[-1].history)


def test_s5_a_call_that_is_made_again_has_the_key_it_had():
    seen = []
    run = Killed([BOTH, "a has 42 inhabitants [1]."], bought(seen), last(CallStarted))
    before = dict(seen)
    seen.clear()
    run.resume()
    assert dict(seen) == {"a": before["a"]}
    assert before["a"] != before["b"]


@pytest.mark.parametrize("tool_name", ["search", "send"])
def test_s5_a_call_asked_for_again_after_a_time_out_has_the_key_it_had(tool_name):
    keys = []

    @tool(name="search", deadline=1)
    async def search(query: str, context: Context) -> str:
        """Take effect, and then hang the first time."""
        keys.append(context.key)
        await asyncio.sleep(30 if len(keys) == 1 else 0)
        return f"{query} is done"

    @tool(name="send", effects="write", deadline=1)
    async def send(query: str, context: Context) -> ToolOutput:
        """Take effect, and then hang the first time."""
        return await search.call({"query": query}, context)

    call = [(tool_name, {"query": "a"})]
    _, events = research([call, call, "Done."], [search, send])
    assert outcomes(events, 1) + outcomes(events, 2) == ["timeout", "ok"]
    assert len(set(keys)) == 1
    assert len(keys) == 2


def test_s5_a_call_that_is_over_is_not_taken_for_its_retry():
    seen = []
    send = [("send", {"query": "a"})]
    research([send, [*send, *send], "Done."], bought(seen), turn_deadline=5)
    assert len({key for _, key in seen}) == 3


@pytest.mark.parametrize("error", [ConnectionResetError("reset"), TimeoutError("read")])
def test_s5_a_broken_connection_leaves_the_key_as_it_was_also_after_a_crash(error):
    keys = []

    @tool(effects="write")
    async def send(query: str, context: Context) -> str:
        """Take effect; the first answer is lost."""
        keys.append(context.key)
        if len(keys) == 1:
            raise error
        return f"{query} is sent"

    call = [("send", {"query": "a"})]
    ended = lambda events: 1 + [event.kind for event in events].index("batch_ended")  # noqa: E731
    Killed([call, call, "Done."], [send], ended).resume()
    assert keys == [keys[0]] * 3


def test_s5_calls_that_had_one_place_in_two_versions_of_a_reply_have_two_keys():
    class Restarting:
        info = ModelInfo("restarting")

        async def reply(self, request, on):
            if request.turn > 1:
                return Reply("b has 42 inhabitants [1].")
            for query in "ab":
                call = ToolCall("search", {"query": query})
                on(CallReady(0, call))
                await asyncio.sleep(0.5)
                if query == "a":
                    on(Restarted("the connection broke"))
            return Reply(calls=(call,))

    seen = []
    _, events = research(Restarting(), bought(seen))
    assert [query for query, _ in seen] == ["a", "b"]
    assert len({key for _, key in seen}) == 2
    assert outcomes(events) == ["ok"]


@tool(name="page")
async def page(query: str) -> ToolOutput:
    """Read a page of 6,000 tokens."""
    text = f"{query} has 42 inhabitants. ".ljust(24_000, "x")
    return ToolOutput(sources=(Found(query, text, title=query),))


class Small(ByTurn):
    """A model of 8,000 tokens, taken as four characters each, that refuses what is longer."""

    refusal = ModelError("400: maximum context length is 8000 tokens")

    async def reply(self, request, on):
        tokens = sum(
            len(result.text)
            for message in request.history
            if isinstance(message, Results)
            for result in message.results
        )
        if tokens > 8_000 * 4:
            raise self.refusal
        return await super().reply(request, on)


class Told(Small):
    """One whose adapter knows what the refusal means."""

    refusal = ContextError("400: maximum context length is 8000 tokens")


PAGES = [
    [("page", {"query": "Quito"})],
    [("page", {"query": "Lima"})],
    "Quito has 42 inhabitants [1].",
]


@pytest.mark.parametrize("kind", [CallStarted, BatchEnded, RequestSent, RequestFailed])
def test_m20_a_request_that_is_too_long_ends_the_run_with_what_it_has(kind):
    run = Killed(PAGES, [page], last(kind), Small, text_limit=30_000).resume()
    for answer in (run.undisturbed, run.answer):
        assert (answer.status, answer.stopped_by) == ("partial", "model_error")
        assert "Quito has 42 inhabitants" in answer.text
        assert any("maximum context length" in note for note in answer.notes)


@pytest.mark.parametrize("kind", [CallStarted, BatchEnded, RequestSent, RequestFailed, Trimmed])
def test_m20_a_request_that_is_known_to_be_too_long_is_trimmed_after_a_crash_too(kind):
    run = Killed(PAGES, [page], last(kind), Told, text_limit=30_000).resume()
    for answer in (run.undisturbed, run.answer):
        assert (answer.status, answer.stopped_by) == ("answered", "answer")
    assert len(of(run.events, Trimmed)) == 1
    is_valid(run.requests[-1].history)


CUT = Reply("a has 42 inhabitants [1]. And", stop="length")


@pytest.mark.parametrize("kind", [CallStarted, BatchEnded, RequestSent, Replied])
def test_m21_an_answer_cut_at_its_limit_is_marked_after_a_crash_too(kind):
    run = Killed([[("look", {"query": "a"})], CUT], [look], last(kind)).resume()
    for answer in (run.undisturbed, run.answer):
        assert (answer.status, answer.stopped_by) == ("partial", "cut_reply")
        assert any("cut off before its end" in note for note in answer.notes)


LATE = [[("look", {"query": "a"})], ModelError("500: overloaded")]


@pytest.mark.parametrize("kind", [CallStarted, BatchEnded, RequestSent, RequestFailed])
def test_t7_an_error_in_the_last_turn_keeps_the_findings_after_a_crash_too(kind):
    run = Killed(LATE, [look], last(kind)).resume()
    for answer in (run.undisturbed, run.answer):
        assert (answer.status, answer.stopped_by) == ("partial", "model_error")
        assert "42 inhabitants" in answer.text


def test_t7_a_run_that_failed_and_was_killed_may_yet_be_answered():
    run = Killed(LATE, [look], last(RequestFailed))
    run.resume([LATE[0], "a has 42 inhabitants [1]."])
    assert (run.answer.status, run.answer.stopped_by) == ("answered", "answer")
