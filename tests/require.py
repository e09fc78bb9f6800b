"""What a test needs of the machine: a missing part skips it, or fails it under WIDEDEEP_REQUIRE=1.

Call these in a test or a fixture:

    need(sys.platform == "linux", "a Linux kernel")
    chromium = command("chromium")
"""

import importlib.util
import os
import shutil

import pytest


def need(there: bool, what: str) -> None:
    """Go on when `there`; otherwise skip the test, or fail it where nothing may be missing."""
    if there:
        return
    reason = f"this machine has no {what}"
    if os.environ.get("WIDEDEEP_REQUIRE") == "1":
        pytest.fail(f"{reason}, and WIDEDEEP_REQUIRE=1 says that it must (make system)")
    pytest.skip(reason)


def command(name: str) -> str:
    """Return the path of a command that the test needs."""
    path = shutil.which(name)
    need(path is not None, f"command {name!r}")
    return path or ""


def package(name: str) -> None:
    """Need an importable package, by its import name."""
    need(importlib.util.find_spec(name) is not None, f"package {name!r}")
