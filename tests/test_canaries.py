"""Do secrets stay out of all that is written, on every way that the bench knows?"""

import os
import subprocess
import sys

import pytest


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each way is gone by a forked process")
def test_no_canary_gets_out():
    command = [sys.executable, "bench/canaries.py", "--show"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "leaked unnamed 276, ways that do not lead anywhere 0, leaked named 0" in done.stdout
