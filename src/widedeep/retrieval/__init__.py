"""Find passages in a corpus of files."""

from widedeep.retrieval.documents import Document, Skipped
from widedeep.retrieval.index import Index, open_index, write_index

__all__ = ["Document", "Index", "Skipped", "open_index", "write_index"]
