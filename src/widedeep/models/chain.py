"""Which model answers when one cannot? The next of a chain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from widedeep.costs import dearest
from widedeep.errors import ContextError, ModelError, UsageError
from widedeep.messages import Assistant, Message, Reply
from widedeep.models.heard import Heard
from widedeep.seams import Delta, Model, ModelInfo, Request

MOST_KEPT = 4_096
"""Messages that are kept as another model may see them."""


class Chain:
    """Models of which the next one takes over when one fails for good.

    For good is every `ModelError` but `ContextError`, which a shorter request mends; a
    `TransientError` comes here after its retries, so wrap each model in `Patient`. Who has taken
    over answers the rest of the run: a run that went back and forth would pay for the retries of
    each turn and find no cache. It is read off the history, whose replies name their model, so it
    holds after a resume too. A new run begins with the first model again. A model that fails later
    is followed by the next, after the last by the first; each is asked once for a request.

    What a model sent to have it sent back unchanged (`Reply.provider`) is for that model alone:
    the others see its text and its calls.

    Args:
        models: the chain, the one that is preferred first.

    Raises:
        UsageError: there is no model, or two have one name.
    """

    def __init__(self, models: Sequence[Model]) -> None:
        self._models = tuple(models)
        self._names = tuple(model.info.name for model in self._models)
        if not self._models:
            raise UsageError("the chain has no model: pass at least one")
        for name in self._names:
            if self._names.count(name) > 1:
                raise UsageError(f"two models of the chain are named {name!r}: pass each once")
        self._bare: dict[int, tuple[Assistant, Assistant]] = {}

    @property
    def info(self) -> ModelInfo:
        """What holds of whichever model answers: the smallest context, the dearest prices."""
        infos = tuple(model.info for model in self._models)
        contexts = [info.context for info in infos if info.context is not None]
        prices = [info.prices for info in infos if info.prices is not None]
        unknown = any(info.prices is None and not info.free for info in infos)
        return ModelInfo(
            name=" > ".join(self._names),
            context=min(contexts, default=None),
            free=all(info.free for info in infos),
            keeps_ledger=all(info.keeps_ledger for info in infos),
            notes=all(info.notes for info in infos),
            prices=dearest(prices) if prices and not unknown else None,
            members=infos,
        )

    async def reply(self, request: Request, on: Callable[[Delta], None]) -> Reply:
        """Answer one request; the reply names the model that did.

        Raises:
            ContextError: the request is too long for the model whose turn it is.
            ModelError: none of them could reply.
        """
        heard = Heard(on)
        failures: list[str] = []
        last: ModelError | None = None
        first = self._whose_turn(request.history)
        for at in (*range(first, len(self._models)), *range(first)):
            name = self._names[at]
            if last is not None:
                heard.restart(f"{failures[-1]}; {name} takes over", last)
            try:
                reply = await self._models[at].reply(self._seen_by(at, request), heard)
            except ContextError:
                raise
            except ModelError as error:
                if heard.objected or len(self._models) == 1:
                    raise
                failures.append(f"{name} failed: {error}")
                last = error
            else:
                return replace(reply, model=name)
        raise ModelError("; ".join(failures))

    def _whose_turn(self, history: Sequence[Message]) -> int:
        """Return the place of the model that wrote the last reply; without one the first."""
        for message in reversed(history):
            if isinstance(message, Assistant):
                return self._names.index(message.model) if message.model in self._names else 0
        return 0

    def _seen_by(self, at: int, request: Request) -> Request:
        """Return the request without what other models alone may be sent back."""
        mine = {self._names[at], None} if at == 0 else {self._names[at]}
        history = [
            message
            if not isinstance(message, Assistant) or not message.provider or message.model in mine
            else self._without(message)
            for message in request.history
        ]
        same = all(new is old for new, old in zip(history, request.history, strict=True))
        return request if same else replace(request, history=history)

    def _without(self, message: Assistant) -> Assistant:
        """Return a reply without its provider's part; the same object each time, as it is cached.

        An adapter encodes a message once and knows it again by its identity.
        """
        kept = self._bare.get(id(message))
        if kept is None:
            if len(self._bare) >= MOST_KEPT:
                self._bare.clear()
            kept = self._bare[id(message)] = (message, replace(message, provider=None))
        return kept[1]
