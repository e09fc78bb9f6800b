"""Which Responses requests are refused, and in which words?"""

from collections.abc import Sequence
from typing import Any

from tests.fakes.providers.openai import check_array, check_schema
from tests.fakes.providers.refusing import NAME, refuse
from tests.fakes.providers.responses_issued import Issued, blank
from tests.fakes.providers.script import Json

# What the API knows (openai.types.responses; a test compares).
PARAMETERS = frozenset(
    """access_programs background background_options context_management conversation image include
    input instructions max_output_tokens max_tool_calls metadata model moderation
    parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options
    prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options
    temperature text tool_choice tools top_logprobs top_p truncation user""".split()
)
PREFIXES = {"function_call": "fc", "reasoning": "rs", "message": "msg"}
PARTS = {
    "user": {"input_text", "input_image", "input_file"},
    "system": {"input_text"},
    "developer": {"input_text"},
    "assistant": {"output_text", "refusal"},
}


def check(body: Any, models: Sequence[str], unsupported: Sequence[str], issued: Issued) -> None:
    """Refuse what the real API refuses."""
    _check_parameters(body, unsupported)
    refuse(
        models and body["model"] not in models,
        f"The requested model '{body['model']}' does not exist.",
        code="model_not_found",
    )
    _check_choice(body, _tool_names(body))
    items = body["input"]
    if isinstance(items, str):
        return
    for place, item in enumerate(items):
        _check_item(f"input[{place}]", item)
    _check_answers(items)
    _check_reasoning(items, issued)


def _check_parameters(body: Any, unsupported: Sequence[str]) -> None:
    refuse(not isinstance(body, dict), "We could not parse the JSON body of your request.")
    for name in body:
        refuse(
            name not in PARAMETERS,
            f"Unknown parameter: '{name}'.",
            param=name,
            code="unknown_parameter",
        )
        refuse(
            name in unsupported,
            f"Unsupported parameter: '{name}' is not supported with this model.",
            param=name,
        )
    for name in ("model", "input"):
        missing = f"Missing required parameter: '{name}'."
        refuse(name not in body, missing, param=name, code="missing_required_parameter")
    if not isinstance(body["input"], str):
        check_array(body, "input", "input")
    before = body.get("previous_response_id")
    refuse(
        before is not None,
        f"Previous response with id '{before}' not found.",
        param="previous_response_id",
        code="previous_response_not_found",
    )
    limit = body.get("max_output_tokens")
    refuse(
        limit is not None and limit < 16,
        "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but "
        f"got {limit} instead.",
        param="max_output_tokens",
        code="integer_below_min_value",
    )


def _tool_names(body: Json) -> list[str]:
    names: list[str] = []
    for place, tool in enumerate(body.get("tools") or ()):
        param = f"tools[{place}]"
        if tool.get("type") != "function":
            continue  # built-in tools are the SDK's types to judge
        name = tool.get("name")
        refuse(
            name is None,
            f"Missing required parameter: '{param}.name'.",
            param=f"{param}.name",
            code="missing_required_parameter",
        )
        refuse(
            not NAME.match(name),
            f"Invalid '{param}.name': string does not match pattern. Expected a string that "
            "matches the pattern '^[a-zA-Z0-9_-]+$'.",
            param=f"{param}.name",
            code="invalid_value",
        )
        schema = tool.get("parameters") or {"type": "object"}
        check_schema(name, schema, param)
        if tool.get("strict"):
            _check_strict(name, schema, f"{param}.parameters")
        names.append(name)
    return names


def _check_strict(name: str, schema: Json, param: str) -> None:
    wrong = f"Invalid schema for function '{name}': In context=(), "
    more = {"param": param, "code": "invalid_function_parameters"}
    refuse(
        schema.get("additionalProperties") is not False,
        f"{wrong}'additionalProperties' is required to be supplied and to be false.",
        **more,
    )
    for missing in schema.get("properties", {}).keys() - set(schema.get("required", ())):
        refuse(
            missing,
            f"{wrong}'required' is required to be supplied and to be an array including every key "
            f"in properties. Missing '{missing}'.",
            **more,
        )


def _check_choice(body: Json, tools: list[str]) -> None:
    choice = body.get("tool_choice") or "auto"
    if isinstance(choice, str):
        refuse(
            choice not in ("auto", "none", "required"),
            f"Invalid value: '{choice}'. Supported values are: 'none', 'auto', and 'required'.",
            param="tool_choice",
            code="invalid_value",
        )
        wants = choice == "required"
        refuse(
            wants and not body.get("tools"),
            "Tool choice 'required' must be specified with 'tools' parameter.",
            param="tool_choice",
        )
    elif choice.get("type") == "function":
        refuse(
            choice.get("name") not in tools,
            "Tool choice 'function' not found in 'tools' parameter.",
            param="tool_choice",
        )


