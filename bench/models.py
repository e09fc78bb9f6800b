"""What asking a model behind a server costs: our adapter and whole agent, and peers beside it.

The server is the scripted one of the side-by-side benches (`mock_server.py` and `drive.py` in the
folder of `--peers`, `WIDEDEEP_PEERS` or `../shared/bench`); it needs uvicorn. Every run asks for W
calls in each of T turns; a call sleeps a recorded latency (log-normal, median 0.25 s) and returns
2,000 characters. The ideal is the critical path: for each turn the time to the reply and the
slowest call, streamed from the moment in which its call is whole.

    python bench/models.py [--repeat 5] [--only cpu|long|wall|stream|many] [--peer pyd=PYTHON ...]

A peer (pyd = pydantic-ai, oai = openai-agents, smol = smolagents) runs in the Python given, an
environment of its own in which it is installed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import memory
import overhead

import widedeep
from widedeep import Agent, Budget, SqliteJournal, tool
from widedeep.models.compat import Compat, Server
from widedeep.seams import Journal, ModelInfo

FIRST = 0.2
"""Seconds to the first token where time counts."""


def folder(given: str | None) -> Path:
    """Return where the server and the drivers of the peers are."""
    here = Path(__file__).parent
    named = given or os.environ.get("WIDEDEEP_PEERS") or str(here.parents[1] / "shared" / "bench")
    if not (Path(named) / "mock_server.py").is_file():
        sys.exit(f"no mock_server.py in {named}: name its folder by --peers")
    return Path(named)


@contextmanager
def serving(peers: Path) -> Iterator[int]:
    """Run the scripted server and give its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    command = [sys.executable, str(peers / "mock_server.py"), str(port)]
    with subprocess.Popen(command) as server:
        try:
            _wait_for(server, port)
            yield port
        finally:
            server.terminate()


def _wait_for(server: subprocess.Popen[bytes], port: int) -> None:
    for _ in range(200):
        if server.poll() is not None:
            sys.exit("the scripted server ended at once: is uvicorn installed?")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    sys.exit("the scripted server does not listen")


def ideal(width: int, turns: int, first: float, each: float, run: int, *, streamed: bool) -> float:
    """Return the critical path of a run in seconds."""
    total = first
    for turn in range(turns):
        took = [overhead.latency(run * 977 + turn * width + j, 1.0) for j in range(width)]
        if streamed:
            total += first + max((j + 1) * each + one for j, one in enumerate(took))
        else:
            total += first + width * each + max(took)
    return total


class Asking:
    """Agents that ask the scripted server.

    Args:
        port: where it listens.
        scale: factor on the latencies of calls.
        stream: whether replies are streamed.
    """

    def __init__(self, port: int, scale: float, *, stream: bool) -> None:
        self.server = Server(f"http://127.0.0.1:{port}/v1", stream=stream)
        self.scale = scale

    def agent(
        self,
        width: int,
        turns: int,
        first: float = 0.0,
        each: float = 0.0,
        journal: Journal | None = None,
    ) -> Agent:
        """Return an agent whose model asks for `width` calls in each of the turns."""

        @tool
        async def search(index: int) -> str:
            """Search by index."""
            seconds = overhead.latency(index, self.scale)
            if seconds > 0:
                await asyncio.sleep(seconds)
            return f"[{index}] {overhead.TEXT}"

        name = f"mock-w{width}-t{turns}-f{first}-i{each}"
        return Agent(
            Compat(name, self.server, ModelInfo(name)),
            [search],
            schedule=f"constant:{width}!",
            max_width=32,
            budget=Budget(turns=turns + 1),
            text_limit=4_000,
            journal=journal,
        )

    async def one(
        self, width: int, turns: int, first: float = 0.0, each: float = 0.0, run: int = 0
    ) -> tuple[float, float]:
        """Return wall and CPU seconds of one run."""
        subject = self.agent(width, turns, first, each)
        wall, used = time.perf_counter(), overhead.cpu()
        answer = await subject.run(f"run={run} what?")
        assert answer.calls.ok == width * turns, (answer.calls, answer.notes)
        return time.perf_counter() - wall, overhead.cpu() - used

    async def many(self, count: int, journal: Journal | None) -> tuple[float, float]:
        """Return wall over ideal and CPU milliseconds a call of so many runs at once."""
        width, turns = 8, 10
        subject = self.agent(width, turns, FIRST, journal=journal)
        best = max(ideal(width, turns, FIRST, 0.0, run, streamed=False) for run in range(count))
        wall, used = time.perf_counter(), overhead.cpu()
        await asyncio.gather(*(subject.run(f"run={run} what?") for run in range(count)))
        wall, used = time.perf_counter() - wall, overhead.cpu() - used
        return wall / best, used * 1_000 / (count * width * turns)


