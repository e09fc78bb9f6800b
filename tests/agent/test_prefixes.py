"""Whatever a model asks for and wherever the record is cut, the run goes on with valid requests."""

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes import clock
from tests.fakes.tools import empty, fail

from widedeep import Agent, Budget, Context, Found, MemoryJournal, ToolOutput, tool
from widedeep.errors import ModelError
from widedeep.events import BatchEnded, CallSettled, CallStarted, Replied, RunEnded
from widedeep.messages import Assistant, Reply, Results, ToolCall
from widedeep.models.scripted import Scripted
from widedeep.seams import CallReady, ModelInfo, Restarted

QUERIES = st.sampled_from("abcdef")
SECONDS = st.sampled_from([0, 1, 3, 7])
CALLS = st.one_of(
    st.tuples(st.just("look"), st.fixed_dictionaries({"query": QUERIES, "seconds": SECONDS})),
    st.tuples(st.just("send"), st.fixed_dictionaries({"query": QUERIES, "seconds": SECONDS})),
    st.sampled_from(
        [
            ("fail", {}),
            ("empty", {"query": "q"}),
            ("lok", {"query": "a"}),
            ("look", {"wrong": 1}),
            ("note", {"id": "x", "text": "What is a?"}),
        ]
    ),
)
BATCHES = st.lists(CALLS, min_size=1, max_size=5)
STEPS = st.one_of(
    BATCHES,
    BATCHES,
    st.tuples(BATCHES, BATCHES),  # streamed, broken off, streamed anew
    st.just(""),
    st.just("a has 42 inhabitants [1]."),
    st.sampled_from([ModelError("overloaded"), Reply("a has", stop="length")]),
    BATCHES.map(lambda calls: Reply(calls=whole(calls), stop="length")),
)


def whole(calls):
    return tuple(ToolCall(name, arguments) for name, arguments in calls)


class ByTurn:
    """A model whose reply depends on the turn alone; it keeps the histories that it was sent."""

    def __init__(self, script):
        self.script = script
        self.info = ModelInfo("by turn")
        self.seen = []

    async def reply(self, request, on):
        self.seen.append(request.history)
        step = self.script[request.turn - 1] if request.turn <= len(self.script) else "Done."
        if isinstance(step, tuple):
            for place, call in enumerate(whole(step[0])):
                await asyncio.sleep(0.1)
                on(CallReady(place, call))
            on(Restarted("the connection broke"))
            step = step[1]
        return await Scripted([step], first=0.1, each=0.1).reply(request, on)


def tools(made):
    """Return tools that keep the ids and queries of the calls they are."""

    @tool(name="look", deadline=10)
    async def look(query: str, context: Context, seconds: float = 0.0) -> ToolOutput:
        """Look something up."""
        made.append((context.call_id, query))
        await asyncio.sleep(seconds)
        return ToolOutput(sources=(Found(f"doc {query}", f"{query} has 42 inhabitants."),))

    @tool(name="send", effects="write", deadline=10)
    async def send(query: str, context: Context, seconds: float = 0.0) -> str:
        """Send something."""
        made.append((context.call_id, query))
        await asyncio.sleep(seconds)
        return f"{query} is sent"

    return [look, send, fail, empty]


def is_valid(history):
    """See that every call has one result, in order, in the message that follows it."""
    for message, following in zip(history, [*history[1:], None], strict=True):
        asked = message.calls if isinstance(message, Assistant) else ()
        answers = following.results if isinstance(following, Results) else ()
        assert [result.call for result in answers] == list(asked)


def agent(journal, model, made):
    options = {"schedule": "constant:2", "turn_deadline": 5, "budget": Budget(turns=5, calls=12)}
    return Agent(model, tools(made), journal=journal, **options)


@settings(deadline=None, max_examples=60)
@given(st.lists(STEPS, min_size=1, max_size=5), st.data())
def test_any_prefix_of_a_record_goes_on_with_valid_requests(script, data):
    journal, cut, made = MemoryJournal(), MemoryJournal(), []
    run_id = clock.run(agent(journal, ByTurn(script), []).run("How many?")).run_id
    records = journal.read(run_id)
    for record in records[: data.draw(st.integers(1, len(records)))]:
        cut.append(run_id, record.event)
    past = [record.event for record in cut.read(run_id)]
    model = ByTurn(script)

    async def resume():
        return await agent(cut, model, made).resume(run_id).answer()

    clock.run(resume())
    for history in model.seen:
        is_valid(history)
    events = [record.event for record in cut.read(run_id)]
    assert isinstance(events[-1], RunEnded)
    assert events[: len(past)] == past
    called = {}
    for event in past:
        if isinstance(event, CallStarted):
            called[event.call.id] = event.call.id, (event.call.arguments or {}).get("query")
            assert event.effects == "read" or called[event.call.id] not in made
        elif isinstance(event, CallSettled) and event.call_id in called:
            assert called[event.call_id] not in made, "a result on record was bought again"
    assert sum(isinstance(event, CallStarted) for event in events) <= 12
    replied = {event.turn: event.reply for event in events if isinstance(event, Replied)}
    for batch in (event for event in events if isinstance(event, BatchEnded)):
        assert [one.call for one in batch.results] == list(replied[batch.turn].calls)
