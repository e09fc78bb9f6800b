"""What is known of a model by its name, without its key: its prices and its context?"""

from __future__ import annotations

from widedeep.costs import Prices
from widedeep.models.prices import LOCAL, context_of, prices_of
from widedeep.models.servers import BUILTIN, COMPAT, SERVERS
from widedeep.settings import Settings


def prices(name: str, settings: Settings) -> Prices | None:
    """Return what a model takes, as the user says or else as is known; None = unknown."""
    provider, model = _looked_up(name, settings)
    own = settings.prices_of(name)
    return prices_of(provider, model, {model: own} if own else None)


def context(name: str, settings: Settings) -> int | None:
    """Return the tokens that a model takes, as the user says or else as is known."""
    said = settings.models.get(name)
    if name == BUILTIN or (said is not None and said.context is not None):
        return said.context if said else None
    return context_of(*_looked_up(name, settings))


def _looked_up(name: str, settings: Settings) -> tuple[str, str]:
    """Return by what a model is looked up: its provider's name or its server's address; its own.

    Servers of the user's own machine are looked up with nobody.
    """
    prefix, _, model = name.partition(":")
    if prefix == COMPAT:
        url, _, model = model.partition("#")
        return url, model
    said = settings.servers.get(prefix)
    known = prefix if prefix in LOCAL or prefix not in SERVERS else SERVERS[prefix].url
    return (prefix if prefix in LOCAL else (said and said.url) or known), model
