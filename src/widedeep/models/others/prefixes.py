"""Which providers are reached through pydantic-ai, and what does each need?"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Prefix(NamedTuple):
    """What a prefix of a model's name stands for.

    `extra`: the optional packages to install; `variable`: the environment variable that usually
    holds the key; `label`: the provider's name for people.
    """

    extra: str
    variable: str
    label: str


PREFIXES: Mapping[str, Prefix] = MappingProxyType(
    {
        "openai": Prefix("openai", "OPENAI_API_KEY", "OpenAI (Responses API)"),
        "anthropic": Prefix("anthropic", "ANTHROPIC_API_KEY", "Anthropic"),
        "google": Prefix("google", "GOOGLE_API_KEY", "Google (Gemini API)"),
        "bedrock": Prefix("bedrock", "AWS_BEARER_TOKEN_BEDROCK", "Amazon Bedrock"),
        "xai": Prefix("xai", "XAI_API_KEY", "xAI"),
    }
)
"""Every prefix that `open_model` knows."""
