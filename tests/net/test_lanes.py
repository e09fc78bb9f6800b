"""Are providers asked as much as they bear, by everyone in turn, and is no lane ever lost?"""

import asyncio
import threading
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fakes import clock

from widedeep.errors import ModelError, TransientError
from widedeep.net import Lanes, lanes


def crowded(wait=None):
    return TransientError("429", wait=wait, crowded=True)


async def hold(shared, seconds, error=None, within=float("inf"), seen=None):
    """Hold a lane for some seconds and leave it with an error; note when it was entered."""
    with suppress(ModelError):
        async with shared.lane(within):
            if seen is not None:
                seen.append(asyncio.get_running_loop().time())
            await asyncio.sleep(seconds)
            if error is not None:
                raise error


def test_everyone_has_a_turn_in_order_of_coming():
    async def run():
        shared, order = Lanes("x", most=2), []

        async def ask(name):
            async with shared.lane():
                order.append((name, asyncio.get_running_loop().time()))
                await asyncio.sleep(1)

        await asyncio.gather(*(ask(name) for name in "abcde"))
        return order, shared

    order, shared = clock.run(run())
    assert order == [("a", 0), ("b", 0), ("c", 1), ("d", 1), ("e", 2)]
    assert (shared.taken, shared.waiting) == (0, 0)


def test_a_crowded_provider_is_asked_half_as_much_once_for_all_that_were_under_way():
    async def run():
        shared = Lanes("x", most=64)
        await asyncio.gather(*(hold(shared, 1 + at / 10, crowded()) for at in range(8)))
        return shared.number

    assert clock.run(run()) == 4


@pytest.mark.parametrize(("error", "number"), [(TransientError("503"), 8), (ModelError("400"), 8)])
def test_other_failures_say_nothing_of_the_lanes(error, number):
    async def run():
        shared = Lanes("x", most=8)
        await asyncio.gather(*(hold(shared, 1, error) for _ in range(8)))
        return shared.number

    assert clock.run(run()) == number


def test_the_lanes_grow_by_one_a_round_and_only_while_all_are_in_use():
    async def run():
        shared, numbers = Lanes("x", most=7), []
        await asyncio.gather(*(hold(shared, 1, crowded()) for _ in range(7)))
        for _ in range(3):
            numbers.append(shared.number)
            await asyncio.gather(*(hold(shared, 1) for _ in range(shared.number)))
        numbers.append(shared.number)
        for _ in range(20):
            await hold(shared, 1)
        idle = shared.number
        await asyncio.gather(*(hold(shared, 1) for _ in range(200)))
        return numbers, idle, shared.number

    numbers, idle, most = clock.run(run())
    assert numbers == [3, 4, 5, 6]
    assert (idle, most) == (6, 7)


def test_at_least_one_lane_is_left():
    async def run():
        shared = Lanes("x", most=2)
        for _ in range(5):
            await asyncio.gather(*(hold(shared, 1, crowded()) for _ in range(2)))
        return shared.number

    assert clock.run(run()) == 1


def test_who_shares_a_provider_waits_as_long_as_it_asks_one_of_them_to():
    async def run():
        shared, seen = Lanes("x", most=2), []
        tasks = [asyncio.create_task(hold(shared, 1, crowded(wait=30), seen=seen))]
        tasks += [asyncio.create_task(hold(shared, 2, seen=seen)) for _ in range(3)]
        await asyncio.sleep(5)
        tasks += [asyncio.create_task(hold(shared, 1, seen=seen))]
        await asyncio.gather(*tasks)
        return seen

    assert clock.run(run()) == [0, 0, 31, 33, 33]


def test_who_cannot_wait_that_long_is_told_at_once():
    async def run():
        shared, loop = Lanes("x", most=1), asyncio.get_running_loop()
        told = []

        async def impatient():
            with pytest.raises(TransientError, match="takes no requests") as caught:
                async with shared.lane(20):
                    pass
            told.append((loop.time(), round(caught.value.wait)))

        holding = asyncio.create_task(hold(shared, 1, crowded(wait=50)))
        queued = asyncio.create_task(impatient())
        patient = asyncio.create_task(hold(shared, 1, within=60))
        await asyncio.gather(holding, queued)
        await asyncio.sleep(9)
        await impatient()
        await patient
        return told, loop.time()

    assert clock.run(run()) == ([(1, 50), (10, 41)], 52)


