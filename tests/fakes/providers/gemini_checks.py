"""Which generateContent requests are refused, and in which words?"""

import base64
import re
from collections import Counter
from typing import Any

from tests.fakes.providers.refusing import refuse, schema_fault
from tests.fakes.providers.script import Json

PARAMETERS = frozenset(
    """contents tools toolConfig safetySettings systemInstruction generationConfig cachedContent
    labels serviceTier store""".split()
)
# What a `parameters` schema may hold; anything else belongs into `parametersJsonSchema`.
SCHEMA = frozenset(
    """type format title description nullable enum maxItems minItems properties required
    minProperties maxProperties minLength maxLength pattern example anyOf propertyOrdering default
    items minimum maximum""".split()
)
TYPES = {"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"}
DATA = (
    "text inlineData fileData functionCall functionResponse executableCode codeExecutionResult"
).split()
NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}\Z")
# What the documentation gives for turns that another model wrote.
UNSIGNED = ("skip_thought_signature_validator", "context_engineering_is_the_way_to_go")
DUMMIES = {*UNSIGNED, *(base64.b64encode(each.encode()).decode() for each in UNSIGNED)}
REQUEST = "* GenerateContentRequest"


def check(body: Any, signed: dict[str, list[Json]], *, signs: bool) -> None:
    """Refuse what the real API refuses; `signed`: the calls of the turn that a signature is of."""
    refuse(not isinstance(body, dict), "Invalid JSON payload received.")
    for name in body.keys() - PARAMETERS:
        unknown = f'Invalid JSON payload received. Unknown name "{name}": Cannot find field.'
        refuse(name, unknown)
    contents = body.get("contents")
    refuse(not contents, f"{REQUEST}.contents: contents is not specified")
    _check_choice(body, _tool_names(body))
    for place, content in enumerate(contents):
        _check_content(f"contents[{place}]", content)
    _check_turns(contents)
    for place, content in enumerate(contents):
        _check_signatures(place, content, signed, signs=signs)


def _tool_names(body: Json) -> list[str]:
    names: list[str] = []
    for place, tool in enumerate(body.get("tools", ())):
        for at, declared in enumerate(tool.get("functionDeclarations", ())):
            where = f"tools[{place}].function_declarations[{at}]"
            name = declared.get("name")
            refuse(
                not isinstance(name, str) or not NAME.match(name),
                f"{REQUEST}.{where}.name: Invalid function name. Must start with a letter or an "
                "underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), "
                "colons (:), or dashes (-), with a maximum length of 128.",
            )
            refuse(name in names, f"Duplicate function declaration found: {name}")
            names.append(name)
            _check_declared(where, declared)
    return names


def _check_declared(where: str, declared: Json) -> None:
    both = declared.keys() >= {"parameters", "parametersJsonSchema"}
    refuse(both, f"{where}: parameters and parameters_json_schema are mutually exclusive.")
    if "parameters" in declared:
        _check_schema(f"{where}.parameters", declared["parameters"])
    if "parametersJsonSchema" in declared:
        fault = schema_fault(declared["parametersJsonSchema"])
        refuse(fault, f"{REQUEST}.{where}.parameters_json_schema: {fault}")


def _check_schema(where: str, schema: Json) -> None:
    for name in schema.keys() - SCHEMA:
        refuse(
            name,
            f"Invalid JSON payload received. Unknown name \"{name}\" at '{where}': Cannot find "
            "field.",
        )
    kind = schema.get("type")
    refuse(
        isinstance(kind, list),
        f"Invalid JSON payload received. Unknown name \"type\" at '{where}': Proto field is not "
        "repeating, cannot start list.",
    )
    kind = kind.upper() if isinstance(kind, str) else kind
    refuse(kind is not None and kind not in TYPES, f"Invalid value at '{where}.type': {kind!r}")
    refuse(kind is None and "anyOf" not in schema, f"{REQUEST}.{where}.type: must be specified")
    properties = schema.get("properties", {})
    refuse(
        kind == "OBJECT" and not properties,
        f"{REQUEST}.{where}.properties: should be non-empty for OBJECT type",
    )
    for at, name in enumerate(schema.get("required", ())):
        missing = f"{REQUEST}.{where}.required[{at}]: property is not defined"
        refuse(name not in properties, missing)
    refuse(kind == "ARRAY" and "items" not in schema, f"{REQUEST}.{where}.items: missing field.")
    only_text = f"{REQUEST}.{where}.enum: only allowed for STRING type"
    refuse("enum" in schema and kind != "STRING", only_text)
    for name, inner in properties.items():
        _check_schema(f"{where}.properties[{name}].value", inner)
    for at, inner in enumerate(schema.get("anyOf", ())):
        _check_schema(f"{where}.any_of[{at}]", inner)
    if "items" in schema:
        _check_schema(f"{where}.items", schema["items"])


