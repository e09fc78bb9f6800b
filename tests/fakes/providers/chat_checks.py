"""Which Chat Completions requests are refused, and in which words?

The words are OpenAI's where a rule is OpenAI's; `Rules` names what other servers do differently.
"""

import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tests.fakes.providers.openai import check_array, check_schema
from tests.fakes.providers.refusing import NAME, json_object, refuse
from tests.fakes.providers.script import Json

# What the API knows (openai.types.chat; a test compares).
PARAMETERS = frozenset(
    """audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens
    max_tokens messages metadata modalities model moderation n parallel_tool_calls prediction
    presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort
    response_format safety_identifier seed service_tier stop store stream stream_options
    temperature tool_choice tools top_logprobs top_p user verbosity web_search_options""".split()
)
FIELDS = {
    "system": {"role", "content", "name"},
    "developer": {"role", "content", "name"},
    "user": {"role", "content", "name"},
    "tool": {"role", "content", "tool_call_id"},
    "assistant": {"role", "content", "name", "refusal", "audio", "function_call", "tool_calls"},
}
REASONING_FIELDS = {"reasoning_content", "reasoning", "reasoning_details"}


@dataclass(frozen=True, slots=True)
class Rules:
    """What servers of this dialect do differently.

    `reasoning`: what becomes of reasoning in the history: refused (OpenAI, Groq, Mistral), ignored
    (vLLM, llama.cpp, Ollama) or required unchanged wherever calls were made (DeepSeek, OpenRouter).
    `alternate`: the chat template wants one system message, then user and assistant in turn.
    `objects`: arguments must be JSON objects. `extra`: parameters known beside OpenAI's.
    `unsupported`: parameters of OpenAI's that are refused.
    """

    reasoning: Literal["refused", "ignored", "required"] = "ignored"
    alternate: bool = False
    objects: bool = True
    extra: Sequence[str] = ()
    unsupported: Sequence[str] = ()


def check(body: Any, rules: Rules, models: Sequence[str], said: dict[str, Json]) -> None:
    """Refuse what the real servers refuse; `said`: the reasoning that went with a call's id."""
    _check_parameters(body, rules)
    refuse(
        models and body["model"] not in models,
        f"The model `{body['model']}` does not exist or you do not have access to it.",
        status=404,
        code="model_not_found",
    )
    _check_choice(body, _tool_names(body))
    messages = body["messages"]
    for place, message in enumerate(messages):
        _check_message(place, message, rules)
    _check_answers(messages)
    if rules.alternate:
        _check_alternation(messages)
    if rules.reasoning == "required":
        _check_reasoning(messages, said)


def openai_only(body: Json, rules: Rules) -> Json:
    """Return a request without what only other servers know."""
    messages = [
        {name: value for name, value in message.items() if name not in REASONING_FIELDS}
        for message in body["messages"]
    ]
    known = {name: value for name, value in body.items() if name not in rules.extra}
    return known | {"messages": messages}


def _check_parameters(body: Any, rules: Rules) -> None:
    refuse(not isinstance(body, dict), "We could not parse the JSON body of your request.")
    for name in body:
        refuse(
            name not in PARAMETERS and name not in rules.extra,
            f"Unknown parameter: '{name}'.",
            param=name,
            code="unknown_parameter",
        )
        refuse(
            name in rules.unsupported,
            f"Unsupported parameter: '{name}' is not supported with this model.",
            param=name,
            code="unsupported_parameter",
        )
    for name in ("model", "messages"):
        missing = f"Missing required parameter: '{name}'."
        refuse(name not in body, missing, param=name, code="missing_required_parameter")
    refuse(not isinstance(body["model"], str), "you must provide a model parameter")
    for name in ("messages", "tools"):
        check_array(body, name, name)
    refuse(
        body.get("stream_options") is not None and not body.get("stream"),
        "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
        param="stream_options",
    )
    for name in ("max_tokens", "max_completion_tokens"):
        limit = body.get(name)
        refuse(
            limit is not None and (not isinstance(limit, int) or limit < 1),
            f"Invalid '{name}': integer below minimum value. Expected a value >= 1, but got "
            f"{limit} instead.",
            param=name,
            code="integer_below_min_value",
        )


def _tool_names(body: Json) -> list[str]:
    names: list[str] = []
    for place, tool in enumerate(body.get("tools", ())):
        param = f"tools[{place}]"
        shaped = isinstance(tool, dict) and tool.keys() == {"type", "function"}
        refuse(not shaped or tool["type"] != "function", f"Invalid '{param}'.", param=param)
        function = tool["function"]
        unknown = function.keys() - {"name", "description", "parameters", "strict"}
        for name in unknown:
            refuse(name, f"Unknown parameter: '{param}.function.{name}'.", param=param)
        name = function.get("name")
        refuse(
            not isinstance(name, str) or not NAME.match(name),
            f"Invalid '{param}.function.name': string does not match pattern. Expected a string "
            "that matches the pattern '^[a-zA-Z0-9_-]+$'.",
            param=f"{param}.function.name",
            code="invalid_value",
        )
        check_schema(name, function.get("parameters", {"type": "object"}), param)
        names.append(name)
    return names


