"""What has a user said of a server, or of one model there?

[servers.work]                          # --model work:NAME
url = "https://llm.example.org/v1"
key = "WORK_API_KEY"                    # the variable that holds it, or a name in [secrets]

[models."ollama:qwen3"]                 # what `widedeep models probe` finds out
calls_in_text = true
context = 32768
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from widedeep.errors import UsageError
from widedeep.settings.places import short

WidthMode = Literal["auto", "hint", "schema"]
"""How a model keeps a width; see `widedeep.models.compat.Server`."""


class ServerOptions(BaseModel):
    """What is said of a server, or of a model there; None = nothing.

    `key` names the variable or the secret that holds the API key; `context` is in tokens; the
    others are habits of the server (`widedeep.models.compat.Server`).
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    url: str | None = None
    key: str | None = None
    context: int | None = Field(default=None, ge=1)
    width_mode: WidthMode | None = None
    tool_calls: bool | None = None
    stream: bool | None = None
    usage: bool | None = None
    parallel_switch: bool | None = None
    choice_none: bool | None = None
    limit_field: Literal["max_tokens", "max_completion_tokens"] | None = None
    calls_in_text: bool | None = None
    alternates: bool | None = None
    returns: list[str] | None = None
    body: dict[str, Any] | None = None

    @field_validator("body")
    @classmethod
    def _is_json(cls, body: dict[str, Any] | None) -> dict[str, Any] | None:
        try:
            json.dumps(body, allow_nan=False)
        except (TypeError, ValueError):
            raise ValueError("JSON: texts, finite numbers, lists and tables") from None
        return body


def said(made: ServerOptions) -> dict[str, Any]:
    """Return what is said, by name."""
    return made.model_dump(exclude_none=True)


def options(section: str, table: object, origin: str) -> dict[str, ServerOptions]:
    """Return the tables of `[servers]` or `[models]` by name.

    Raises:
        UsageError: something there cannot be; the message names it and what can.
    """
    if not isinstance(table, Mapping):
        raise UsageError(f'{origin}: {section} must be tables, such as [{section}."NAME"]')
    return {
        name: _options(f"{section}.{name}", value, origin)
        for name, value in cast("Mapping[str, object]", table).items()
    }


def _options(name: str, value: object, origin: str) -> ServerOptions:
    if not isinstance(value, Mapping):
        raise UsageError(f"{origin}: {name} = {short.repr(value)} must be a table, [{name}]")
    try:
        return ServerOptions.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        if first["type"] == "extra_forbidden":
            known = ", ".join(ServerOptions.model_fields)
            raise UsageError(f"{origin}: unknown key {key!r} in {name}; known: {known}") from None
        said = first["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
        value = short.repr(first["input"])
        raise UsageError(f"{origin}: {name}: {key} = {value} must be {said}") from None
