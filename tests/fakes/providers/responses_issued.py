"""Which items has a Responses server given out?"""

from dataclasses import dataclass, field

from tests.fakes.providers.script import Json


@dataclass(slots=True)
class Issued:
    """The items of earlier replies: by id, with the reasoning before each call and what follows."""

    reasoning: dict[str, Json] = field(default_factory=dict)
    stored: set[str] = field(default_factory=set)
    before: dict[str, str] = field(default_factory=dict)
    after: dict[str, Json | None] = field(default_factory=dict)

    def remember(self, items: list[Json], *, stored: bool) -> None:
        thought = next((item for item in items if item["type"] == "reasoning"), None)
        if thought is None:
            return
        self.reasoning[thought["id"]] = thought
        self.stored |= {thought["id"]} if stored else set()
        following = items[items.index(thought) + 1 :]
        # A text that is blank may be left out.
        shown = (item for item in following if not blank(item))
        self.after[thought["id"]] = next(shown, None)
        for item in following:
            if item["type"] == "function_call":
                self.before[item["call_id"]] = thought["id"]


def blank(item: Json) -> bool:
    """Tell whether an item is a text of nothing but space."""
    if item.get("type", "message") != "message":
        return False
    content = item["content"]
    parts = [content] if isinstance(content, str) else [part["text"] for part in content]
    return not "".join(parts).strip()
