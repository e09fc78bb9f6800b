"""Are the random histories such as a run hands over?"""

import asyncio
from itertools import pairwise

from hypothesis import given

from tests.fakes.providers.histories import conversations, hold, requests
from widedeep.messages import Assistant, Reply, Results, System, ToolCall, User
from widedeep.models.scripted import Scripted


@given(requests())
def test_every_call_has_its_result_and_the_model_is_next(request):
    history = request.history
    assert [type(message) for message in history[:2]] == [System, User]
    assert isinstance(history[-1], User | Results)
    for message, following in pairwise(history):
        calls = message.calls if isinstance(message, Assistant) else ()
        assert bool(calls) == isinstance(following, Results)
        if isinstance(following, Results):
            assert tuple(result.call for result in following.results) == calls


@given(conversations())
def test_a_conversation_is_held_turn_by_turn(turns):
    script = [
        Reply(
            turn.said.text,
            tuple(ToolCall(tool, arguments) for tool, arguments in turn.said.calls),
            provider={"turn": number},
        )
        for number, turn in enumerate(turns)
    ]
    model = Scripted(script)
    replies = asyncio.run(hold(model, turns))
    assert [reply.provider for reply in replies] == [{"turn": n} for n in range(len(turns))]
    assert len(model.requests) == len(turns)
