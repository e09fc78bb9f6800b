"""How does a provider refuse a request, and what does every one of them check alike?"""

import json
import re
from typing import Any

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}\Z")

# JSON Schema's words (2020-12: core, applicator, validation, annotations, format), and what the
# word holds: a schema, schemas by name, a list of schemas, or something that is no schema.
HOLDS_SCHEMA = frozenset(
    "additionalProperties items contains not if then else propertyNames unevaluatedItems "
    "unevaluatedProperties contentSchema".split()
)
HOLDS_NAMED = frozenset("properties patternProperties $defs definitions dependentSchemas".split())
HOLDS_LIST = frozenset("allOf anyOf oneOf prefixItems".split())
TYPES = frozenset("object array string number integer boolean null".split())
COUNTS = frozenset("minLength maxLength minItems maxItems minProperties maxProperties".split())


class RefusedError(Exception):
    """A request that the provider refuses; each dialect writes it in its own shape."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 400,
        param: str | None = None,
        code: str | None = None,
        kind: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.param = param
        self.code = code
        self.kind = kind


def refuse(wrong: object, message: str, **more: Any) -> None:
    """Refuse the request when something is wrong."""
    if wrong:
        raise RefusedError(message, **more)


def schema_fault(schema: Any, place: str = "") -> str | None:
    """Return what keeps a value from being a JSON Schema, or None."""
    if isinstance(schema, bool):
        return None
    if not isinstance(schema, dict):
        return f"{json.dumps(schema)} is not of type 'object', 'boolean'{place}"
    return _type_fault(schema, place) or _value_fault(schema, place) or _inner_fault(schema, place)


def _type_fault(schema: dict[str, Any], place: str) -> str | None:
    types = schema.get("type", [])
    for each in types if isinstance(types, list) else [types]:
        if each not in TYPES:
            return f"{each!r} is not valid under any of the given schemas{place}"
    return None


def _value_fault(schema: dict[str, Any], place: str) -> str | None:
    required = schema.get("required", [])
    if not isinstance(required, list) or not all(isinstance(each, str) for each in required):
        return f"{required!r} is not of type 'array'{place}"
    if not isinstance(schema.get("enum", []), list):
        return f"{schema['enum']!r} is not of type 'array'{place}"
    for word in COUNTS & schema.keys():
        if not isinstance(schema[word], int) or schema[word] < 0:
            return f"{schema[word]!r} is not of type 'integer'{place}"
    return None


def _inner_fault(schema: dict[str, Any], place: str) -> str | None:
    for word, value in schema.items():
        inner: list[tuple[str, Any]] = []
        if word in HOLDS_SCHEMA:
            inner = [(word, value)]
        elif word in HOLDS_NAMED:
            if not isinstance(value, dict):
                return f"{value!r} is not of type 'object'{place}"
            inner = [(f"{word}.{name}", each) for name, each in value.items()]
        elif word in HOLDS_LIST:
            if not isinstance(value, list) or not value:
                return f"{value!r} is not of type 'array'{place}"
            inner = [(word, each) for each in value]
        for name, each in inner:
            if fault := schema_fault(each, f"{place} in {name}"):
                return fault
    return None


def json_object(text: Any) -> bool:
    """Tell whether a text is a JSON object."""
    if not isinstance(text, str):
        return False
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False
