"""Do runs survive being killed? Each case is a run that is killed with SIGKILL and then resumed.

Scheduled points: after the n-th event, commit or reply of the paid server. Random times: drawn
with a seed. A third of the resumed runs is killed again. A server on loopback counts every model
request and call, all of which are paid. Printed: how many runs end with the transcript of the run
that nothing disturbed, what was bought twice, and whether the record tells of it.

    python bench/crash.py [--points 200] [--random 200] [--writes 50] [--late 10]
                          [--seed 1] [--jobs 4] [--slow MS]
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter as Counts
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from crash_check import Cut, Found, interrupted, judge
from crash_child import Job
from crash_counter import Counter
from crash_scripts import SCRIPTS

import widedeep
from widedeep.events import Record
from widedeep.journal import reading

KILLED = -9
POINTS = {"event": "after an event", "reply": "after a reply", "commit": "after a commit"}
RANDOM, WRITES, LATE = "at a random time", "with writes", "with late calls"
READS = ("wide", "odd", "restarting")
AGAIN = 3
"""One resumed run in so many is killed again, and one in so many of these once more."""

SURE = 8
"""Commits that a run has however slow the machine is, which makes them fewer."""


@dataclass(frozen=True, slots=True)
class Case:
    """One run to be killed: `kind` is the row of the table, `first` its first process."""

    kind: str
    first: Job
    seed: int


@dataclass(frozen=True, slots=True)
class Whole:
    """A run that nothing disturbed: its record, how much there was to count, and its seconds."""

    records: Sequence[Record]
    counts: dict[str, int]
    seconds: float


class Forks:
    """A warm process that forks the processes of cases."""

    def __init__(self) -> None:
        script = Path(__file__).with_name("crash_child.py")
        self._process = subprocess.Popen(
            [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, job: Job) -> int:
        """Run a job; return its exit status, negative for the signal that ended it."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(asdict(job)) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self) -> None:
        """End the process, which has no child left."""
        self._process.communicate()


def record(path: str) -> list[Record]:
    """Return the record of the only run in a journal, as far as it goes."""
    file = Path(path)
    runs = reading.runs(file) if file.exists() else []
    return list(reading.read(file, runs[0].run_id)) if runs else []


def undisturbed(script: str, job: Job, place: Place, name: str = "") -> Whole:
    """Run a script to its end, with nothing in its way."""
    path = str(place.folder / f"{name or script}.sqlite")
    job = replace(job, case=f"whole {name or script}", path=path)
    began = time.perf_counter()
    status = place.forks.run(job)
    seconds = time.perf_counter() - began
    assert status == 0, f"the undisturbed run of {script!r} ended with {status}"
    records = record(path)
    counts = {"event": len(records), "reply": len(place.counter.of(job.case)), "commit": SURE}
    return Whole(records, counts, seconds)


def scheduled(count: int, wholes: dict[str, Whole]) -> Iterator[tuple[str, str, int]]:
    """Yield script, point and number: as many as asked for, spread over all that there are."""
    every = [
        (script, point, n)
        for point in ("event", "reply", "commit")
        for script in READS
        for n in range(1, wholes[script].counts[point] + 1)
    ]
    for place in range(count):
        yield (
            every[place * len(every) // count] if count < len(every) else every[place % len(every)]
        )


def cases(options: argparse.Namespace, wholes: dict[str, Whole], job: Job) -> list[Case]:
    """Return the cases that are asked for; all chance in them comes from the seed."""
    drawn = random.Random(options.seed)

    def case(kind: str, **first: Any) -> Case:
        return Case(kind, replace(job, **first), drawn.randrange(2**32))

    def at_random(kind: str, script: str) -> Case:
        return case(kind, script=script, seconds=drawn.uniform(0.0, wholes[script].seconds))

    points = scheduled(options.points, wholes)
    found = [case(POINTS[at], script=script, point=at, count=n) for script, at, n in points]
    found += [at_random(RANDOM, READS[n % len(READS)]) for n in range(options.random)]
    found += [at_random(WRITES, "writing") for _ in range(options.writes)]
    return found + [at_random(LATE, "late") for _ in range(options.late)]


@dataclass(frozen=True, slots=True)
class Place:
    """Where cases are played."""

    forks: Forks
    counter: Counter
    folder: Path


def play(case: Case, name: str, place: Place, whole: Whole) -> Found:
    """Kill the run of a case and resume it to its end; draw again if it ended before."""
    drawn = random.Random(case.seed)
    job = replace(case.first, port=place.counter.port)
    for attempt in range(20):
        tried = f"{name}.{attempt}"
        job = replace(job, case=tried, path=str(place.folder / f"{tried}.sqlite"))
        found = _play(job, drawn, place, whole)
        if found is not None:
            return found
        if job.seconds is not None:
            job = replace(job, seconds=drawn.uniform(0.0, whole.seconds))
    return Found(wrong=["it was never killed"])


def _play(job: Job, drawn: random.Random, place: Place, whole: Whole) -> Found | None:
    """Kill and resume; None when the run ended before it was killed."""
    cuts: list[Cut] = []
    while (status := place.forks.run(job)) == KILLED:
        cuts.append(Cut(job.session, record(job.path)))
        again = drawn.randrange(AGAIN) == 0
        seconds = drawn.uniform(0.0, whole.seconds) if again else None
        job = replace(job, session=job.session + 1, point=None, seconds=seconds)
    if not cuts:
        return None
    if status != 0:
        return Found(wrong=[f"the resumed process ended with {status}"], cuts=len(cuts))
    records = record(job.path)
    # What a write under way came to and which calls are late depends on when the run was killed.
    steady = job.script in READS or (job.script == "writing" and not interrupted(records))
    bought = place.counter.of(job.case)
    found = judge(cuts, records, bought, whole.records if steady else None)
    for end in ("", "-wal", "-shm"):
        Path(f"{job.path}{end}").unlink(missing_ok=True)
    return found


def play_all(jobs: int, todo: list[Case], place: Place, wholes: dict[str, Whole]) -> list[Found]:
    """Play the cases, several at once; return what they came to, in order."""
    every = [place.forks, *(Forks() for _ in range(jobs - 1))]
    free: SimpleQueue[Forks] = SimpleQueue()
    for forks in every:
        free.put(forks)

    def one(at: int, case: Case) -> Found:
        forks = free.get()
        try:
            return play(case, str(at), replace(place, forks=forks), wholes[case.first.script])
        finally:
            free.put(forks)

    with ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(one, range(len(todo)), todo))
    for forks in every:
        forks.close()
    return found


