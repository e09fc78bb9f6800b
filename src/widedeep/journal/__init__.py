"""The append-only record of runs."""

from widedeep.journal.codec import decode, encode
from widedeep.journal.memory import MemoryJournal, Unkept
from widedeep.journal.reading import RunSummary
from widedeep.journal.redaction import RedactedJournal, Redactor
from widedeep.journal.sqlite import SqliteJournal
from widedeep.journal.transcript import delimiter_of, message_of, transcript_hash

__all__ = [
    "MemoryJournal",
    "RedactedJournal",
    "Redactor",
    "RunSummary",
    "SqliteJournal",
    "Unkept",
    "decode",
    "delimiter_of",
    "encode",
    "message_of",
    "transcript_hash",
]
