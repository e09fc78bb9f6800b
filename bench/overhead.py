"""What widedeep's own work costs: wall time over the ideal critical path, and CPU a turn.

A scripted model asks for W calls a turn; each call sleeps a recorded latency (log-normal, median
0.25 s) and returns 2,000 characters. The ideal is the sum over turns of the slowest call. Wall
figures are medians of `--repeat` runs. CPU figures are the fastest and the median of ten times as
many runs: what is slower than the fastest is what else the machine does; the last column, a turn
of eight empty asyncio tasks in the same minute, says how much that is.

    python bench/overhead.py [--scale 0.2] [--repeat 5]
"""

from __future__ import annotations

import argparse
import asyncio
import platform
import random
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import memory

import widedeep
from widedeep import Agent, Budget, SqliteJournal, tool
from widedeep.models.scripted import Scripted
from widedeep.seams import Journal, ModelInfo

TURNS = 10
TEXT = ("A result for a search call, with words enough to look like a snippet of some page. " * 26)[
    :2000
]
_random = random.Random(20260211)
LATENCIES = [min(8.0, 0.25 * 2.718281828 ** _random.gauss(0, 1.0)) for _ in range(4096)]


def latency(index: int, scale: float) -> float:
    """Return the seconds that call `index` takes."""
    return LATENCIES[index % len(LATENCIES)] * scale


def ideal(width: int, run: int, scale: float) -> float:
    """Return the critical path of a run in seconds: the slowest call of every turn."""
    return sum(
        max(latency(run * 977 + turn * width + j, scale) for j in range(width))
        for turn in range(TURNS)
    )


class Paid(Scripted):
    """A scripted model whose price is unknown: its replies are synced to disk."""

    def __init__(self, script: list[Any]) -> None:
        super().__init__(script)
        self.info = ModelInfo("paid")


def agent(
    width: int, run: int, scale: float, journal: Journal | None, *, paid: bool = False
) -> Agent:
    """Return an agent whose script asks for `width` calls in each of the turns."""

    @tool
    async def search(index: int) -> str:
        """Search."""
        seconds = latency(index, scale)
        if seconds > 0:
            await asyncio.sleep(seconds)
        return f"[{index}] {TEXT}"

    script = [
        [("search", {"index": run * 977 + turn * width + j}) for j in range(width)]
        for turn in range(TURNS)
    ]
    return Agent(
        (Paid if paid else Scripted)([*script, "Done."]),
        [search],
        schedule=f"constant:{width}!",
        max_width=32,
        budget=Budget(turns=TURNS + 1),
        journal=journal,
        text_limit=4000,
    )


def cpu() -> float:
    """Return the CPU seconds of this process so far, all threads."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


async def one(
    width: int, scale: float, journal: Journal | None, *, paid: bool = False
) -> tuple[float, float]:
    """Return wall and CPU seconds of one run."""
    subject = agent(width, 0, scale, journal, paid=paid)
    wall, used = time.perf_counter(), cpu()
    answer = await subject.run("run=0")
    assert answer.calls.ok == width * TURNS, answer.calls
    return time.perf_counter() - wall, cpu() - used


async def empty() -> float:
    """Return the CPU seconds of `TURNS` turns that start eight tasks and do nothing else."""

    async def nothing() -> None:
        await asyncio.sleep(0)

    used = cpu()
    for _ in range(TURNS):
        await asyncio.gather(*(asyncio.create_task(nothing()) for _ in range(8)))
    return cpu() - used


async def many(count: int, width: int, scale: float) -> tuple[float, float, float]:
    """Return wall over ideal, CPU milliseconds a call and peak MB of `count` runs at once."""
    subjects = [agent(width, run, scale, None) for run in range(count)]
    best = max(ideal(width, run, scale) for run in range(count))
    wall, used = time.perf_counter(), cpu()
    await asyncio.gather(*(s.run(f"run={run}") for run, s in enumerate(subjects)))
    wall, used = time.perf_counter() - wall, cpu() - used
    return wall / best, used * 1000 / (count * width * TURNS), memory.peak()


def report(scale: float, repeat: int, folder: Path) -> None:
    """Print the tables."""
    print(
        f"widedeep {widedeep.__version__}, Python {platform.python_version()}, {platform.machine()}"
    )
    print(f"{TURNS} turns, latencies x {scale:g}, medians of {repeat}\n")
    asyncio.run(one(8, 0.0, None))
    print("| W | ideal s | wall/ideal | with journal |\n|---|---|---|---|")
    for width in (1, 3, 8, 32):
        best = ideal(width, 0, scale)
        plain = statistics.median(asyncio.run(one(width, scale, None))[0] for _ in range(repeat))
        kept = statistics.median(journaled(width, scale, folder)[0] for _ in range(repeat))
        print(f"| {width} | {best:.2f} | {plain / best:.4f} | {kept / best:.4f} |", flush=True)
    print(
        "\n| W | CPU ms a turn: fastest, median | with journal | 8 empty tasks |\n|---|---|---|---|"
    )
    for width in (1, 3, 8, 32):
        rounds = range(repeat * 10)
        plain = _ms([asyncio.run(one(width, 0.0, None))[1] for _ in rounds])
        kept = _ms([journaled(width, 0.0, folder)[1] for _ in rounds])
        dear = _ms([journaled(width, 0.0, folder, paid=True)[1] for _ in rounds])
        bare = _ms([asyncio.run(empty()) for _ in rounds])
        print(f"| {width} | {plain} | {kept} | {dear} | {bare} |", flush=True)
    ratio, each, peak = asyncio.run(many(200, 8, max(scale, 1.0)))
    print(
        f"\n200 runs at once, W=8: wall/ideal {ratio:.4f}, {each:.3f} CPU ms a call, {peak:.0f} MB"
    )


def _ms(seconds: list[float]) -> str:
    """Return the fastest and the median of some runs, in milliseconds a turn."""
    return ", ".join(f"{s * 1000 / TURNS:.2f}" for s in (min(seconds), statistics.median(seconds)))


def journaled(width: int, scale: float, folder: Path, *, paid: bool = False) -> tuple[float, float]:
    """Return wall and CPU seconds of one run with the journal on."""
    journal = SqliteJournal(folder / "journal.sqlite")
    try:
        return asyncio.run(one(width, scale, journal, paid=paid))
    finally:
        journal.close()


def main() -> None:
    """Read the options and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--scale", type=float, default=1.0, help="factor on the latencies")
    parser.add_argument("--repeat", type=int, default=5, help="runs a figure")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report(options.scale, options.repeat, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
