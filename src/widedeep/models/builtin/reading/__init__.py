"""Read prose: rank its sentences for a question, and answer from the best of them."""

from widedeep.models.builtin.reading.passage import passage
from widedeep.models.builtin.reading.reader import Reading, Sighting, accounts, read, resolves

__all__ = ["Reading", "Sighting", "accounts", "passage", "read", "resolves"]
