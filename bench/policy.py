"""What does width buy the built-in policy on real multi-hop questions?

    python -m bench.policy [--sets musique100 ...] [--arms constant:3! ...] [--turns 3 6]
        [--limit 20] [--gold-out] [--lower] [--blank-titles] [--polite] [--trailing] [--show]

Whole corpus, BM25, at most 5 passages a call, 60 documents a question (then the run must answer),
250 quoted words. `found`: all gold documents are among those met; `base`: that one BM25 search
with the question finds them in as many documents. ev3, ev10: a right answer stands in the best 3
or 10 quoted sentences, of the questions that are not yes or no (`strict`: of all). F1 and EM are
those of the short answer; `open` questions do not hold their answer and are not yes or no. Means
are those of the sets, each weighing as much; brackets hold 95 % bootstrap intervals.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.arms import FIXED, TURNS, Measured, circumstances, merged, planned
from bench.policy_runs import Change, World, worlds
from bench.policy_table import show

from widedeep.evals.runner import Arm, run

ROOT = Path(__file__).resolve().parent.parent
SETS = ("musique100", "2wikimultihopqa", "hotpotqa100")
POLITE = "Could you please tell me: "
TRAILING = " Please answer briefly and name your sources."


def main() -> None:
    options = _options()
    change = Change(
        gold_out=options.gold_out,
        blank_titles=options.blank_titles,
        lower=options.lower,
        prefix=options.polite or "",
        suffix=options.trailing or "",
    )
    began = time.perf_counter()
    opened = worlds(options.data, options.sets, change, options.limit, options.seed)
    arms = planned(options.arms, options.turns)
    asyncio.run(_run(opened, arms, options.at_once))
    arms = merged(arms)
    print(f"{change}\n")
    show(opened, arms, every=options.show)
    print(circumstances(options.seed, time.perf_counter() - began))
    if options.json:
        rows = [{"arm": a.name, "results": _rows(a)} for a in arms]
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    data = os.environ.get("WIDEDEEP_DATA") or ROOT.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(data))
    parser.add_argument("--sets", nargs="+", default=list(SETS), help="names, or BEIR folders")
    parser.add_argument("--arms", nargs="+", default=[*FIXED, "adaptive"])
    parser.add_argument("--turns", nargs="+", type=int, default=list(TURNS))
    parser.add_argument("--limit", type=int, help="questions of each set, drawn by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=100, help="runs at the same time")
    parser.add_argument("--gold-out", action="store_true", help="leave gold documents out")
    parser.add_argument("--blank-titles", action="store_true")
    parser.add_argument("--lower", action="store_true", help="ask in lower case")
    parser.add_argument("--polite", nargs="?", const=POLITE, help="words before the question")
    parser.add_argument("--trailing", nargs="?", const=TRAILING, help="words after it")
    parser.add_argument("--show", action="store_true", help="print every question of every arm")
    parser.add_argument("--json", type=Path, help="write every result to a file")
    return parser.parse_args()


async def _run(opened: Sequence[World], arms: Sequence[Measured], at_once: int) -> None:
    for world in opened:
        for arm in arms:
            cpu = arm.cpu.setdefault(world.name, {})
            ask = world.ask(arm.schedule, arm.turns, cpu)
            made = await run(world.task, [Arm(arm.names[0], ask)], at_once=at_once)
            rows = arm.results[world.name] = made[arm.names[0]]
            both = zip(world.task.samples, rows, strict=True)
            arm.base[world.name] = [world.base(s, row.documents) for s, row in both if s.gold]


def _rows(arm: Measured) -> list[dict[str, object]]:
    return [{"set": name, **asdict(row)} for name, rows in arm.results.items() for row in rows]


if __name__ == "__main__":
    main()
