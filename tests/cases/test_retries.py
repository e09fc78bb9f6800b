"""Faults reported of retries; each test is named by its case."""

import pytest
from tests.fakes.models import Streaming
from tests.fakes.runs import of, outcomes, research
from tests.fakes.tools import look, recorder

from widedeep.errors import TransientError
from widedeep.events import CallStarted, RequestRestarted
from widedeep.messages import Reply, ToolCall
from widedeep.models.patient import Patient
from widedeep.net import Lanes
from widedeep.seams import CallReady, Text


def patient(*script, **options):
    model = Streaming(*script)
    return model, Patient(model, Lanes("test"), **options)


def call(name):
    return ToolCall("work", {"name": name})


def test_m17_after_a_cut_reply_the_text_of_the_good_one_arrives():
    found = ToolCall("look", {"query": "Quito"})
    _, model = patient(
        ([], Reply(calls=(found,))),
        ([Text("Quito has 41 inh"), 1.0], TransientError("the stream was cut off")),
        ([Text("Quito has 42 inhabitants [1].")], Reply("Quito has 42 inhabitants [1].")),
    )
    answer, events = research(model, [look])
    assert (answer.status, answer.text) == ("answered", "Quito has 42 inhabitants [1].")
    (restarted,) = of(events, RequestRestarted)
    assert (restarted.turn, restarted.billed) == (2, True)


@pytest.mark.parametrize("effects", ["read", "write"])
def test_m17_nothing_of_a_cut_reply_runs_twice(effects):
    work, seen = recorder(effects=effects, seconds=9.0)
    a, b, c = map(call, "abc")
    _, model = patient(
        ([CallReady(0, a), CallReady(1, b), 0.5], TransientError("the stream was cut off")),
        ([CallReady(0, a), 0.5], TransientError("the stream was cut off")),
        ([CallReady(0, a), CallReady(1, c)], Reply(calls=(a, c))),
        ([], Reply("Done.")),
    )
    _, events = research(model, [work])
    assert outcomes(events) == ["ok", "ok"]
    names = sorted(event.call.arguments["name"] for event in of(events, CallStarted))
    assert names == (["a", "b", "c"] if effects == "read" else ["a", "c"])
    assert sorted(name for name, *_ in seen) == names


def test_m18_the_wait_that_a_provider_asks_for_is_kept():
    refused = TransientError("429 Too Many Requests", wait=3.0, crowded=True)
    model, wrapped = patient(([], refused), ([], refused), ([], Reply("Done.")))
    answer, events = research(wrapped, [])
    assert answer.text == "Done."
    first, second, third = model.asked
    assert second - first >= 3
    assert third - second >= 3
    assert len(of(events, RequestRestarted)) == 2


def test_m18_a_wait_that_no_run_has_time_for_ends_it_at_once():
    refused = TransientError("429 Too Many Requests", wait=7_200.0)
    model, wrapped = patient(([], refused))
    answer, _ = research(wrapped, [])
    assert (answer.stopped_by, len(model.asked)) == ("model_error", 1)
    assert any("it asks to wait 7,200 s" in note for note in answer.notes)
    assert answer.seconds.wall == 0
