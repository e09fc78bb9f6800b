"""What can go wrong by wrong use or outside of us, as one tree.

    WidedeepError
    ├── UsageError              wrong use: names the value and the fix (command line: exit status 2)
    │   ├── ScheduleError       a schedule text or number that cannot be
    │   ├── CorpusError         a path without documents, or an index that cannot be read
    │   ├── TaskError           questions that cannot be read, or results of another configuration
    │   └── MissingExtraError   a feature whose optional package is not installed
    ├── ModelError              the model could not be asked, or its reply could not be read
    │   ├── ContextError        the request is more than the model can take
    │   └── TransientError      asking again may help: too many requests, an outage, a cut reply
    └── JournalError            the journal cannot be written or read

A tool's failure is none of these: it is a result that the model reads.
"""


class WidedeepError(Exception):
    """The root of every error that widedeep raises on purpose."""


class UsageError(WidedeepError):
    """Wrong use. The message names the bad value and what to do instead."""


class ScheduleError(UsageError):
    """A schedule that cannot be parsed or would have no width."""


class CorpusError(UsageError):
    """A corpus or an index that cannot be read."""


class TaskError(UsageError):
    """Questions for an evaluation, or its earlier results, that cannot be used."""


class MissingExtraError(UsageError, ImportError):
    """An optional package is missing. The message names the extra to install."""


class ModelError(WidedeepError):
    """The model could not be asked, or its reply could not be read."""


class ContextError(ModelError):
    """The request is more than the model can take; older batches are left out and it is resent."""


class TransientError(ModelError):
    """The model could not be asked just now; asking again may help.

    Args:
        message: what happened.
        wait: seconds that the provider asks to wait; None = it did not say.
        crowded: the provider says that it has too many requests.
        billed: some of a reply had come, for which the provider may charge.
    """

    def __init__(
        self,
        message: str,
        *,
        wait: float | None = None,
        crowded: bool = False,
        billed: bool = False,
    ) -> None:
        super().__init__(message)
        self.wait = wait
        self.crowded = crowded
        self.billed = billed


class JournalError(WidedeepError):
    """The journal cannot be written or read."""
