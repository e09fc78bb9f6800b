"""How does a fake speak Gemini's generateContent?"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.providers import gemini_replies, sdks
from tests.fakes.providers.gemini_checks import check
from tests.fakes.providers.refusing import RefusedError, refuse
from tests.fakes.providers.script import Asked, Habit, Json, Said, Used
from tests.fakes.providers.sse import Event

PATH = re.compile(
    r"/v1beta/models/(?P<model>[^/:]+):(?P<verb>generateContent|streamGenerateContent)"
)
STATUSES = {
    400: "INVALID_ARGUMENT",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}


@dataclass(slots=True)
class Gemini:
    """The dialect; it remembers its signed turns, to see them come back unchanged.

    `signs`: as Gemini 3 and later do, it wants a signature at the first call of each turn. Field
    names are those of the documentation (camel case), which the SDK sends.
    """

    models: Sequence[str]
    signs: bool
    signed: dict[str, list[Json]] = field(default_factory=dict)
    base: str = ""
    habits: Habit = gemini_replies.HABITS
    escapes: str = "<>&='\u2028\u2029"

    def get(self, path: str) -> Any:
        if path != "/v1beta/models":
            return None
        verbs = ["generateContent", "countTokens"]
        models = [
            {"name": f"models/{name}", "supportedGenerationMethods": verbs} for name in self.models
        ]
        return {"models": models}

    def authorize(self, asked: Asked, key: str) -> None:
        given = asked.headers.get("x-goog-api-key") or asked.query.get("key")
        refuse(
            not given,
            "Method doesn't allow unregistered callers (callers without established identity). "
            "Please use API Key or other form of API consumer identity to call this API.",
            status=403,
        )
        refuse(given != key, "API key not valid. Please pass a valid API key.")

    def check(self, asked: Asked) -> None:
        found = PATH.fullmatch(asked.path)
        if found is None or asked.method != "POST":
            raise RefusedError("Requested entity was not found.", status=404)
        model = found["model"]
        refuse(
            self.models and model not in self.models,
            f"models/{model} is not found for API version v1beta, or is not supported for "
            "generateContent. Call ListModels to see the list of available models and their "
            "supported methods.",
            status=404,
        )
        check(asked.body, self.signed, signs=self.signs)
        sdks.check_gemini(asked.body)

    def too_long(self, tokens: int, context: int) -> RefusedError:
        return RefusedError(
            f"The input token count ({tokens}) exceeds the maximum number of tokens allowed "
            f"({context})."
        )

    def blocks(self, body: Any) -> list[Any]:
        return [body.get("systemInstruction"), body.get("tools"), *body["contents"]]

    def breakpoints(self, body: Any) -> None:
        return None  # anywhere, and by itself

    def streams(self, asked: Asked) -> bool:
        found = PATH.fullmatch(asked.path)
        return found is not None and found["verb"] == "streamGenerateContent"

    def failure(self, refused: RefusedError) -> Any:
        status = STATUSES.get(refused.status, "UNKNOWN")
        return {"error": {"code": refused.status, "message": refused.message, "status": status}}

    def whole(self, asked: Asked, said: Said, used: Used, habit: Habit) -> Any:
        return gemini_replies.whole(asked, self._parts(asked, said, habit), said, used, habit)

    def events(self, asked: Asked, said: Said, used: Used, habit: Habit) -> list[Event]:
        return gemini_replies.events(asked, self._parts(asked, said, habit), said, used, habit)

    def _parts(self, asked: Asked, said: Said, habit: Habit) -> list[Json]:
        parts = gemini_replies.parts(asked, said, habit, signs=self.signs)
        calls = [part for part in parts if "functionCall" in part]
        for part in parts:
            if "thoughtSignature" in part:
                self.signed[part["thoughtSignature"]] = calls
        return parts
