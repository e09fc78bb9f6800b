"""What is lost when a fifth of the calls misbehave: 10,000 calls in batches of 8.

Calls raise, hang, hang in a thread, cancel themselves, ignore being cancelled, exit the process,
return 50 MB or bytes that are no UTF-8. Printed: good results lost, calls without their one answer
in order, the slowest batch over its deadline, and how long the process takes to end. With the
journal also what that takes: CPU a call with results of 2,000 characters, fastest and median of 30
runs with and without it, and wall time over the ideal (see overhead.py), best and median of 3.

    python bench/faults.py [--calls 10000] [--journal]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import memory
import overhead

import widedeep
from widedeep import Agent, Budget, SqliteJournal, tool
from widedeep.events import BatchEnded
from widedeep.models.scripted import Scripted

WIDTH = 8
DEADLINE = float(os.environ.get("DEADLINE", "0.3"))
"""Seconds a call has; the turn has twice that."""

ALL = 10_000
"""Calls of the whole bench; with fewer nothing is said of what the journal takes."""

FAULTS = ("raise", "hang", "stubborn", "cancel", "exit", "huge", "bytes", "thread")


def kinds(calls: int) -> list[str]:
    """Return what each call does: a fifth of them, drawn with a fixed seed, misbehave."""
    drawn = random.Random(20260211)
    return [drawn.choice(FAULTS) if drawn.random() < 0.2 else "good" for _ in range(calls)]


@tool(deadline=DEADLINE)
async def act(kind: str, index: int) -> Any:
    """Do as told."""
    match kind:
        case "raise":
            raise ConnectionError("on purpose")
        case "hang":
            await asyncio.Event().wait()
        case "stubborn":
            await ignore_cancellation()
        case "cancel":
            current = asyncio.current_task()
            assert current is not None
            current.cancel()
            await asyncio.sleep(1)
        case "exit":
            raise SystemExit(7)
        case "huge":
            return "x" * 50_000_000
        case "bytes":
            return b"\xff\xfe\x00 not text"
        case _:
            await asyncio.sleep(0.001 * (index % 20))
    return f"good {index}"


async def ignore_cancellation() -> None:
    """Hang, and swallow every cancellation."""
    while True:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            continue


@tool(deadline=DEADLINE)
def hang_in_thread(index: int) -> str:
    """Hang in a thread."""
    threading.Event().wait()
    return f"never {index}"


async def one(
    batch: list[tuple[int, str]], journal: SqliteJournal | None
) -> tuple[Counter[str], float]:
    """Run one batch; return what was counted and its seconds."""
    calls = [
        ("hang_in_thread", {"index": index})
        if kind == "thread"
        else ("act", {"kind": kind, "index": index})
        for index, kind in batch
    ]
    agent = Agent(
        Scripted([calls, "Done."]),
        [act, hang_in_thread],
        schedule="constant:8!",
        budget=Budget(turns=2),
        turn_deadline=DEADLINE * 2,
        journal=journal,
    )
    events = [event async for event in agent.stream("Act.")]
    ended = next(event for event in events if isinstance(event, BatchEnded))
    counted: Counter[str] = Counter()
    for at, (result, (index, kind)) in enumerate(zip(ended.results, batch, strict=True), start=1):
        counted[f"{kind}: {result.outcome}"] += 1
        counted["out of order"] += result.call.id != f"1.{at}"
        if kind == "good":
            counted["good"] += 1
            counted["lost"] += f"good {index}" not in result.text
        result.text.encode("utf-8")
    return counted, ended.seconds


async def all_batches(calls: int, journal: SqliteJournal | None) -> tuple[Counter[str], float]:
    """Run every batch, eight runs at once; return the sums and the slowest batch's seconds."""
    jobs = [list(enumerate(kinds(calls)))[at : at + WIDTH] for at in range(0, calls, WIDTH)]
    total: Counter[str] = Counter()
    slowest = 0.0

    async def work() -> None:
        nonlocal slowest
        while jobs:
            counted, seconds = await one(jobs.pop(), journal)
            total.update(counted)
            slowest = max(slowest, seconds)

    await asyncio.gather(*(work() for _ in range(8)))
    return total, slowest


def report(calls: int, folder: Path, *, journal: bool) -> None:
    """Run the batches in this process and print what came of them."""
    kept = SqliteJournal(folder / "journal.sqlite") if journal else None
    began = time.perf_counter()
    total, slowest = asyncio.run(all_batches(calls, kept))
    if kept is not None:
        kept.close()
    spent = time.perf_counter() - began
    answered = sum(count for name, count in total.items() if ": " in name)
    print(
        f"widedeep {widedeep.__version__}, Python {platform.python_version()}, "
        f"{platform.machine()}, {os.cpu_count()} cores, journal {journal}"
    )
    for name in sorted(name for name in total if ": " in name):
        print(f"  {name}: {total[name]}")
    print(f"calls {calls}, answered once {answered}, out of order {total['out of order']}")
    print(f"good results lost: {total['lost']} of {total['good']}")
    print(f"slowest batch {slowest:.2f} s, deadline {DEADLINE * 2:g} s")
    print(f"all in {spent:.1f} s, {memory.peak():.0f} MB")
    print(f"ended at {time.time():.3f}", flush=True)


def costs(folder: Path) -> None:
    """Print what the journal takes when nothing misbehaves: W=8, results of 2,000 characters."""
    calls = WIDTH * overhead.TURNS
    asyncio.run(overhead.one(WIDTH, 0.0, None))
    pairs = [
        (asyncio.run(overhead.one(WIDTH, 0.0, None))[1], overhead.journaled(WIDTH, 0.0, folder)[1])
        for _ in range(30)
    ]
    plain, kept = zip(*pairs, strict=True)
    fastest = (min(kept) - min(plain)) * 1000 / calls
    median = (statistics.median(kept) - statistics.median(plain)) * 1000 / calls
    best = overhead.ideal(WIDTH, 0, 1.0)
    walls = sorted(overhead.journaled(WIDTH, 1.0, folder)[0] / best for _ in range(3))
    print(f"journal: {fastest:.3f} CPU ms a call (median {median:.3f}; goal 0.3)")
    print(f"journal: wall over ideal {walls[0]:.4f} (median {walls[1]:.4f}; goal 1.03)")


def main() -> int:
    """Run the batches in a process of their own and see how it ends."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--calls", type=int, default=ALL)
    parser.add_argument("--journal", action="store_true")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        report(options.calls, options.inside, journal=options.journal)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        again = [sys.executable, str(Path(__file__).resolve()), "--inside", folder]
        again += ["--calls", str(options.calls)] + ["--journal"] * options.journal
        done = subprocess.run(again, capture_output=True, text=True, check=False)
        over = time.time()
    print(done.stdout, end="")
    said = done.stderr.strip().splitlines()
    ended = float(done.stdout.rsplit("ended at ", 1)[-1]) if "ended at" in done.stdout else over
    print(f"exit status {done.returncode}, {over - ended:.2f} s after the last line")
    print(f"stderr {said[:3]}")
    if options.journal and options.calls >= ALL:
        with tempfile.TemporaryDirectory() as folder:
            costs(Path(folder))
    return done.returncode or int("lost: 0 of" not in done.stdout)


if __name__ == "__main__":
    sys.exit(main())
