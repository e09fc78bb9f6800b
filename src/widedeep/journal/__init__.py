"""Where the record of a run is kept, and how."""

from widedeep.journal.codec import decode, encode
from widedeep.journal.memory import MemoryJournal, Unkept
from widedeep.journal.reading import RunSummary
from widedeep.journal.sqlite import SqliteJournal

__all__ = ["MemoryJournal", "RunSummary", "SqliteJournal", "Unkept", "decode", "encode"]
