"""How do we talk to a server that speaks OpenAI's Chat Completions? Ours, lean, on httpx2."""

from widedeep.models.compat.adapter import Compat
from widedeep.models.compat.server import Server

__all__ = ["Compat", "Server"]
