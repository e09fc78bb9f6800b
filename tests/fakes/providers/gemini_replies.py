"""How does Gemini write a reply, in each habit?"""

import base64
import json
from typing import Any

from tests.fakes.providers.script import FRAMING, Asked, Habit, Json, Said, Used, pieces, written
from tests.fakes.providers.sse import Event

HABITS = FRAMING | Habit.IDS_ABSENT | Habit.ONE_DELTA
STOPS = {"end": "STOP", "length": "MAX_TOKENS", "filter": "SAFETY"}
MALFORMED = "MALFORMED_FUNCTION_CALL"


def parts(asked: Asked, said: Said, habit: Habit, *, signs: bool) -> list[Json]:
    """Return the parts of a reply: thought, text, calls; only the first call is signed."""
    made: list[Json] = []
    if said.reasoning:
        made.append({"text": said.reasoning, "thought": True})
    if said.text:
        made.append({"text": said.text})
    if _malformed(said):
        return made
    for position, (name, arguments) in enumerate(said.calls):
        call = {"name": name, "args": json.loads(written(arguments))}
        id = {} if Habit.IDS_ABSENT in habit else {"id": f"fc{asked.number}_{position}"}
        made.append({"functionCall": id | call})
    first = len(made) - len(said.calls)
    if signs and made:
        seal = base64.b64encode(f"thought {asked.number}".encode()).decode()
        signed = first if said.calls else len(made) - 1
        made[signed] = {**made[signed], "thoughtSignature": seal}
    return made


def whole(asked: Asked, made: list[Json], said: Said, used: Used, habit: Habit) -> Json:
    """Return the reply as one object."""
    return _chunk(asked, made, used, habit, finish=_finish(said))


def events(asked: Asked, made: list[Json], said: Said, used: Used, habit: Habit) -> list[Event]:
    """Return the reply as a stream: text in pieces, each call whole."""
    calls = [part for part in made if "functionCall" in part]
    texts = [part for part in made if "functionCall" not in part]
    chunks = [[piece] for part in texts for piece in _text_pieces(part)]
    chunks += [calls] if Habit.ONE_DELTA in habit and calls else [[call] for call in calls]
    seal = {each["thoughtSignature"] for each in texts if "thoughtSignature" in each}
    # A text's signature comes with an empty text at the very end.
    last: list[Json] = [{"text": "", "thoughtSignature": each} for each in seal]
    told = [_chunk(asked, chunk, used, habit) for chunk in chunks]
    told.append(_chunk(asked, last, used, habit, finish=_finish(said)))
    if Habit.ERROR_MIDWAY in habit:
        error = {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}
        told = [*told[: len(told) // 2], {"error": error}]
    return [Event(chunk) for chunk in told]


def _malformed(said: Said) -> bool:
    """Tell whether the model wrote arguments that are no JSON object."""
    for _, arguments in said.calls:
        try:
            if not isinstance(json.loads(written(arguments)), dict):
                return True
        except ValueError:
            return True
    return False


def _finish(said: Said) -> str:
    return MALFORMED if _malformed(said) else STOPS[said.stop]


def _text_pieces(part: Json) -> list[Json]:
    plain = {name: value for name, value in part.items() if name != "thoughtSignature"}
    return [plain | {"text": piece} for piece in pieces(part["text"], 3)]


def _chunk(
    asked: Asked, held: list[Json], used: Used, habit: Habit, finish: str | None = None
) -> dict[str, Any]:
    content: dict[str, Any] = {"role": "model"}
    if held:  # an empty reply has no `parts` at all
        content["parts"] = held
    candidate: dict[str, Any] = {"content": content, "index": 0}
    if finish is not None:
        candidate["finishReason"] = finish
    usage = {
        "promptTokenCount": used.input,
        "cachedContentTokenCount": used.cached,
        "candidatesTokenCount": used.output - used.reasoning,
        "thoughtsTokenCount": used.reasoning,
        "totalTokenCount": used.input + used.output,
    }
    chunk: dict[str, Any] = {"candidates": [candidate]}
    if Habit.USAGE_ABSENT not in habit:
        chunk["usageMetadata"] = usage
    model = asked.path.rpartition("/")[2].partition(":")[0]
    return chunk | {"modelVersion": model, "responseId": f"r{asked.number}"}
