"""How are a provider's SDK and pydantic-ai's model on it made, lean and without retries?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from widedeep.errors import UsageError
from widedeep.models.certificates import tls
from widedeep.models.others.wire import READ, taken

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

    Build = Callable[[str, str | None, str | None, httpx2.AsyncClient], Model[Any]]

PLACEHOLDER = [{"role": "user", "parts": [{"text": ""}]}]


def build(
    prefix: str,
    name: str,
    key: str | None,
    base_url: str | None,
    http: httpx2.AsyncClient,
) -> Model[Any]:
    """Return pydantic-ai's model `name` of a provider.

    Raises:
        ImportError: the provider's packages are not installed.
        UsageError: the provider does not take one of the arguments.
    """
    own: Mapping[str, Build] = {"openai": _openai, "anthropic": _anthropic, "google": _google}
    if prefix in own:
        return own[prefix](name, key, base_url, http)
    return _plain(prefix, name, key, base_url)


def _openai(
    name: str, key: str | None, base_url: str | None, http: httpx2.AsyncClient
) -> Model[Any]:
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    sdk = AsyncOpenAI(
        api_key=key or "none",
        base_url=base_url or "https://api.openai.com/v1",
        max_retries=0,
        http_client=http,
    )
    sdk.organization = sdk.project = None
    _hand_over(sdk.responses, "input")
    return OpenAIResponsesModel(name, provider=OpenAIProvider(openai_client=sdk))


def _anthropic(
    name: str, key: str | None, base_url: str | None, http: httpx2.AsyncClient
) -> Model[Any]:
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    sdk = AsyncAnthropic(
        api_key=key or "none",
        base_url=base_url or "https://api.anthropic.com",
        max_retries=0,
        http_client=http,
    )
    sdk.auth_token = None
    _hand_over(sdk.beta.messages, "messages")
    return AnthropicModel(name, provider=AnthropicProvider(anthropic_client=sdk))


def _google(
    name: str, key: str | None, base_url: str | None, http: httpx2.AsyncClient
) -> Model[Any]:
    from google.genai.client import Client
    from google.genai.types import HttpOptions
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    options = HttpOptions(
        base_url=base_url or "https://generativelanguage.googleapis.com",
        httpx_async_client=http,
        client_args={"verify": tls()},
        timeout=int(1000 * READ),
    )
    sdk = Client(vertexai=False, api_key=key or "none", http_options=options)
    _hand_over_contents(sdk.aio.models)
    return GoogleModel(name, provider=GoogleProvider(client=sdk))


def _plain(
    prefix: str,
    name: str,
    key: str | None,
    base_url: str | None,
) -> Model[Any]:
    from pydantic_ai.models import infer_model
    from pydantic_ai.providers import infer_provider_class

    given = {"api_key": key, "base_url": base_url}
    kind: Callable[..., Any] = infer_provider_class(prefix)
    try:
        provider = kind(**{name: value for name, value in given.items() if value is not None})
    except TypeError as error:
        raise UsageError(f"{prefix}: does not take this: {error}") from error
    return infer_model(f"{prefix}:{name}", provider_factory=lambda _: provider)


def _hand_over(resource: Any, field: str) -> None:
    """Have an SDK's `create` send the mark in the place of the history, which is taken."""
    create = resource.create

    async def marked(**given: Any) -> Any:
        return await create(**{**given, field: taken(given[field])})

    resource.create = marked


def _hand_over_contents(models: Any) -> None:
    """Do the same with Google's SDK, which reads contents but leaves `extra_body` as it is."""
    stream = models.generate_content_stream

    async def marked(*, model: str, contents: list[Any], config: dict[str, Any]) -> Any:
        options: dict[str, Any] = config.get("http_options") or {}
        options = {**options, "extra_body": {"contents": taken(contents)}}
        config = {**config, "http_options": options}
        return await stream(model=model, contents=PLACEHOLDER, config=config)

    models.generate_content_stream = marked
