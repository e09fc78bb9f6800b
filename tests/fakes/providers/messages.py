"""How does a fake speak Anthropic's Messages?"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.providers import messages_replies, sdks
from tests.fakes.providers.messages_checks import Thought, check
from tests.fakes.providers.refusing import RefusedError, refuse
from tests.fakes.providers.script import Asked, Habit, Json, Said, Used
from tests.fakes.providers.sse import Event

KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    404: "not_found_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}


@dataclass(slots=True)
class Messages:
    """The dialect; it remembers its thinking, to see it come back unchanged."""

    models: Sequence[str]
    thought: Thought = field(default_factory=Thought)
    base: str = ""
    habits: Habit = messages_replies.HABITS
    escapes: str = ""

    def get(self, path: str) -> Any:
        if path != "/v1/models":
            return None
        models = [
            {
                "type": "model",
                "id": name,
                "display_name": name,
                "created_at": "2026-01-01T00:00:00Z",
            }
            for name in self.models
        ]
        return {"data": models, "has_more": False, "first_id": None, "last_id": None}

    def authorize(self, asked: Asked, key: str) -> None:
        bearer = asked.headers.get("authorization", "").removeprefix("Bearer ")
        given = asked.headers.get("x-api-key") or bearer
        refuse(not given, "x-api-key header is required", status=401)
        refuse(given != key, "invalid x-api-key", status=401)

    def check(self, asked: Asked) -> None:
        refuse((asked.method, asked.path) != ("POST", "/v1/messages"), "Not Found", status=404)
        version = "anthropic-version: header is required"
        refuse("anthropic-version" not in asked.headers, version)
        check(asked.body, self.thought)
        model = asked.body["model"]
        refuse(self.models and model not in self.models, f"model: {model}", status=404)
        sdks.check("anthropic", asked.body)

    def too_long(self, tokens: int, context: int) -> RefusedError:
        return RefusedError(f"prompt is too long: {tokens} tokens > {context} maximum")

    def blocks(self, body: Any) -> list[Any]:
        return [
            {name: value for name, value in block.items() if name != "cache_control"}
            for block in _marked(body)
        ]

    def breakpoints(self, body: Any) -> list[int]:
        """Return after how many blocks the request may be cached; a look-back is 20 blocks."""
        marked = _marked(body)
        found = [place for place, block in enumerate(marked, 1) if "cache_control" in block]
        return [*found, len(marked)] if "cache_control" in body else found

    def streams(self, asked: Asked) -> bool:
        return bool(asked.body.get("stream"))

    def failure(self, refused: RefusedError) -> Any:
        kind = refused.kind or KINDS.get(refused.status, "api_error")
        return {
            "type": "error",
            "error": {"type": kind, "message": refused.message},
            "request_id": "req_1",
        }

    def whole(self, asked: Asked, said: Said, used: Used, habit: Habit) -> Any:
        reply = messages_replies.whole(asked, said, used, habit)
        self._remember(reply["content"])
        return reply

    def events(self, asked: Asked, said: Said, used: Used, habit: Habit) -> list[Event]:
        self._remember(messages_replies.content(asked, said, habit))
        return messages_replies.events(asked, said, used, habit)

    def _remember(self, content: list[Json]) -> None:
        thought = next((block for block in content if "thinking" in block["type"]), None)
        if thought is not None:
            self.thought.blocks.append(thought)
            calls = (block["id"] for block in content if block["type"] == "tool_use")
            self.thought.before |= dict.fromkeys(calls, thought)


def _marked(body: Any) -> list[Any]:
    """Return what the model reads, block by block, with the marks where it is to be cached."""

    def listed(content: Any) -> list[Any]:
        return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)

    system = listed(body["system"]) if "system" in body else []
    said = [
        block | {"role": message["role"]}
        for message in body["messages"]
        for block in listed(message["content"])
    ]
    return [*body.get("tools", ()), *system, *said]
