"""Is any history refused, whoever wrote it, and does what a provider wrote come back to it?"""

import asyncio
from itertools import repeat

import pytest
from hypothesis import HealthCheck, given, settings
from tests.fakes.providers import Said
from tests.fakes.providers.histories import conversations, hold, requests
from tests.models.others.talking import DIALECTS

# The fake may say that more was cached than was sent: nothing can be made of that.
pytestmark = pytest.mark.filterwarnings("ignore:Failed to extract usage")
MANY = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_random_history_is_refused(dialect):
    with asyncio.Runner() as runner:
        talking = DIALECTS[dialect].talk(repeat(Said("ok")))
        talk, server = runner.run(talking.__aenter__())

        @MANY
        @given(requests())
        def ask(request):
            runner.run(talk.model.reply(request, lambda _: None))

        try:
            ask()
        finally:
            runner.run(talking.__aexit__(None, None, None))
    assert server.invalid == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_random_conversation_is_refused(dialect):
    with asyncio.Runner() as runner:

        async def held(turns):
            async with DIALECTS[dialect].talk([turn.said for turn in turns]) as (talk, server):
                await hold(talk.model, turns)
            assert server.invalid == []

        @settings(MANY, max_examples=20)
        @given(conversations())
        def ask(turns):
            runner.run(held(turns))

        ask()
