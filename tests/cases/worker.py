"""A tool for a process of its own: it acts after its deadline unless it is killed."""

import time
from pathlib import Path


def act_late(path: str) -> str:
    """Write a file, later."""
    Path(f"{path}.began").touch()
    time.sleep(3600)
    Path(path).touch()
    return "acted"
