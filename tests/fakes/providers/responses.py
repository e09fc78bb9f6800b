"""How does a fake speak OpenAI's Responses?"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.providers import openai, responses_replies, sdks
from tests.fakes.providers.refusing import RefusedError, refuse
from tests.fakes.providers.responses_checks import check
from tests.fakes.providers.responses_issued import Issued
from tests.fakes.providers.script import Asked, Habit, Json, Said, Used
from tests.fakes.providers.sse import Event


@dataclass(slots=True)
class Responses:
    """The dialect; it remembers its items, to see them come back unchanged."""

    models: Sequence[str]
    unsupported: Sequence[str]
    issued: Issued = field(default_factory=Issued)
    base: str = "/v1"
    habits: Habit = responses_replies.HABITS
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
            (asked.method, asked.path) != ("POST", f"{self.base}/responses"),
            f"Invalid URL ({asked.method} {asked.path})",
            status=404,
        )
        check(asked.body, self.models, self.unsupported, self.issued)
        sdks.check("openai.responses", asked.body)

    def too_long(self, tokens: int, context: int) -> RefusedError:
        message = (
            "Your input exceeds the context window of this model. Please adjust your input and "
            "try again."
        )
        return RefusedError(message, param="input", code="context_length_exceeded")

    def blocks(self, body: Any) -> list[Any]:
        items = body["input"]
        listed = items if isinstance(items, list) else [items]
        return [*body.get("tools", []), body.get("instructions"), *listed]

    def breakpoints(self, body: Any) -> None:
        return None  # anywhere, and by itself

    def streams(self, asked: Asked) -> bool:
        return bool(asked.body.get("stream"))

    def failure(self, refused: RefusedError) -> Any:
        return openai.error(refused)

    def whole(self, asked: Asked, said: Said, used: Used, habit: Habit) -> Any:
        return responses_replies.whole(asked, self._items(asked, said), said, used, habit)

    def events(self, asked: Asked, said: Said, used: Used, habit: Habit) -> list[Event]:
        return responses_replies.events(asked, self._items(asked, said), said, used, habit)

    def _items(self, asked: Asked, said: Said) -> list[Json]:
        items = responses_replies.items(asked, said)
        self.issued.remember(items, stored=asked.body.get("store") is not False)
        return items
