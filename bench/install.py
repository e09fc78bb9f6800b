"""What does a core install weigh, and what does `widedeep --help` cost? `python bench/install.py`.

Installs this checkout, without extras, into a fresh virtual environment. Goals: at most 70 MB and
at most 0.5 CPU seconds (median of 7).
"""

import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import venv
from importlib.metadata import Distribution, distributions
from pathlib import Path

ROOT = Path(__file__).parents[1]
NOT_OURS = {"pip", "setuptools"}
MEGABYTE = 1_000_000
GOAL_MB, GOAL_SECONDS, RUNS = 70, 0.5, 7


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        python = install(Path(folder))
        [site] = Path(folder).glob("venv/lib/python*/site-packages")
        found = [
            each for each in distributions(path=[str(site)]) if each.name.lower() not in NOT_OURS
        ]
        sizes = sorted((weight(each), f"{each.name} {each.version}") for each in found)[::-1]
        seconds = sorted(cpu_seconds(python.parent / "widedeep") for _ in range(RUNS))
    total = sum(size for size, _ in sizes) / MEGABYTE
    median = statistics.median(seconds)
    print(
        f"{platform.platform()}, {cpu()}, {os.cpu_count()} cores, Python {sys.version.split()[0]}"
    )
    for size, name in sizes:
        print(f"  {size / MEGABYTE:6.1f} MB  {name}")
    print(f"core install: {total:.1f} MB without bytecode (goal: at most {GOAL_MB})")
    print(
        f"widedeep --help: {median:.2f} CPU s, median of {RUNS}, "
        f"{seconds[0]:.2f} to {seconds[-1]:.2f} (goal: at most {GOAL_SECONDS})"
    )
    sys.exit(total > GOAL_MB or median > GOAL_SECONDS)


def install(folder: Path) -> Path:
    """Make a fresh environment with this checkout in it; return its Python."""
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", ROOT]
    plain = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(command, check=True, env=plain)
    return python


def weight(found: Distribution) -> int:
    """Return the bytes of the files that a distribution brought, without bytecode."""
    files = [Path(str(file.locate())) for file in found.files or []]
    return sum(file.stat().st_size for file in files if file.is_file() and file.suffix != ".pyc")


def cpu_seconds(command: Path) -> float:
    """Return user and system time of one `--help` in a process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([command, "--help"], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def cpu() -> str:
    """Return the processor's name, where Linux tells it."""
    try:
        rows = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = [row.partition(":")[2].strip() for row in rows if row.startswith("model name")]
    return names[0] if names else platform.machine()


if __name__ == "__main__":
    main()
