"""Does a probe tell the truth about a real engine, llama.cpp with a small model?"""

import asyncio

from widedeep.models.compat import Server
from widedeep.models.probe import Probe


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
