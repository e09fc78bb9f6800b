"""Is a limit in USD ever passed, and how much of it is used?

Runs on a virtual clock: a scripted model asks for W calls every turn until it must answer. A call
costs uniform 0 to 1 USD and is bound at 1; a request costs uniform 0 to its bound. The limit is 20.
`used` is the mean of what was spent over what may be spent before the answer's reserve.

    python bench/budget.py [--runs 200] [--seed 1]
"""

from __future__ import annotations

import argparse
import asyncio
import platform
import random
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass

import widedeep
from widedeep import Agent, Answer, Budget, Cost, Prices, ToolOutput, tool
from widedeep.events import BatchEnded, CallStarted, Replied, RequestSent
from widedeep.messages import Reply, ToolCall, Usage
from widedeep.seams import CallReady, Delta, ModelInfo, Request

LIMIT = 20.0
WIDTHS = (1, 3, 8, 32)
OUTPUT = 1_000
"""Tokens of a reply at most, which is nearly all that a request is bound at."""


class Asking:
    """Asks for as many calls as the turn wants, until it must answer."""

    def __init__(self, seed: int, width: int, worst: float) -> None:
        price = worst * 1e6 / OUTPUT
        self.info = ModelInfo("asking", prices=Prices(input=0.0, output=price))
        self._random = random.Random(seed)
        self._width = width
        self._made = 0

    async def reply(self, request: Request, on: Callable[[Delta], None]) -> Reply:
        """Reply with calls, streamed, or with the answer."""
        usage = Usage(input=1_000, output=self._random.randint(0, OUTPUT))
        if request.choice == "none":
            return Reply("The answer [1].", usage=usage)
        calls: list[ToolCall] = []
        for position in range(self._width):
            self._made += 1
            calls.append(ToolCall("buy", {"number": self._made}))
            await asyncio.sleep(0)
            on(CallReady(position, calls[-1]))
        return Reply(calls=tuple(calls), usage=usage)


@dataclass(frozen=True)
class Ran:
    """What one run came to."""

    answer: Answer
    spent: float
    before: float
    reserve: float
    futile: int


async def one(seed: int, width: int, worst: float) -> Ran:
    """Run once and return what it spent, in all and before the answering request."""
    dice = random.Random(seed * 7919 + width)

    @tool(bound=Cost(0, 1.0))
    async def buy(number: int) -> ToolOutput:
        """Buy something."""
        await asyncio.sleep(0)
        return ToolOutput(f"item {number}", cost=Cost(0, dice.random()))

    agent = Agent(
        Asking(seed, width, worst),
        [buy],
        schedule=f"constant:{width}!",
        max_width=32,
        budget=Budget(turns=None, usd=LIMIT),
        max_output=OUTPUT,
        text_limit=200,
    )
    run = agent.stream("How much?")
    events = [event async for event in run]
    answer = await run.answer()
    assert answer.cost_usd is not None
    requests = [event for event in events if isinstance(event, RequestSent)]
    replies = [event for event in events if isinstance(event, Replied)]
    last = replies[-1].cost
    bound = requests[-1].bound
    assert last is not None
    assert last.usd is not None
    assert bound is not None
    assert bound.usd is not None
    started = {event.turn for event in events if isinstance(event, CallStarted)}
    batches = [event.turn for event in events if isinstance(event, BatchEnded)]
    futile = sum(turn not in started for turn in batches)
    return Ran(answer, answer.cost_usd, answer.cost_usd - last.usd, bound.usd, futile)


async def all_of(runs: int, seed: int, width: int, worst: float) -> list[Ran]:
    """Run many times, one after another."""
    return [await one(seed + number, width, worst) for number in range(runs)]


def report(runs: int, seed: int) -> bool:
    """Print the table; False when a limit was passed or a run did not answer."""
    print(f"widedeep {widedeep.__version__}, Python {platform.python_version()}")
    print(f"{runs} runs a line, limit {LIMIT:g} USD, a call is bound at 1 USD\n")
    print("| request at most | W | worst overshoot | used | turns without a call | answered |")
    print("|---|---|---|---|---|---|")
    right = True
    for worst in (0.05, 0.25, 1.0):
        for width in WIDTHS:
            done = asyncio.run(all_of(runs, seed, width, worst))
            over = max(0.0, *(ran.spent - LIMIT for ran in done))
            used = statistics.mean(ran.before / (LIMIT - ran.reserve) for ran in done)
            futile = sum(ran.futile for ran in done)
            answered = sum(ran.answer.text == "The answer [1]." for ran in done)
            print(
                f"| {worst:g} | {width} | {over:.2f} | {used:.1%} | {futile} | {answered}/{runs} |",
                flush=True,
            )
            right &= over == 0 and futile == 0 and answered == runs
    return right


def main() -> int:
    """Read the options and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=200, help="runs a line")
    parser.add_argument("--seed", type=int, default=1, help="what draws the costs")
    options = parser.parse_args()
    return 0 if report(options.runs, options.seed) else 1


if __name__ == "__main__":
    sys.exit(main())
