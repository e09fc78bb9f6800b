"""When may the model be asked? When the journal holds that it is, and all that came before."""

from __future__ import annotations

from collections.abc import Callable

from widedeep.messages import Reply
from widedeep.seams import Delta, Journal, Model, ModelInfo, Request


class Noted:
    """A model that is asked when what was appended to the journal is safe on disk.

    So a crash costs at most this request and the calls of one turn, however slow the disk is. A
    model that is free needs no such care: what is lost of it costs nothing.
    """

    def __init__(self, model: Model, journal: Journal) -> None:
        self._model = model
        self._journal = journal

    @property
    def info(self) -> ModelInfo:
        """What is known of the model."""
        return self._model.info

    async def reply(self, request: Request, on: Callable[[Delta], None]) -> Reply:
        """Answer one request.

        Raises:
            JournalError: the journal cannot be written.
            ModelError: no reply could be had.
        """
        await self._journal.flush()
        return await self._model.reply(request, on)
