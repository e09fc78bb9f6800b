"""Benches that count faults run small in the tests; those that take times do not."""

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize("options", [[], ["--journal"]])
def test_no_good_result_is_lost(options):
    command = [sys.executable, "bench/faults.py", "--calls", "240", *options]
    patient = os.environ | {"DEADLINE": "3"}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, env=patient
    )
    assert done.returncode == 0, done.stderr
    assert "answered once 240, out of order 0" in done.stdout
    assert "good results lost: 0 of" in done.stdout
    assert done.stdout.rstrip().endswith("stderr []")
