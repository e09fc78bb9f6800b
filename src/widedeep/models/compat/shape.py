"""Which JSON may a reply be, so that it is as wide as is wanted and ends in good time?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from widedeep.messages import Json, ToolSpec, Width
from widedeep.models.compat.loose import count, listed, mapping
from widedeep.seams import Request

REASONING = 300
"""Characters of the reasoning of a reply."""

ANSWER = 2_000
"""Characters of an answer: servers take no longer repetition in a grammar."""

LONGEST = 200
"""Characters of a text in a call's arguments, where its tool has no limit."""

ENTRIES = 4
"""Entries of a list in a call's arguments, where its tool has no limit."""

DEEPEST = 12
"""Levels of a schema that are looked into."""

LETTERS = 2.5
"""Characters that a token of the reply has at least, on the whole."""

SHARES = (1.0, 0.6, 0.4, 0.25, 0.15, 0.1)
"""Shares of these lengths, of which the first is taken that fits into the limit of the reply."""

_PLAIN = {"integer": 20, "number": 25, "boolean": 5, "null": 4}


def reply_shape(request: Request) -> dict[str, Any]:
    """Return the JSON Schema of a reply: calls as the width has it, or from turn 2 on an answer.

    Its texts are as long as fits into the limit of the reply.
    """
    shapes = (_shape(request, share) for share in SHARES)
    room = request.max_output * LETTERS
    return next((one for one in shapes if longest(one) <= room), _shape(request, SHARES[-1]))


def _shape(request: Request, share: float) -> dict[str, Any]:
    shapes: list[dict[str, Any]] = []
    reasoning = _text(int(REASONING * share))
    calling = request.choice == "auto" and bool(request.tools)
    if calling:
        least, most = _number(request.width)
        call = {"anyOf": [_call(spec, int(LONGEST * share)) for spec in request.tools]}
        calls = {"type": "array", "minItems": least, "maxItems": most, "items": call}
        shapes.append(_object(reasoning=reasoning, calls=calls))
    if not calling or request.turn > 1:
        answer = {"anyOf": [_text(int(ANSWER * share)), {"type": "null"}]}
        shapes.append(_object(reasoning=reasoning, answer=answer))
    return shapes[0] if len(shapes) == 1 else {"anyOf": shapes}


def longest(shape: object, depth: int = 0) -> int:
    """Return how many characters a JSON text of a shape has at most."""
    one = mapping(shape)
    if "const" in one or "enum" in one:
        return max(len(json.dumps(value)) for value in listed(one.get("enum")) or [one["const"]])
    if choices := listed(one.get("anyOf")) or listed(one.get("oneOf")):
        return max(longest(choice, depth) for choice in choices)
    if depth > DEEPEST:
        return LONGEST
    kind = one.get("type")
    if kinds := listed(kind):
        return max(longest({**one, "type": each}, depth) for each in kinds)
    if kind == "array":
        each = longest(one.get("items"), depth + 1) + 2
        return 2 + (count(one.get("maxItems")) or ENTRIES) * each
    if kind == "object":
        inner = mapping(one.get("properties")).items()
        return 2 + sum(len(name) + 6 + longest(value, depth + 1) for name, value in inner)
    if kind in _PLAIN:
        return _PLAIN[str(kind)]
    return 2 + (count(one.get("maxLength")) or LONGEST)


def _number(width: Width) -> tuple[int, int]:
    """Return how many calls a reply has at least and at most."""
    least = width.target or 1
    return least, max(least, width.cap or least)


def _call(spec: ToolSpec, length: int) -> dict[str, Any]:
    arguments = _bounded(_resolved(spec.schema, mapping(spec.schema.get("$defs")), 0), length)
    return _object(tool={"type": "string", "const": spec.name}, arguments=arguments)


def _object(**properties: Json) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _text(length: int) -> dict[str, Any]:
    return {"type": "string", "maxLength": length}


def _resolved(shape: Any, known: Json, depth: int) -> Any:
    """Return a schema with what it refers to in its place; a shape inside itself ends as any."""
    if isinstance(shape, list):
        return [_resolved(one, known, depth) for one in cast("list[Any]", shape)]
    if not isinstance(shape, Mapping):
        return shape
    one = cast("Mapping[str, Any]", shape)
    if isinstance(name := one.get("$ref"), str):
        if depth > DEEPEST:
            return {}
        return _resolved(known.get(name.rpartition("/")[2], {}), known, depth + 1)
    return {key: _resolved(value, known, depth) for key, value in one.items() if key != "$defs"}


def _bounded(shape: Any, length: int) -> Any:
    """Return a schema in which every text and every list has a greatest length."""
    if isinstance(shape, list):
        return [_bounded(one, length) for one in cast("list[Any]", shape)]
    if not isinstance(shape, Mapping):
        return shape
    one: dict[str, Any] = {
        key: _bounded(value, length) for key, value in mapping(cast("object", shape)).items()
    }
    if "string" in _kinds(one) and not {"enum", "const"} & set(one):
        one["maxLength"] = min(length, count(one.get("maxLength")) or length)
    if "array" in _kinds(one):
        one["maxItems"] = count(one.get("maxItems")) or ENTRIES
    return one


def _kinds(shape: Json) -> list[Any]:
    """Return which types a schema names: one, or several of which each will do."""
    kind: object = shape.get("type")
    return listed(kind) or [kind]