def _check_choice(body: Json, tools: list[str]) -> None:
    for name in ("tool_choice", "parallel_tool_calls"):
        refuse(
            name in body and not tools,
            f"Invalid value for '{name}': '{name}' is only allowed when 'tools' are specified.",
            param=name,
        )
    choice = body.get("tool_choice", "auto")
    if isinstance(choice, str):
        refuse(
            choice not in ("auto", "none", "required"),
            f"Invalid value: '{choice}'. Supported values are: 'none', 'auto', and 'required'.",
            param="tool_choice",
            code="invalid_value",
        )
    elif choice.get("type") == "function":
        named = choice["function"]["name"]
        refuse(named not in tools, f"Tool choice '{named}' not found in 'tools' parameter.")


def _check_message(place: int, message: Any, rules: Rules) -> None:
    param = f"messages[{place}]"
    role = message.get("role") if isinstance(message, dict) else None
    roles = "'system', 'assistant', 'user', 'function', 'tool', and 'developer'"
    refuse(
        role not in FIELDS,
        f"Invalid value: '{role}'. Supported values are: {roles}.",
        param=f"{param}.role",
        code="invalid_value",
    )
    known = FIELDS[role]
    if role == "assistant" and rules.reasoning != "refused":
        known = known | REASONING_FIELDS
    for name in message.keys() - known:
        refuse(
            name,
            f"Unknown parameter: '{param}.{name}'.",
            param=f"{param}.{name}",
            code="unknown_parameter",
        )
    content = message.get("content")
    refuse(
        not isinstance(content, str | list)
        and not (role == "assistant" and "tool_calls" in message),
        f"Invalid value for 'content': expected a string, got {json.dumps(content)}.",
        param=f"messages.[{place}].content",
    )
    if isinstance(content, list):
        check_array(message, "content", f"{param}.content")
        wrong = [
            part
            for part in content
            if part.keys() - {"prompt_cache_breakpoint"} != {"type", "text"}
        ]
        refuse(wrong, f"Invalid '{param}.content'.", param=f"{param}.content")
    if role == "assistant":
        check_array(message, "tool_calls", f"{param}.tool_calls")
        for position, call in enumerate(message.get("tool_calls", ())):
            _check_call(f"{param}.tool_calls[{position}]", call, rules)


def _check_call(param: str, call: Any, rules: Rules) -> None:
    for name in ("id", "type", "function"):
        refuse(
            name not in call,
            f"Missing required parameter: '{param}.{name}'.",
            param=f"{param}.{name}",
            code="missing_required_parameter",
        )
    for name in call.keys() - {"id", "type", "function"}:
        refuse(name, f"Unknown parameter: '{param}.{name}'.", param=f"{param}.{name}")
    refuse(
        not isinstance(call["id"], str) or not 1 <= len(call["id"]) <= 40,
        f"Invalid '{param}.id': string too long. Expected a string with maximum length 40.",
        param=f"{param}.id",
        code="string_above_max_length",
    )
    function = call["function"]
    refuse(function.keys() != {"name", "arguments"}, f"Invalid '{param}.function'.", param=param)
    refuse(
        not NAME.match(function["name"]),
        f"Invalid '{param}.function.name': string does not match pattern. Expected a string that "
        "matches the pattern '^[a-zA-Z0-9_-]+$'.",
        param=f"{param}.function.name",
        code="invalid_value",
    )
    arguments = function["arguments"]
    refuse(
        not isinstance(arguments, str) or (rules.objects and not json_object(arguments)),
        f"Invalid '{param}.function.arguments': expected the text of a JSON object, but got "
        f"{json.dumps(arguments)} instead.",
        param=f"{param}.function.arguments",
    )


def _check_answers(messages: list[Any]) -> None:
    """Refuse calls without results directly behind them, and results without calls."""
    waiting: list[str] = []
    for place, message in enumerate([*messages, {"role": "end"}]):
        param = f"messages.[{place}].role"
        if message["role"] == "tool":
            refuse(
                message["tool_call_id"] not in waiting,
                "Invalid parameter: messages with role 'tool' must be a response to a preceeding "
                "message with 'tool_calls'.",
                param=param,
            )
            waiting.remove(message["tool_call_id"])
            continue
        refuse(
            waiting,
            "An assistant message with 'tool_calls' must be followed by tool messages responding "
            "to each 'tool_call_id'. The following tool_call_ids did not have response messages: "
            f"{', '.join(waiting)}",
            param=param,
        )
        waiting = [call["id"] for call in message.get("tool_calls", ())]
        twice = next((id for id in waiting if waiting.count(id) > 1), None)
        refuse(twice, f"Duplicate value for 'tool_call_id' of '{twice}'.", param=param)


def _check_alternation(messages: list[Any]) -> None:
    roles = [message["role"] for message in messages if message["role"] != "tool"]
    refuse("system" in roles[1:], "System message must be at the beginning.")
    talk = [
        message["role"]
        for message in messages
        if message["role"] == "user"
        or (message["role"] == "assistant" and "tool_calls" not in message)
    ]
    turns = all(role == ("user", "assistant")[place % 2] for place, role in enumerate(talk))
    refuse(
        not turns,
        "After the optional system message, conversation roles must alternate "
        "user/assistant/user/assistant/...",
    )
    for before, after in itertools.pairwise(messages):
        refuse(
            (before["role"], after["role"]) == ("tool", "user"),
            "Unexpected role 'user' after role 'tool'",
        )


def _check_reasoning(messages: list[Any], said: dict[str, Json]) -> None:
    for place, message in enumerate(messages):
        for call in message.get("tool_calls", ()):
            for name, value in said.get(call["id"], {}).items():
                refuse(
                    message.get(name) != value,
                    f"Missing `{name}` field in the assistant message at message index {place}. "
                    f"It must be sent back unchanged.",
                    param=f"messages[{place}].{name}",
                )
