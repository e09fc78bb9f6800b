"""A clock that jumps: tests of deadlines take no time and depend on none."""

from widedeep.agent.virtual import VirtualLoop, run

__all__ = ["VirtualLoop", "run"]
