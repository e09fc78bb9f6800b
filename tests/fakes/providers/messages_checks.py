"""Which Anthropic Messages requests are refused, and in which words?"""

import re
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.providers.refusing import NAME, refuse, schema_fault
from tests.fakes.providers.script import Json

# What the API knows (anthropic.types; a test compares).
PARAMETERS = frozenset(
    """cache_control container diagnostics inference_geo max_tokens messages metadata model
    output_config service_tier speed stop_sequences stream system thinking tool_choice tools
    user_profile_id workspace_id""".split()
)
TOOL_ID = re.compile(r"[a-zA-Z0-9_-]+\Z")
THINKING = ("thinking", "redacted_thinking")


@dataclass(slots=True)
class Thought:
    """The thinking of earlier replies, and what stood before each call, by its id."""

    blocks: list[Json] = field(default_factory=list)
    before: dict[str, Json] = field(default_factory=dict)


def check(body: Any, thought: Thought) -> None:
    """Refuse what the real API refuses."""
    _check_parameters(body)
    messages = body["messages"]
    names = _tool_names(body)
    _check_choice(body, names)
    for place, message in enumerate(messages):
        _check_message(f"messages.{place}", message)
    refuse(messages[0]["role"] != "user", 'messages: first message must use the "user" role')
    refuse(
        messages[-1]["role"] != "user",
        "This model does not support assistant message prefill. The conversation must end with a "
        "user message.",
    )
    _check_answers(messages)
    blocks = [block for message in messages for block in _blocks(message)]
    refuse(
        not names and any(block["type"] in ("tool_use", "tool_result") for block in blocks),
        "Requests which include `tool_use` or `tool_result` blocks must define tools",
    )
    _check_marks(body, blocks)
    _check_thinking(body, thought)


def _check_parameters(body: Any) -> None:
    refuse(not isinstance(body, dict), "The request body is not valid JSON")
    for name in body:
        refuse(name not in PARAMETERS, f"{name}: Extra inputs are not permitted")
    for name in ("model", "messages", "max_tokens"):
        refuse(name not in body, f"{name}: Field required")
    limit = body["max_tokens"]
    too_small = "max_tokens: Input should be greater than or equal to 1"
    refuse(not isinstance(limit, int) or limit < 1, too_small)
    messages = body["messages"]
    refuse(not isinstance(messages, list), "messages: Input should be a valid list")
    refuse(not messages, "messages: at least one message is required")
    thinking = body.get("thinking") or {"type": "disabled"}
    if thinking["type"] != "enabled":
        return
    budget = thinking.get("budget_tokens", 0)
    refuse(
        budget < 1024,
        "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
    )
    refuse(limit <= budget, "`max_tokens` must be greater than `thinking.budget_tokens`.")


def _tool_names(body: Json) -> list[str]:
    names: list[str] = []
    for place, tool in enumerate(body.get("tools", ())):
        where = f"tools.{place}.custom"
        if tool.get("type", "custom") != "custom":
            continue  # server tools are the SDK's types to judge
        name, schema = tool.get("name"), tool.get("input_schema")
        pattern = f"{where}.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'"
        refuse(not isinstance(name, str) or not NAME.match(name), pattern)
        refuse(schema is None, f"{where}.input_schema: Field required")
        wrong = not isinstance(schema, dict) or schema.get("type") != "object"
        refuse(wrong, f"{where}.input_schema.type: Input should be 'object'")
        refuse(
            schema_fault(schema),
            f"{where}.input_schema: JSON schema is invalid. It must match JSON Schema draft "
            "2020-12 (https://json-schema.org/draft/2020-12).",
        )
        refuse(name in names, "tools: Tool names must be unique.")
        names.append(name)
    return names


def _check_choice(body: Json, names: list[str]) -> None:
    choice = body.get("tool_choice")
    if choice is None:
        return
    needless = "tool_choice: tool_choice may only be specified while providing tools"
    refuse(not body.get("tools"), needless)
    kind = choice.get("type")
    refuse(
        kind not in ("auto", "any", "tool", "none"),
        f"tool_choice: Input tag '{kind}' found using 'type' does not match any of the expected "
        "tags: 'auto', 'any', 'tool', 'none'",
    )
    refuse(
        kind == "none" and "disable_parallel_tool_use" in choice,
        "tool_choice.none.disable_parallel_tool_use: Extra inputs are not permitted",
    )
    named = choice.get("name")
    refuse(
        kind == "tool" and named not in names,
        f"tool_choice.tool: Tool '{named}' not found in provided tools",
    )
    thinks = (body.get("thinking") or {}).get("type") == "enabled"
    refuse(
        thinks and kind in ("any", "tool"),
        "Thinking may not be enabled when tool_choice forces tool use.",
    )


def _blocks(message: Json) -> list[Any]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _check_message(where: str, message: Any) -> None:
    role = message.get("role")
    refuse(
        role not in ("user", "assistant"),
        f'messages: Unexpected role "{role}". The Messages API accepts a top-level `system` '
        'parameter, not "system" as an input message role.',
    )
    for name in message.keys() - {"role", "content"}:
        refuse(name, f"{where}.{name}: Extra inputs are not permitted")
    content = message.get("content")
    wrong = f"{where}.content: Input should be a valid list"
    refuse(not isinstance(content, str | list), wrong)
    refuse(not content, f"{where}: all messages must have non-empty content")
    for place, block in enumerate(_blocks(message)):
        _check_block(f"{where}.content.{place}", role, block)


