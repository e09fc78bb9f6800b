"""Does the next model take over, for the rest of the run, and is it told and paid right?"""

import asyncio
from dataclasses import replace

import pytest
from tests.fakes import clock
from tests.fakes.models import Streaming
from tests.fakes.runs import Budget, of, research
from tests.fakes.tools import look

from widedeep import Agent, MemoryJournal, Prices, UsageError
from widedeep.errors import ContextError, ModelError, TransientError
from widedeep.events import Replied, RequestRestarted
from widedeep.messages import Assistant, Reply, ToolCall, Usage, User, Width
from widedeep.models.chain import Chain
from widedeep.models.patient import Patient
from widedeep.net import Lanes
from widedeep.seams import Request, Restarted, Text

REFUSED = ([], ModelError("401 Unauthorized"))
CALL = Reply(calls=(ToolCall("look", {"query": "Quito"}),))
ANSWER = Reply("Quito has 42 inhabitants [1].")


def chain(*scripts, **info):
    models = [
        Streaming(*script, name=name, **info) for name, script in zip("abc", scripts, strict=False)
    ]
    return models, Chain(models)


def ask(model, history=(), heard=None):
    heard = [] if heard is None else heard
    request = Request(1, history, None, (), Width(1, 1))
    return clock.run(model.reply(request, heard.append)), heard


def test_the_first_answers_as_long_as_it_can():
    models, model = chain([([Text("Hi.")], Reply("Hi."))], [])
    reply, heard = ask(model)
    assert (reply, heard) == (Reply("Hi.", model="a"), [Text("Hi.")])
    assert models[1].asked == []


@pytest.mark.parametrize("error", [ModelError("401"), TransientError("503")])
def test_the_next_takes_over_when_one_fails_for_good(error):
    _, model = chain([([Text("Hel")], error)], [([], error)], [([Text("Hi.")], Reply("Hi."))])
    reply, heard = ask(model)
    assert reply.model == "c"
    assert heard == [
        Text("Hel"),
        Restarted(f"a failed: {error}; b takes over", billed=True),
        Restarted(f"b failed: {error}; c takes over", billed=False),
        Text("Hi."),
    ]


def test_billed_is_also_what_came_and_was_no_delta_yet():
    script = [([], TransientError("cut", billed=True))]
    _, model = chain(script, [REFUSED], [([], Reply("Hi."))])
    assert [delta.billed for delta in ask(model)[1]] == [True, False]


def test_when_none_can_all_are_named():
    _, model = chain([REFUSED], [([], ModelError("404 Not Found"))])
    with pytest.raises(ModelError, match="a failed: 401 Unauthorized; b failed: 404 Not Found"):
        ask(model)


@pytest.mark.parametrize("error", [ContextError("too long"), ValueError("a bug")])
def test_other_errors_pass(error):
    models, model = chain([([], error)], [])
    with pytest.raises(type(error)) as caught:
        ask(model)
    assert caught.value is error
    assert models[1].asked == []


@pytest.mark.parametrize("to", [Text, Restarted])
def test_what_the_listener_raises_makes_nobody_take_over(to):
    models, model = chain([([Text("Hel")], ModelError("401"))], [([], Reply("Hi."))])
    objection = ModelError("the budget does not hold another attempt")

    def on(delta):
        if isinstance(delta, to):
            raise objection

    with pytest.raises(ModelError) as caught:
        clock.run(model.reply(Request(1, (), None, (), Width(1, 1)), on))
    assert caught.value is objection
    assert models[1].asked == []


def test_who_has_taken_over_answers_the_rest_of_the_run():
    models, model = chain([REFUSED], [([], CALL), ([], ANSWER)])
    answer, events = research(model, [look])
    assert answer.status == "answered"
    assert [len(one.asked) for one in models] == [1, 2]
    assert [event.reply.model for event in of(events, Replied)] == ["b", "b"]
    (restarted,) = of(events, RequestRestarted)
    assert restarted.reason == "a failed: 401 Unauthorized; b takes over"
    assert answer.model == "a > b"
    assert "Replies: 2 by b." in answer.notes


