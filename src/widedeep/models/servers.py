"""Which servers that speak Chat Completions are known by a prefix of their models' names?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

BUILTIN = "builtin"
COMPAT = "compat"


@dataclass(frozen=True, slots=True)
class Known:
    """A kind of server that is known: where it is, what holds its key, which habits it has."""

    url: str
    label: str
    variable: str | None = None
    habits: Mapping[str, Any] = field(default_factory=dict[str, Any])


SERVERS: Mapping[str, Known] = {
    "ollama": Known("http://localhost:11434/v1", "Ollama"),
    "vllm": Known("http://localhost:8000/v1", "vLLM", None, {"returns": ("reasoning",)}),
    "llamacpp": Known("http://localhost:8080/v1", "llama.cpp"),
    "lmstudio": Known("http://localhost:1234/v1", "LM Studio"),
    "openrouter": Known(
        "https://openrouter.ai/api/v1",
        "OpenRouter",
        "OPENROUTER_API_KEY",
        {"returns": ("reasoning", "reasoning_details")},
    ),
    "deepseek": Known(
        "https://api.deepseek.com/v1",
        "DeepSeek",
        "DEEPSEEK_API_KEY",
        {"returns": ("reasoning_content",)},
    ),
    "groq": Known("https://api.groq.com/openai/v1", "Groq", "GROQ_API_KEY"),
    "mistral": Known("https://api.mistral.ai/v1", "Mistral", "MISTRAL_API_KEY"),
    "together": Known("https://api.together.xyz/v1", "Together", "TOGETHER_API_KEY"),
    "fireworks": Known("https://api.fireworks.ai/inference/v1", "Fireworks", "FIREWORKS_API_KEY"),
    "cerebras": Known("https://api.cerebras.ai/v1", "Cerebras", "CEREBRAS_API_KEY"),
}
"""Servers that speak Chat Completions, by the prefix of their models' names."""
