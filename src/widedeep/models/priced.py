"""How does a model get the prices that its provider does not tell?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from widedeep.costs import Prices
from widedeep.messages import Reply
from widedeep.seams import Delta, Model, ModelInfo, Request


class Priced:
    """A model with prices, in USD per million tokens, where it knows none itself."""

    def __init__(self, model: Model, prices: Prices) -> None:
        self._model = model
        self._prices = prices

    @property
    def info(self) -> ModelInfo:
        """What is known of the model; one that is free or knows its prices keeps them."""
        info = self._model.info
        known = info.free or info.prices is not None
        return info if known else replace(info, prices=self._prices)

    async def reply(self, request: Request, on: Callable[[Delta], None]) -> Reply:
        """Answer one request.

        Raises:
            ModelError: no reply could be had.
        """
        return await self._model.reply(request, on)


def priced(model: Model, prices: Prices | None) -> Model:
    """Return a model with these prices, if they are known."""
    return model if prices is None else Priced(model, prices)