def test_a_wait_of_a_day_does_not_close_the_lanes_for_a_day():
    async def run():
        shared, seen = Lanes("x"), []
        await hold(shared, 0, TransientError("503", wait=86_400))
        await hold(shared, 0, seen=seen)
        return seen

    assert clock.run(run()) == [600]


def test_a_lane_given_to_one_who_is_just_cancelled_goes_to_the_next():
    async def run():
        shared, seen = Lanes("x", most=1), []
        first = asyncio.create_task(hold(shared, 1))
        second = asyncio.create_task(hold(shared, 1, seen=seen))
        third = asyncio.create_task(hold(shared, 1, seen=seen))
        await first
        assert (shared.taken, shared.waiting) == (1, 1)
        second.cancel()
        await asyncio.wait({second, third})
        return seen, shared.taken, second.cancelled()

    assert clock.run(run()) == ([1], 0, True)


STEPS = st.tuples(
    st.integers(0, 9),  # comes
    st.integers(0, 5),  # holds
    st.none() | st.integers(0, 12),  # is cancelled so long after it came
    st.sampled_from(["ok", "ok", "crowded", "wait", "failed"]),
    st.sampled_from([3.0, float("inf")]),
)


@given(st.lists(STEPS, max_size=25), st.integers(1, 4))
def test_no_lane_is_lost_and_none_is_given_twice(steps, most):
    errors = {"crowded": crowded(), "wait": crowded(wait=4), "failed": ModelError("400")}

    async def run():
        shared, under_way = Lanes("x", most=most), []

        async def one(comes, holds, cancelled, outcome, within):
            await asyncio.sleep(comes)
            task = asyncio.create_task(asked(holds, outcome, within))
            if cancelled is not None:
                asyncio.get_running_loop().call_later(cancelled, task.cancel)
            await asyncio.wait({task})

        async def asked(holds, outcome, within):
            with suppress(ModelError):
                async with shared.lane(within):
                    under_way.append(1)
                    assert len(under_way) == shared.taken <= most
                    try:
                        await asyncio.sleep(holds)
                        if outcome in errors:
                            raise errors[outcome]
                    finally:
                        under_way.pop()

        await asyncio.gather(*(one(*step) for step in steps))
        assert (shared.taken, shared.waiting) == (0, 0)
        assert 1 <= shared.number <= most
        await hold(shared, 1)

    clock.run(run())


def test_threads_with_event_loops_of_their_own_share_them():
    shared, under_way, most_seen, done = Lanes("x", most=3), [], [], []

    async def ask(at):
        with suppress(TransientError):
            async with shared.lane():
                under_way.append(1)
                most_seen.append(len(under_way))
                await asyncio.sleep(0)
                under_way.pop()
                if at % 40 == 7:
                    raise crowded()
        done.append(at)

    async def many():
        await asyncio.gather(*(ask(at) for at in range(50)))

    threads = [threading.Thread(target=asyncio.run, args=(many(),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(done) == 200
    assert max(most_seen) <= 3
    assert (shared.taken, shared.waiting) == (0, 0)


def test_one_whose_event_loop_is_gone_holds_up_nobody():
    shared, seen = Lanes("x", most=1), []
    gone = asyncio.new_event_loop()

    async def run():
        async with shared.lane():
            left = gone.create_task(hold(shared, 1))
            gone.call_soon(gone.stop)
            await asyncio.to_thread(gone.run_forever)
            gone.close()
            waits = asyncio.create_task(hold(shared, 1, seen=seen))
            await asyncio.sleep(0)
            assert shared.waiting == 2
        await waits
        return left

    left = asyncio.run(run())
    left._log_destroy_pending = False
    assert len(seen) == 1
    assert shared.taken == 0


def test_a_request_that_is_collected_after_its_loop_gives_its_lane_back():
    shared = Lanes("test")

    async def hold():
        async with shared.lane():
            await asyncio.get_running_loop().create_future()

    async def begin():
        request.send(None)

    request = hold()
    asyncio.run(begin())
    assert shared.taken == 1
    request.close()
    assert shared.taken == 0


def test_a_name_has_its_lanes_once_in_a_process():
    assert lanes("https://api.test#m") is lanes("https://api.test#m")
    assert lanes("https://api.test#m") is not lanes("https://api.test#n")