def test_it_still_does_when_the_run_was_cut_off():
    journal = MemoryJournal()
    _, model = chain([REFUSED], [([], CALL), ([], ANSWER)])
    whole = clock.run(Agent(model, [look], journal=journal).run("How many?"))
    again = MemoryJournal()
    for record in journal.read(whole.run_id):
        again.append(record.run_id, record.event)
        if record.event.kind == "batch_ended":
            break
    models, model = chain([([], Reply("Not asked."))], [([], ANSWER)])
    agent = Agent(model, [look], journal=again)

    async def resume():
        return await agent.resume(whole.run_id).answer()

    assert clock.run(resume()).text == ANSWER.text
    assert [len(one.asked) for one in models] == [0, 1]


def test_after_the_last_the_first_is_asked_again():
    history = (User("How many?"), Assistant("Let me see.", model="b"))
    models, model = chain([([], Reply("Hi."))], [REFUSED])
    assert ask(model, history)[0].model == "a"
    assert [len(one.asked) for one in models] == [1, 1]


def test_what_is_sent_back_unchanged_is_for_its_model_alone():
    signed = [
        Assistant("1", provider={"signature": "a"}, model="a"),
        Assistant("2", provider={"signature": "b"}, model="b"),
        Assistant("3", provider={"signature": "?"}),
    ]
    models, model = chain([([], Reply("Hi."))] * 2, [REFUSED] * 2)
    history = [User("How many?"), *signed, Assistant("4", model="b")]
    for _ in range(2):
        ask(model, history)
    by_b, by_a = models[1].requests[0].history, models[0].requests[0].history
    assert [m.provider for m in by_b[1:]] == [None, {"signature": "b"}, None, None]
    assert [m.provider for m in by_a[1:]] == [{"signature": "a"}, None, {"signature": "?"}, None]
    assert all(new is old for new, old in zip(by_b, models[1].requests[1].history, strict=True))
    assert (by_a[0], by_a[1]) == (history[0], signed[0])


def test_a_history_that_is_all_its_own_is_passed_on_as_it_is():
    models, model = chain([([], Reply("Hi."))], [])
    history = [User("How many?"), Assistant("1", provider={"signature": "a"}, model="a")]
    ask(model, history)
    assert models[0].requests[0].history is history


def test_what_is_known_of_a_chain_holds_of_each():
    cheap, dear = Prices(1.0, 9.0, source="x"), Prices(3.0, 5.0, source="y")
    infos = [("a", 8_000, cheap), ("b", 4_000, dear), ("c", None, None)]
    models = [Streaming(name=n, free=False, context=c, prices=p) for n, c, p in infos]
    info = Chain(models[:2]).info
    assert (info.name, info.context, info.free) == ("a > b", 4_000, False)
    assert (info.prices.input, info.prices.output, info.prices.source) == (3.0, 9.0, "x, y")
    assert Chain(models).info.prices is None
    models[2].info = replace(models[2].info, free=True)
    assert Chain(models).info.prices == info.prices


def test_each_reply_is_charged_at_the_prices_of_its_model():
    usage = Usage(input=1_000_000, output=0)
    models, model = chain([([], replace(CALL, usage=usage)), REFUSED], [([], ANSWER)], free=False)
    for one, prices in zip(models, (Prices(1.0, 0.0), Prices(4.0, 0.0)), strict=True):
        one.info = replace(one.info, prices=prices)
    models[1]._replies = [([], replace(ANSWER, usage=usage))]
    answer, events = research(model, [look], budget=Budget(tokens=10_000_000))
    assert [event.cost.usd for event in of(events, Replied)] == [1.0, 4.0]
    assert answer.cost_usd == 5.0
    assert "Replies: 1 by a, 1 by b." in answer.notes


def test_m18_a_wait_that_is_too_long_is_another_models_turn_at_once():
    refused = TransientError("429", wait=3_600.0, crowded=True)
    first, second = Streaming(([], refused), name="a"), Streaming(([], ANSWER), name="b")
    shared = Lanes("a")
    model = Chain([Patient(first, shared), Patient(second, Lanes("b"))])

    async def two_runs():
        answers = [await Agent(model).run("How many?")]
        second._replies = [([], ANSWER)]
        answers.append(await Agent(model).run("How many?"))
        return answers, asyncio.get_running_loop().time()

    answers, seconds = clock.run(two_runs())
    assert [answer.text for answer in answers] == [ANSWER.text] * 2
    assert (seconds, len(first.asked)) == (0, 1)


def test_a_chain_of_nothing_or_of_one_twice_is_refused():
    with pytest.raises(UsageError, match="no model"):
        Chain([])
    with pytest.raises(UsageError, match="named 'a'"):
        Chain([Streaming(name="a"), Streaming(name="a")])
