"""What a turn costs through the hosted providers' adapter, in CPU, beside plain pydantic-ai.

A whole agent, no journal, against a loopback server in a process of its own (hosted_server.py): W
calls a turn, each returning 2,000 characters at once, streamed. CPU is this process's alone.

    python bench/models_others.py [--width 8] [--turns 10 100] [--repeat 3]
"""

from __future__ import annotations

import argparse
import asyncio
import platform
import resource
import statistics
import subprocess
import sys
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from pathlib import Path

from widedeep import Agent, Budget, tool
from widedeep.models import others

TEXT = ("A result for a search call, with words enough to look like a snippet of some page. " * 26)[
    :2000
]
PATHS = {"openai": "/v1", "anthropic": "", "google": ""}
"""What follows a server's address in each provider's base URL."""


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def ours(prefix: str, base_url: str, width: int, turns: int) -> None:
    @tool
    async def search(query: str) -> str:
        """Search."""
        return f"{query}: {TEXT}"

    model = others.open_model(f"{prefix}:mock-w{width}-t{turns}", key="k", base_url=base_url)
    agent = Agent(
        model,
        [search],
        schedule=f"constant:{width}!",
        max_width=32,
        budget=Budget(turns=turns + 1),
        text_limit=4000,
    )
    answer = await agent.run("What does the bench ask?")
    assert answer.calls.ok == width * turns, answer


async def plain(prefix: str, base_url: str, width: int, turns: int) -> None:
    """Do the same with pydantic-ai as it comes."""
    from pydantic_ai import Agent as Peer
    from pydantic_ai.models import Model, infer_model
    from pydantic_ai.providers import infer_provider_class
    from pydantic_ai.usage import UsageLimits

    kind = infer_provider_class(prefix)
    provider = kind(api_key="k", base_url=base_url)  # pyright: ignore[reportCallIssue]
    name = f"{prefix}:mock-w{width}-t{turns}"
    model: Model = infer_model(name, provider_factory=lambda _: provider)
    peer = Peer(model)

    @peer.tool_plain
    async def search(query: str) -> str:
        """Search."""
        return f"{query}: {TEXT}"

    async with peer.run_stream(
        "What does the bench ask?", usage_limits=UsageLimits(request_limit=None)
    ) as run:
        assert "done" in await run.get_output()


def measured(run: Callable[..., Awaitable[None]], *given: object, repeat: int) -> float:
    """Return the median of the CPU seconds that a run takes."""
    took: list[float] = []
    for _ in range(repeat):
        began = cpu()
        asyncio.run(run(*given))  # pyright: ignore[reportArgumentType]
        took.append(cpu() - began)
    return statistics.median(took)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--width", type=int, default=8)
    parser.add_argument("--turns", type=int, nargs="+", default=[10, 100])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--providers", nargs="+", default=list(PATHS))
    parser.add_argument("--alone", action="store_true", help="without plain pydantic-ai")
    options = parser.parse_args()
    packages = ", ".join(f"{p} {version(p)}" for p in ("widedeep", "pydantic-ai-slim"))
    print(f"{packages}, Python {platform.python_version()}, {platform.machine()}")
    command = [sys.executable, str(Path(__file__).with_name("hosted_server.py"))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = f"http://127.0.0.1:{server.stdout.readline().strip()}"
        try:
            table(options, address)
        finally:
            server.terminate()


def table(options: argparse.Namespace, address: str) -> None:
    print(
        f"{'provider':10} {'T':>4} {'ours s':>8} {'ms/turn':>8} {'plain s':>8} {'plain/ours':>10}"
    )
    for prefix in options.providers:
        where = (prefix, address + PATHS[prefix], options.width)
        for one in (ours, plain)[: 1 if options.alone else 2]:
            asyncio.run(one(*where, 1))  # imports and first connections are not a turn's
        for turns in options.turns:
            mine = measured(ours, *where, turns, repeat=options.repeat)
            row = f"{prefix:10} {turns:4} {mine:8.2f} {1000 * mine / turns:8.1f}"
            if not options.alone:
                theirs = measured(plain, *where, turns, repeat=options.repeat)
                row += f" {theirs:8.2f} {theirs / mine:10.1f}"
            print(row, flush=True)


if __name__ == "__main__":
    main()
