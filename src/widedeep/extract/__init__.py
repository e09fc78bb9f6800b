"""Which text do these bytes hold? Decided by the content, not by a name."""

from widedeep.extract.content import MAX_BYTES, Extracted, Unreadable, extract

__all__ = ["MAX_BYTES", "Extracted", "Unreadable", "extract"]
