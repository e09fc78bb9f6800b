"""How much memory has this process used at most?"""

from __future__ import annotations

import resource
import sys

UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in which the system counts."""


def peak() -> float:
    """Return the most memory that this process has held at once, in MB of 2**20 bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * UNIT / 2**20
