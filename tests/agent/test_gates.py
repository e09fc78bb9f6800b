"""A call whose thread goes on after its deadline still holds back those that wait for it."""

import asyncio
import threading

import pytest
from tests.fakes.runs import outcomes

from widedeep import Agent, tool
from widedeep.events import BatchEnded
from widedeep.models.scripted import Scripted


@pytest.mark.parametrize("how", [{"order": "serial", "effects": "write"}, {"limit": 1}])
def test_what_waits_for_a_thread_does_not_start_beside_it(how):
    seen, done = [], threading.Event()

    @tool(deadline=0.05, **how)
    def work(name: str) -> str:
        """Work until told that it is enough."""
        seen.append(name)
        done.wait(20)
        return f"{name} is done"

    script = [[("work", {"name": name}) for name in "ab"], [("work", {"name": "c"})], "Done."]
    agent = Agent(Scripted(script), [work], turn_deadline=0.3)

    async def main():
        run = agent.stream("How many?")
        events = []
        async for event in run:
            events.append(event)
            if isinstance(event, BatchEnded) and event.turn == 1:
                assert seen == ["a"]
                done.set()
        return events

    events = asyncio.run(main())
    assert outcomes(events) == ["timeout", "cancelled"]
    assert outcomes(events, 2) == ["ok"]
    assert seen == ["a", "c"]
