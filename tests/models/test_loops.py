"""Has each event loop its own, and is it closed with its loop?"""

import asyncio

import pytest

from widedeep.models.loops import ByLoop


@pytest.fixture
def made():
    """What was made, as numbers from 0."""
    return []


@pytest.fixture
def closed():
    """What was closed."""
    return []


@pytest.fixture
def by_loop(made, closed):
    async def close(value):
        await asyncio.sleep(0)
        closed.append(value)

    def make():
        made.append(len(made))
        return made[-1]

    return ByLoop(make, close)


def test_a_loop_closes_its_own_at_its_end(by_loop, made, closed):
    async def use():
        return await by_loop.get(), await by_loop.get()

    assert [asyncio.run(use()) for _ in range(3)] == [(0, 0), (1, 1), (2, 2)]
    assert (made, closed, len(by_loop)) == ([0, 1, 2], [0, 1, 2], 0)


async def test_it_may_be_closed_before(by_loop, closed):
    await by_loop.aclose()
    await by_loop.get()
    await by_loop.aclose()
    assert (closed, len(by_loop), await by_loop.get()) == ([0], 0, 1)


def test_loops_that_take_turns_keep_their_own(by_loop, made, closed):
    with asyncio.Runner() as one, asyncio.Runner() as two:
        got = [runner.run(by_loop.get()) for runner in (one, two, one, two)]
    assert (got, made, sorted(closed), len(by_loop)) == ([0, 1, 0, 1], [0, 1], [0, 1], 0)


def test_a_loop_that_was_closed_without_care_is_forgotten(by_loop):
    loop = asyncio.new_event_loop()
    loop.run_until_complete(by_loop.get())
    loop.close()
    assert asyncio.run(by_loop.get()) == 1
    assert len(by_loop) == 0
