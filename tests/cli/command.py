"""The command under test: in this process, or as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from widedeep.cli import main

WIDEDEEP = str(Path(sys.executable).with_name("widedeep"))

FACTS = {
    "ecuador.md": "# Ecuador\n\nThe capital of Ecuador is Quito.\n\nPopulation: 18,000,000.\n",
    "peru.txt": "Peru\n\nThe capital of Peru is Lima. Peru has 34,000,000 inhabitants.\n",
    "chile.html": "<title>Chile</title><p>The capital of Chile is Santiago.</p>",
}


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True, slots=True)
class Command:
    """`widedeep` in this process, on a store of its own."""

    captured: pytest.CaptureFixture[str]

    def __call__(self, *arguments: str) -> Ended:
        self.captured.readouterr()
        status = main(arguments)
        out, err = self.captured.readouterr()
        return Ended(status, out, err)


def environment(store: Path, **more: str) -> dict[str, str]:
    """Return the environment of a process that is to use a store."""
    return {**os.environ, "WIDEDEEP_STORE": str(store), **more}


def process(*arguments: str, store: Path, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run `widedeep` as a process of its own, with its streams in pipes."""
    return subprocess.run(
        [WIDEDEEP, *arguments],
        capture_output=True,
        env=options.pop("env", environment(store)),
        timeout=60,
        check=False,
        **options,
    )
