"""Which server is asked, and which habits does it have?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

from widedeep.errors import UsageError
from widedeep.messages import Json


@dataclass(frozen=True, slots=True)
class Server:
    """A server that speaks Chat Completions.

    Args:
        url: the base URL, as a rule ending in `/v1`.
        key: the API key, if it wants one; it is in no message, log or record.
        variable: what holds the key, for messages.
        label: what messages call the server.
        stream: whether replies are streamed; without it no call starts early.
        usage: whether it is asked to tell its usage in a stream.
        parallel_switch: whether it knows `parallel_tool_calls`.
        choice_none: whether it knows `tool_choice: "none"`; without it the answering request has no
            tools.
        limit_field: how it calls the limit of output tokens.
        calls_in_text: whether calls are also looked for in the text, as a server leaves them there
            whose parser does not know its model.
        returns: fields of a reply that are sent back unchanged, as reasoning is.
        alternates: whether messages of the user may not follow each other.
        body: what is added to every request.
        tool_calls: whether its model can call tools at all.
        width_mode: how a width is kept: "hint" asks for so many tool calls, "schema" lets the model
            write nothing else than a JSON object with so many; "auto" = "schema" where the model
            cannot call tools.

    Raises:
        UsageError: the URL is none.
    """

    url: str
    key: str | None = field(default=None, repr=False)
    variable: str | None = None
    label: str = "the server"
    stream: bool = True
    usage: bool = True
    parallel_switch: bool = True
    choice_none: bool = True
    limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    calls_in_text: bool = False
    returns: tuple[str, ...] = ()
    alternates: bool = False
    body: Json = field(default_factory=dict[str, Any])
    tool_calls: bool = True
    width_mode: Literal["auto", "hint", "schema"] = "auto"

    @property
    def constrained(self) -> bool:
        """Whether replies are held to a JSON Schema."""
        return self.width_mode == "schema" or (self.width_mode == "auto" and not self.tool_calls)

    def __post_init__(self) -> None:
        wrong = _wrong(self.url)
        if wrong is not None:
            raise UsageError(
                f"the URL of {self.label} {wrong}: give one like http://localhost:8000/v1"
            )
        if self.key is not None and not (self.key.isascii() and self.key.isprintable()):
            raise UsageError(
                f"the key of {self.label} holds a character that no key has, such as a line break: "
                f"set {self.variable or 'it'} again"
            )


def _wrong(url: str) -> str | None:
    """Return what is wrong with a server's URL; a secret that may be in it is not repeated."""
    try:
        parts = urlsplit(url)
        secret = parts.username or parts.password or parts.query or parts.fragment
        port = parts.port
    except ValueError as error:
        return f"cannot be read ({error})"
    if secret:
        return "holds a user, a password or a query (a key has its own place, `key`)"
    if parts.scheme not in {"http", "https"} or not parts.hostname or port == 0:
        return f"is {url!r}, which is none of a server"
    if any(letter.isspace() or not letter.isprintable() for letter in url):
        return f"is {url!r}, which has a space in it"
    return None
