"""Which files the tree holds, for the tests that look at the code itself."""

import ast
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src" / "widedeep"
MODULES = sorted(SRC.rglob("*.py"))


def name(path: Path) -> str:
    """Return a module's path within the package, as the tests' tables write it."""
    return path.relative_to(SRC).as_posix()


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def tracked() -> list[Path]:
    """Return the files of the checkout, or of an unpacked source archive."""
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listing.returncode == 0:
        return [ROOT / each for each in listing.stdout.split("\0") if each]
    folders = [ROOT / each for each in ("src", "tests", "bench", "docs")]
    return [path for folder in folders for path in folder.rglob("*") if path.is_file()]
