"""Which words do OpenAI's two dialects share?"""

from typing import Any

from tests.fakes.providers.refusing import RefusedError, refuse, schema_fault
from tests.fakes.providers.script import Asked, Json


def authorize(asked: Asked, key: str) -> None:
    """Refuse a request without the key."""
    given = asked.headers.get("authorization", "")
    refuse(
        not given,
        "You didn't provide an API key. You need to provide your API key in an Authorization "
        "header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
        status=401,
    )
    refuse(
        given != f"Bearer {key}",
        f"Incorrect API key provided: {given.removeprefix('Bearer ')}. You can find your API "
        "key at https://platform.openai.com/account/api-keys.",
        status=401,
        code="invalid_api_key",
    )


def error(refused: RefusedError) -> Any:
    """Return the JSON body of an error."""
    kinds = {429: "requests", 500: "server_error", 503: "server_error"}
    codes = {429: "rate_limit_exceeded"}
    return {
        "error": {
            "message": refused.message,
            "type": refused.kind or kinds.get(refused.status, "invalid_request_error"),
            "param": refused.param,
            "code": refused.code or codes.get(refused.status),
        }
    }


def check_array(holder: Json, name: str, param: str) -> None:
    """Refuse what is there but is no array, or an empty one."""
    if name not in holder:
        return
    value = holder[name]
    wrong = f"Invalid type for '{param}': expected an array of objects, but got "
    refuse(not isinstance(value, list), f"{wrong}{value!r} instead.", param=param)
    refuse(
        not value,
        f"Invalid '{param}': empty array. Expected an array with minimum length 1, but got an "
        "empty array instead.",
        param=param,
        code="empty_array",
    )


def check_schema(name: str, schema: Any, param: str) -> None:
    kind = schema.get("type") if isinstance(schema, dict) else None
    fault = schema_fault(schema) or (
        kind != "object"
        and f"schema must be a JSON Schema of 'type: \"object\"', got 'type: \"{kind}\"'."
    )
    refuse(
        fault,
        f"Invalid schema for function '{name}': {fault}",
        param=f"{param}.function.parameters",
        code="invalid_function_parameters",
    )