def _check_block(where: str, role: str, block: Any) -> None:
    match block.get("type"):
        case "text":
            text = block.get("text")
            refuse(not isinstance(text, str), f"{where}.text.text: Field required")
            refuse(not text, "messages: text content blocks must be non-empty")
            only_space = "messages: text content blocks must contain non-whitespace text"
            refuse(not text.strip(), only_space)
        case "tool_use":
            wrong = f"{where}: `tool_use` blocks can only be in `assistant` messages"
            refuse(role != "assistant", wrong)
            id = block.get("id")
            refuse(
                not isinstance(id, str) or not TOOL_ID.match(id),
                f"{where}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
            )
            no_object = f"{where}.tool_use.input: Input should be a valid dictionary"
            refuse(not isinstance(block.get("input"), dict), no_object)
        case "tool_result":
            wrong = f"{where}: `tool_result` blocks can only be in `user` messages"
            refuse(role != "user", wrong)
            refuse("tool_use_id" not in block, f"{where}.tool_result.tool_use_id: Field required")
            refuse(
                block.get("is_error") and not block.get("content"),
                f"{where}.tool_result: content cannot be empty if `is_error` is true",
            )
        case "thinking" | "redacted_thinking":
            wrong = f"{where}: `thinking` blocks can only be in `assistant` messages"
            refuse(role != "assistant", wrong)
            refuse("cache_control" in block, f"{where}: cache_control cannot be set for thinking")
        case _:
            pass  # the rest is the SDK's types to judge


def _check_answers(messages: list[Any]) -> None:
    """Refuse calls that the next message does not answer first of all, and foreign results."""
    waiting: list[str] = []
    given: set[str] = set()
    for place, message in enumerate(messages):
        blocks = _blocks(message)
        first = [block for block in blocks if block["type"] == "tool_result"]
        behind = blocks[: len(first)] != first
        answered = [block["tool_use_id"] for block in first]
        for at, id in enumerate(answered):
            refuse(
                id not in waiting,
                f"messages.{place}.content.{at}: unexpected `tool_use_id` found in `tool_result` "
                f"blocks: {id}. Each `tool_result` block must have a corresponding `tool_use` "
                "block in the previous message.",
            )
            refuse(
                answered.count(id) > 1,
                f"messages.{place}.content.{at}: each tool_use must have a single result. Found "
                f"multiple `tool_result` blocks with id: {id}",
            )
        missing = waiting if behind else [id for id in waiting if id not in answered]
        refuse(
            missing,
            f"messages.{place - 1}: `tool_use` ids were found without `tool_result` blocks "
            f"immediately after: {', '.join(missing)}. Each `tool_use` block must have a "
            "corresponding `tool_result` block in the next message.",
        )
        waiting = [block["id"] for block in blocks if block["type"] == "tool_use"]
        twice = len(set(waiting)) < len(waiting) or given & set(waiting)
        refuse(twice, f"messages.{place}: `tool_use` ids must be unique")
        given |= set(waiting)


def _check_marks(body: Json, blocks: list[Any]) -> None:
    system = body.get("system") or []
    holders = [*body.get("tools", ()), *(system if isinstance(system, list) else ()), *blocks]
    marks = [block["cache_control"] for block in holders if block.get("cache_control")]
    found = len(marks) + ("cache_control" in body)
    too_many = f"A maximum of 4 blocks with cache_control may be provided. Found {found}."
    refuse(found > 4, too_many)
    lives = [mark.get("ttl", "5m") for mark in marks]
    refuse(
        lives != sorted(lives),  # "1h" before "5m"
        "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note "
        "that blocks are processed in the following order: `tools`, `system`, `messages`.",
    )


def _check_thinking(body: Json, thought: Thought) -> None:
    """Refuse thinking that was changed, made up, or left out before its calls.

    The API lets it be left out with some models and settings; it costs the model its thoughts.
    """
    known = thought.blocks
    for place, message in enumerate(body["messages"]):
        blocks = _blocks(message)
        for at, block in enumerate(blocks):
            if block["type"] in THINKING and block not in known:
                sealed = {block.get("signature"), block.get("data")} - {None}
                seals = {each.get("signature") or each.get("data") for each in known}
                where = f"messages.{place}.content.{at}"
                refuse(not sealed & seals, f"{where}: Invalid `signature` in `thinking` block")
                refuse(
                    block,
                    f"{where}: `thinking` or `redacted_thinking` blocks in the latest assistant "
                    "message cannot be modified. These blocks must remain as they were in the "
                    "original response.",
                )
        calls = [block for block in blocks if block["type"] == "tool_use"]
        before = thought.before
        needed = next((before[each["id"]] for each in calls if each["id"] in before), None)
        refuse(
            needed is not None and blocks[0] != needed,
            f"messages.{place}.content.0.type: Expected `thinking` or `redacted_thinking`, but "
            f"found `{blocks[0]['type']}`. When `thinking` is enabled, a final `assistant` message "
            "must start with a thinking block (preceeding the lastmost set of `tool_use` and "
            "`tool_result` blocks).",
        )