COLUMNS = ("runs", "kills", "same hash", "recorded twice", "requests again", "calls again")
COLUMNS += ("most at once", "unlisted", "interrupted")


def table(todo: list[Case], found: list[Found]) -> Iterator[str]:
    """Yield the lines of the table, one kind of case a line."""
    yield f"| killed | {' | '.join(COLUMNS)} |"
    yield "|---" * (1 + len(COLUMNS)) + "|"
    for kind in dict.fromkeys(case.kind for case in todo):
        rows = [one for case, one in zip(todo, found, strict=True) if case.kind == kind]
        values = (
            len(rows),
            sum(one.cuts for one in rows),
            sum(one.same for one in rows) if kind not in (WRITES, LATE) else "-",
            sum(one.recorded_twice for one in rows),
            sum(one.requests_again for one in rows),
            sum(one.calls_again for one in rows),
            max(one.most_again for one in rows),
            sum(one.unlisted for one in rows),
            sum(one.interrupted for one in rows),
        )
        yield f"| {kind} | {' | '.join(map(str, values))} |"


def wrongs(todo: list[Case], found: list[Found]) -> Iterator[str]:
    """Yield what should not be, each with the case it came of."""
    for case, one in zip(todo, found, strict=True):
        for text in one.wrong:
            first = case.first
            at = f"{first.point} {first.count}" if first.point else f"{first.seconds:.3f} s"
            yield f"{first.script}, killed at {at}: {text}"


def report(options: argparse.Namespace, folder: Path) -> int:
    """Play all cases and print what came of them."""
    began = time.perf_counter()
    with Counter() as counter:
        place = Place(Forks(), counter, folder)
        job = Job("", 0, "", "", counter.port, slow=options.slow / 1000)
        undisturbed("wide", replace(job, script="wide"), place, "warm")
        wholes = {name: undisturbed(name, replace(job, script=name), place) for name in SCRIPTS}
        todo = cases(options, wholes, job)
        found = play_all(options.jobs, todo, place, wholes)
    print(
        f"widedeep {widedeep.__version__}, Python {platform.python_version()}, seed {options.seed}"
    )
    for name, whole in wholes.items():
        events, replies = whole.counts["event"], whole.counts["reply"]
        print(f"  {name}: {events} events, {replies} replies, {whole.seconds:.2f} s undisturbed")
    print("\n".join(table(todo, found)))
    bad = list(wrongs(todo, found))
    for text, count in Counts(bad).most_common(20):
        print(f"WRONG: {text}" + (f" ({count} times)" if count > 1 else ""))
    print(f"{len(bad)} things wrong in {len(todo)} runs, {time.perf_counter() - began:.0f} s")
    return int(bool(bad))


def main() -> int:
    """Read the options and play."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--points", type=int, default=200, help="runs killed at scheduled points")
    parser.add_argument("--random", type=int, default=200, help="runs killed at random times")
    parser.add_argument("--writes", type=int, default=50, help="runs that write")
    parser.add_argument("--late", type=int, default=10, help="runs with late calls")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=4, help="runs at once")
    parser.add_argument("--slow", type=float, default=0.0, help="ms that a commit takes longer")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return report(options, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
