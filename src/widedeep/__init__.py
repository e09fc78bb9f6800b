"""widedeep: a deep research agent with really parallel tool calls."""

__version__ = "0.1.0"
