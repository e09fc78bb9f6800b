"""One agent that researches a question over many turns, wide and deep."""

from widedeep.agent.agent import Agent
from widedeep.agent.run import Run

__all__ = ["Agent", "Run"]
