"""Do the vendors' own types take a request? They judge the fakes too, not only their author."""

import importlib
import importlib.util
import types
import typing
from collections.abc import Iterable
from functools import cache
from typing import Any

import typing_extensions
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from tests.fakes.providers.refusing import RefusedError
from tests.fakes.providers.script import Json, dumped

PARAMS = {
    "openai.chat": ("openai.types.chat.completion_create_params", "CompletionCreateParams"),
    "openai.responses": ("openai.types.responses.response_create_params", "ResponseCreateParams"),
    "anthropic": ("anthropic.types.message_create_params", "MessageCreateParams"),
}


def has(package: str) -> bool:
    """Tell whether an SDK is installed, by its import name."""
    parent, _, _child = package.rpartition(".")
    return (not parent or has(parent)) and importlib.util.find_spec(package) is not None


def check(sdk: str, body: Any) -> None:
    """Refuse what the types of a vendor's SDK do not have; do nothing where it is missing."""
    if not has(sdk.split(".", maxsplit=1)[0]):
        return
    try:
        _adapter(sdk).validate_python(body)
    except ValidationError as error:
        raise RefusedError(f"The types of the SDK do not have this request: {error}") from error


def check_gemini(body: Json) -> None:
    """Refuse what the types of Google's SDK do not have."""
    if not has("google.genai"):
        return
    types = importlib.import_module("google.genai.types")
    known = {
        "contents": list[types.Content],
        "tools": list[types.Tool],
        "toolConfig": types.ToolConfig,
        "systemInstruction": types.Content,
        "generationConfig": types.GenerationConfig,
        "safetySettings": list[types.SafetySetting],
    }
    for name in known.keys() & body.keys():
        try:
            TypeAdapter(known[name]).validate_json(dumped(body[name]))
        except ValidationError as error:
            raise RefusedError(f"The types of the SDK do not have {name}: {error}") from error


@cache
def _adapter(sdk: str) -> TypeAdapter[Any]:
    module, name = PARAMS[sdk]
    return TypeAdapter(exact(getattr(importlib.import_module(module), name), {}))


def exact(kind: Any, known: dict[Any, Any]) -> Any:
    """Return a type that is checked to the end: no lazy iterables, no unknown keys."""
    if isinstance(kind, type) and typing_extensions.is_typeddict(kind):
        return _exact_dict(kind, known)
    origin = typing.get_origin(kind)
    if origin is typing.IO:
        return bytes  # a file to upload: nothing that JSON holds
    if origin is None or origin is typing.Literal or origin is typing_extensions.Literal:
        return kind
    given = [each for each in typing.get_args(kind) if not _is_model(each)]
    arguments = tuple(exact(each, known) for each in given)
    if origin is typing.Annotated:
        return arguments[0]
    if origin in (Iterable, typing.Iterable):
        return list[arguments]
    if origin in (typing.Union, types.UnionType):
        return typing.Union[arguments]  # noqa: UP007 - the members are not known before
    if origin in (typing_extensions.Required, typing_extensions.NotRequired):
        return arguments[0]
    return origin[arguments]


def _is_model(kind: Any) -> bool:
    """Tell whether a type is one of replies, which callers may hand back: it takes any key."""
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _exact_dict(kind: Any, known: dict[Any, Any]) -> Any:
    if kind in known:
        return known[kind]
    name = f"{kind.__name__}_{len(known)}"
    known[kind] = typing.ForwardRef(name)
    hints = typing_extensions.get_type_hints(kind)
    fields = {
        field: typing_extensions.Required[exact(hint, known)]
        if field in kind.__required_keys__
        else typing_extensions.NotRequired[exact(hint, known)]
        for field, hint in hints.items()
    }
    made: Any = typing_extensions.TypedDict(name, fields)
    made.__pydantic_config__ = ConfigDict(extra="forbid", strict=True)
    known[kind] = made
    return made