def cpu(port: int, repeat: int) -> None:
    """Print the CPU that a turn takes."""
    print("\nCPU ms a turn of the whole agent, journal off: fastest (median)\n")
    print("| W | plain | streamed | a bare turn |\n|---|---|---|---|")
    for width in (1, 3, 8, 32):
        row: list[str] = []
        for stream in (False, True):
            asked = Asking(port, 0.0, stream=stream)
            asyncio.run(asked.one(width, 10))
            took = [asyncio.run(asked.one(width, 10))[1] * 100 for _ in range(repeat * 3)]
            row.append(f"{min(took):.2f} ({statistics.median(took):.2f})")
        bare = [asyncio.run(overhead.empty()) * 100 for _ in range(repeat)]
        print(f"| {width} | {row[0]} | {row[1]} | {min(bare):.3f} |")


def long(port: int, repeat: int) -> None:
    """Print the CPU of a run of 100 turns: each message is encoded once."""
    asked = Asking(port, 0.0, stream=False)
    took = [asyncio.run(asked.one(8, 100))[1] for _ in range(repeat)]
    print(f"\nT=100, W=8: {min(took):.2f} CPU s fastest, {statistics.median(took):.2f} median")


def wall(port: int, repeat: int) -> None:
    """Print wall over ideal."""
    print("\n| W | ideal s | wall/ideal |\n|---|---|---|")
    asked = Asking(port, 1.0, stream=False)
    for width in (8, 32):
        best = ideal(width, 10, FIRST, 0.0, 1, streamed=False)
        took = [asyncio.run(asked.one(width, 10, FIRST, run=1))[0] for _ in range(repeat)]
        print(f"| {width} | {best:.2f} | {statistics.median(took) / best:.4f} |")


def stream(port: int, repeat: int) -> None:
    """Print what starting calls while the reply streams gains."""
    width, turns, first, each = 8, 3, 0.3, 0.4
    asked = Asking(port, 1.0, stream=True)
    took = [asyncio.run(asked.one(width, turns, first, each, run=7))[0] for _ in range(repeat)]
    early = ideal(width, turns, first, each, 7, streamed=True)
    batch = ideal(width, turns, first, each, 7, streamed=False)
    median = statistics.median(took)
    print(f"\nStreamed, 0.4 s a call: {median:.2f} s, {median / early:.4f} of the streamed ideal")
    print(f"{early:.2f} s; {batch:.2f} s is the ideal of starting when the reply is whole")


def many(port: int, count: int, *, journaled: bool) -> None:
    """Print what so many runs at once take; in a process of its own, for its memory."""
    with tempfile.TemporaryDirectory() as place:
        journal = SqliteJournal(Path(place) / "journal.sqlite") if journaled else None
        ratio, each = asyncio.run(Asking(port, 1.0, stream=False).many(count, journal))
        if journal is not None:
            journal.close()
    kept = ", with the journal" if journaled else ""
    print(
        f"\n{count} runs at once{kept}: {ratio:.4f} of ideal, {each:.2f} CPU ms a call, "
        f"{memory.peak():.0f} MB"
    )


def peer(peers: Path, name: str, python: str, port: int) -> None:
    """Print what a peer takes, driven by its own script."""
    for experiment, streamed in (("overhead", "0"), ("overhead", "1"), ("width", "0")):
        environment = {**os.environ, "STREAM": streamed}
        command = [python, str(peers / "drive.py"), name, experiment, str(port)]
        ended = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, cwd=peers
        )
        for line in ended.stdout.splitlines():
            print(_short(json.loads(line)))


def _short(row: dict[str, Any]) -> str:
    names = ("fw", "exp", "stream", "W", "cpu_ms_turn", "cpu_min", "ratio", "wall", "ideal")
    return ", ".join(f"{name} {row[name]}" for name in names if name in row)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--only", choices=["cpu", "long", "wall", "stream", "many", "peer"])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--journal", action="store_true", help="for --only many")
    parser.add_argument("--peers", help="the folder of mock_server.py and drive.py")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=PYTHON")
    parser.add_argument("--port", type=int, help="of a server that runs already")
    told = parser.parse_args()
    if told.port and told.only == "many":
        many(told.port, told.runs, journaled=told.journal)
        return
    peers = folder(told.peers)
    print(f"widedeep {widedeep.__version__}, Python {platform.python_version()}")
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (4_096, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    )
    parts = {"cpu": cpu, "long": long, "wall": wall, "stream": stream}
    with serving(peers) as port:
        for name, part in parts.items():
            if told.only in (None, name):
                part(port, told.repeat)
        if told.only in (None, "many"):
            again = [sys.executable, __file__, "--only", "many", "--port", str(port)]
            sys.stdout.flush()
            for extra in ([], ["--journal"]):
                subprocess.run([*again, "--runs", str(told.runs), *extra], check=True)
        for one in told.peer:
            name, _, python = one.partition("=")
            peer(peers, name, python, port)


if __name__ == "__main__":
    main()
