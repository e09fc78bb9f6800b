"""How does a fake speak Chat Completions?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.fakes.providers import chat_replies, openai, sdks
from tests.fakes.providers.chat_checks import REASONING_FIELDS, Rules, check, openai_only
from tests.fakes.providers.refusing import RefusedError, refuse
from tests.fakes.providers.script import Asked, Habit, Json, Said, Used
from tests.fakes.providers.sse import Event


@dataclass(slots=True)
class Chat:
    """The dialect; it remembers what it said, to see it come back unchanged."""

    rules: Rules
    models: Sequence[str]
    said: dict[str, Json]
    base: str = "/v1"
    habits: Habit = chat_replies.HABITS
    escapes: str = ""

    def get(self, path: str) -> Any:
        if path != f"{self.base}/models":
            return None
        models = [{"id": name, "object": "model", "created": 0} for name in self.models]
        return {"object": "list", "data": models}

    def authorize(self, asked: Asked, key: str) -> None:
        openai.authorize(asked, key)

    def check(self, asked: Asked) -> None:
        refuse(
            (asked.method, asked.path) != ("POST", f"{self.base}/chat/completions"),
            f"Invalid URL ({asked.method} {asked.path})",
            status=404,
        )
        check(asked.body, self.rules, self.models, self.said)
        sdks.check("openai.chat", openai_only(asked.body, self.rules))

    def too_long(self, tokens: int, context: int) -> RefusedError:
        message = (
            f"This model's maximum context length is {context} tokens. However, your messages "
            f"resulted in {tokens} tokens. Please reduce the length of the messages."
        )
        return RefusedError(message, param="messages", code="context_length_exceeded")

    def blocks(self, body: Any) -> list[Any]:
        return [*body.get("tools", []), *body["messages"]]

    def breakpoints(self, body: Any) -> None:
        return None  # anywhere, and by itself

    def streams(self, asked: Asked) -> bool:
        return bool(asked.body.get("stream"))

    def failure(self, refused: RefusedError) -> Any:
        return openai.error(refused)

    def whole(self, asked: Asked, said: Said, used: Used, habit: Habit) -> Any:
        reply = chat_replies.whole(asked, said, used, habit)
        self._remember(reply["choices"][0]["message"])
        return reply

    def events(self, asked: Asked, said: Said, used: Used, habit: Habit) -> list[Event]:
        self._remember(chat_replies.whole(asked, said, used, habit)["choices"][0]["message"])
        return chat_replies.events(asked, said, used, habit)

    def _remember(self, message: Json) -> None:
        reasoning = {name: message[name] for name in REASONING_FIELDS & message.keys()}
        for call in message.get("tool_calls", ()):
            if reasoning and "id" in call:
                self.said[call["id"]] = reasoning