def _check_item(param: str, item: Any) -> None:
    kind = item.get("type", "message")
    prefix = PREFIXES.get(kind)
    id = item.get("id")
    refuse(
        prefix and id is not None and not id.startswith(prefix),
        f"Invalid '{param}.id': '{id}'. Expected an ID that begins with '{prefix}'.",
        param=f"{param}.id",
        code="invalid_value",
    )
    if kind in ("function_call", "function_call_output"):
        call_id = item.get("call_id")
        refuse(
            not call_id,
            f"Missing required parameter: '{param}.call_id'.",
            param=f"{param}.call_id",
            code="missing_required_parameter",
        )
        refuse(
            len(call_id) > 64,
            f"Invalid '{param}.call_id': string too long. Expected a string with maximum length "
            f"64, but got a string with length {len(call_id)} instead.",
            param=f"{param}.call_id",
            code="string_above_max_length",
        )
    if kind == "message":
        _check_content(param, item)


def _check_content(param: str, item: Json) -> None:
    role, content = item.get("role"), item.get("content")
    refuse(role not in PARTS, f"Invalid value: '{role}'.", param=f"{param}.role")
    wrong = f"Invalid type for '{param}.content': expected one of an array of objects or string."
    refuse(not isinstance(content, str | list), wrong, param=f"{param}.content")
    for place, part in enumerate(content if isinstance(content, list) else ()):
        refuse(
            part.get("type") not in PARTS[role],
            f"Invalid value: '{part.get('type')}'. Supported values are: "
            f"{', '.join(map(repr, sorted(PARTS[role])))}.",
            param=f"{param}.content[{place}]",
            code="invalid_value",
        )


def _check_answers(items: list[Any]) -> None:
    """Refuse calls without an output behind them, and outputs without a call before them."""
    waiting: list[str] = []
    answered: set[str] = set()
    for item in items:
        call_id = item.get("call_id")
        if item.get("type") == "function_call":
            twice = f"Duplicate function call with call_id {call_id}."
            refuse(call_id in answered or call_id in waiting, twice, param="input")
            waiting.append(call_id)
        elif item.get("type") == "function_call_output":
            refuse(
                call_id not in waiting,
                f"No tool call found for function call output with call_id {call_id}.",
                param="input",
            )
            waiting.remove(call_id)
            answered.add(call_id)
    refuse(
        waiting, f"No tool output found for function call {'/'.join(waiting[:1])}.", param="input"
    )


def _check_reasoning(items: list[Any], issued: Issued) -> None:
    met: set[str] = set()
    for place, item in enumerate(items):
        if item.get("type") == "reasoning":
            _check_thought(item, issued)
            _check_following(item, items[place + 1 :], issued)
            met.add(item["id"])
        elif item.get("type") == "function_call":
            # The API misses it by the item's id; here by the call's too: without it, it answers
            # 200 and thinks anew.
            needed = issued.before.get(item["call_id"])
            refuse(
                needed is not None and needed not in met,
                f"Item '{item.get('id')}' of type 'function_call' was provided without its "
                f"required 'reasoning' item: '{needed}'.",
                param="input",
            )


def _check_thought(item: Json, issued: Issued) -> None:
    id, sealed = item.get("id"), item.get("encrypted_content")
    refuse(
        sealed is None and id not in issued.stored,
        f"Item with id '{id}' not found. Items are not persisted when `store` is set to false. "
        "Try again with `store` set to true, or remove this item from your input.",
        status=404,
        param="input",
    )
    known = issued.reasoning.get(id or "")
    refuse(
        sealed is not None and (known is None or known["encrypted_content"] != sealed),
        f"The encrypted content for item {id} could not be verified. Reason: Encrypted content "
        "could not be decrypted or parsed.",
        code="invalid_encrypted_content",
    )
    refuse(
        known is not None and item.get("summary") != known["summary"],
        f"The reasoning item '{id}' was modified.",
        param="input",
    )


def _check_following(item: Json, rest: list[Any], issued: Issued) -> None:
    following = rest[0] if rest else {"role": "nobody"}
    kind = following.get("type", "message")
    expected = issued.after.get(item["id"]) or {"type": "message"}
    same = kind == "function_call" and following["call_id"] == expected.get("call_id")
    fits = same or (
        kind == "message"
        and following.get("role") == "assistant"
        and (expected["type"] == "message" or blank(following))
    )
    refuse(
        not fits,
        f"Item '{item['id']}' of type 'reasoning' was provided without its required following "
        "item.",
        param="input",
    )