def _check_choice(body: Json, names: list[str]) -> None:
    config = (body.get("toolConfig") or {}).get("functionCallingConfig")
    if config is None:
        return
    needless = "Function calling config is set without function_declarations."
    refuse(not names, needless)
    mode = config.get("mode", "AUTO")
    refuse(
        mode not in ("AUTO", "ANY", "NONE", "VALIDATED", "MODE_UNSPECIFIED"),
        f"Invalid value at 'tool_config.function_calling_config.mode': \"{mode}\"",
    )
    allowed = config.get("allowedFunctionNames", ())
    refuse(
        allowed and mode not in ("ANY", "VALIDATED"),
        "Allowed function names are only allowed when the function calling mode is set to ANY.",
    )
    for name in allowed:
        unknown = f"allowed_function_names: function {name} is not declared."
        refuse(name not in names, unknown)


def _check_content(where: str, content: Any) -> None:
    role, parts = content.get("role"), content.get("parts")
    refuse(role not in ("user", "model", "function"), "Please use a valid role: user, model.")
    refuse(not parts, f"{REQUEST}.{where}.parts: contents.parts must not be empty.")
    for place, part in enumerate(parts):
        held = [name for name in DATA if name in part]
        at = f"{where}.parts[{place}]"
        empty = part.get("text") == "" and "thoughtSignature" not in part
        refuse(
            len(held) != 1 or empty,
            f"{REQUEST}.{at}.data: required oneof field 'data' must have one initialized field",
        )
        wrong = f"Please ensure that {held[0]} parts are in a turn of the right role."
        refuse("functionCall" in part and role != "model", wrong)
        refuse("functionResponse" in part and role == "model", wrong)
        for name, value in (("functionCall", "args"), ("functionResponse", "response")):
            given = part.get(name, {}).get(value, {})
            refuse(
                not isinstance(given, dict),
                f"Invalid value at '{at}.{name}.{value}' (type.googleapis.com/"
                f"google.protobuf.Struct), {given!r}",
            )
            named = name not in part or part[name].get("name")
            refuse(not named, f"{REQUEST}.{at}.{name}.name: Name cannot be empty.")


def held(content: Json, name: str) -> list[Json]:
    """Return the calls, or the responses, of a turn."""
    return [part[name] for part in content["parts"] if name in part]


def _check_turns(contents: list[Any]) -> None:
    calls: list[Json] = []
    for before, content in zip([{"role": "user", "parts": []}, *contents], contents, strict=False):
        responses = held(content, "functionResponse")
        refuse(
            (calls and not responses) or (responses and not calls),
            "Please ensure that function response turn comes immediately after a function call "
            "turn.",
        )
        # Text beside the responses counts as a part too much.
        refuse(
            calls and not len(calls) == len(responses) == len(content["parts"]),
            "Please ensure that the number of function response parts is equal to the number of "
            "function call parts of the function call turn.",
        )
        _check_pairs(calls, responses)
        calls = held(content, "functionCall")
        refuse(
            calls and (before["role"] == "model" or content is contents[0]),
            "Please ensure that function call turn comes immediately after a user turn or after a "
            "function response turn.",
        )
    refuse(
        contents[-1]["role"] == "model",
        "Please ensure that multiturn requests end with a user turn or a function response.",
    )


def _check_pairs(calls: list[Json], responses: list[Json]) -> None:
    """Refuse responses that cannot be told apart: by id, or without ids by name and order."""
    ids = Counter(call.get("id") for call in calls)
    answered = Counter(response.get("id") for response in responses)
    refuse(ids != answered, "Function response ids do not match the ids of the function calls.")
    names = {call.get("id", place): call["name"] for place, call in enumerate(calls)}
    for place, response in enumerate(responses):
        name = names[response.get("id", place)]
        refuse(
            response["name"] != name,
            f"Function response `{response['name']}` does not match function call `{name}`.",
        )


def _check_signatures(
    place: int, content: Json, signed: dict[str, list[Json]], *, signs: bool
) -> None:
    calls = [part for part in content["parts"] if "functionCall" in part]
    if signs and calls:
        refuse(
            "thoughtSignature" not in calls[0],
            "Function call is missing a thought_signature in functionCall parts. This is required "
            "for tools to work correctly, and missing thought_signature may lead to degraded "
            "model performance. Additional data, function call "
            f"`default_api:{calls[0]['functionCall']['name']}` , position {place + 1}. Please "
            "refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.",
        )
    for part in content["parts"]:
        seal = part.get("thoughtSignature")
        if seal is None or seal in DUMMIES:
            continue
        refuse(seal not in signed, "Thought signature is not valid.")
        refuse(signed[seal] != calls, "Corrupted thought signature.")
