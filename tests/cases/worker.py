"""A tool for a process of its own: it acts after its deadline unless it is killed."""

import time
from pathlib import Path
from typing import Any

from widedeep import tool


def act_late(path: str) -> str:
    """Write a file, later."""
    Path(f"{path}.began").write_text("begun")
    time.sleep(3600)
    Path(path).touch()
    return "acted"


@tool(process=True)
def halve(number: int) -> str:
    """Halve a number, in a process of its own."""
    return str(number / 2)


class _Stays:
    def __reduce__(self) -> Any:
        return 1  # which no process can be sent


class _MuteError(Exception):
    def __str__(self):
        raise ValueError("even this")


def give_what_stays(number: int) -> object:
    """Return what cannot leave the process."""
    return _Stays()


def raise_mutely(number: int) -> str:
    """Raise what cannot be told."""
    raise _MuteError
