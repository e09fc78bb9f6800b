"""What holds of a run when nobody says otherwise?"""

MAX_TURNS = 30
"""Turns that may call tools."""

MAX_WIDTH = 8
"""The largest target of a schedule."""

TURN_DEADLINE = 90.0
"""Seconds that the calls of a turn may take."""

MAX_OUTPUT = 8192
"""Tokens of one reply."""

MODEL_DEADLINE = 300.0
"""Seconds that a model request may take, with all its attempts."""
