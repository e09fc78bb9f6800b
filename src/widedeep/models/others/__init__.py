"""Which models are had through pydantic-ai, and how is one opened?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from widedeep.errors import MissingExtraError, UsageError
from widedeep.models.others.prefixes import PREFIXES, Prefix

if TYPE_CHECKING:
    import httpx2

    from widedeep.costs import Prices
    from widedeep.seams import Model

__all__ = ["PREFIXES", "Prefix", "open_model"]


def open_model(
    name: str,
    *,
    key: str | None,
    base_url: str | None = None,
    transport: httpx2.AsyncBaseTransport | None = None,
    settings: Mapping[str, Any] | None = None,
    prices: Prices | None = None,
    context: int | None = None,
) -> Model:
    """Return the model `name`, as in `anthropic:claude-sonnet-5`.

    Args:
        name: one of `PREFIXES`, a colon, and the provider's name of the model.
        key: the provider's API key; None where it wants none, as a server of one's own.
        base_url: where the provider is reached, if not where it usually is.
        transport: what carries the requests of openai, anthropic and google, for tests.
        settings: more of pydantic-ai's model settings, as `{"thinking": "high"}`.
        prices: what the model takes for its tokens; None = unknown.
        context: tokens that it takes; None = as pydantic-ai knows it.

    Raises:
        MissingExtraError: the provider's optional packages are not installed.
        UsageError: the name has no known prefix, or there is no key.
    """
    prefix, _, model = name.partition(":")
    if prefix not in PREFIXES or not model:
        known = ", ".join(PREFIXES)
        raise UsageError(f"unknown model {name!r}: give PREFIX:NAME with a prefix of {known}")
    needs = PREFIXES[prefix]
    if key is None and base_url is None and prefix != "bedrock":
        raise UsageError(f"{name!r} needs a key: set {needs.variable}")
    try:
        from widedeep.models.others.clients import build
        from widedeep.models.others.hosted import Hosted

        return Hosted(
            name,
            lambda http: build(prefix, model, key, base_url, http),
            transport=transport,
            key=key,
            settings=settings,
            prices=prices,
            context=context,
        )
    except ImportError as error:
        fix = f"pip install 'widedeep[{needs.extra}]'"
        raise MissingExtraError(f"{needs.label} is not installed: {fix}") from error
