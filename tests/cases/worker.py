"""A tool for a process of its own: it acts after its deadline unless it is killed."""

import time
from pathlib import Path

from widedeep import tool


def act_late(path: str) -> str:
    """Write a file, later."""
    Path(f"{path}.began").touch()
    time.sleep(3600)
    Path(path).touch()
    return "acted"


@tool(process=True)
def halve(number: int) -> str:
    """Halve a number, in a process of its own."""
    return str(number / 2)
