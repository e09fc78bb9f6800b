"""What does a failed request mean: is it too long, wrong, or worth asking again?"""

from __future__ import annotations

import json
import re

from widedeep.errors import ContextError, ModelError, TransientError
from widedeep.models.compat.loose import mapping
from widedeep.models.compat.server import Server
from widedeep.models.saying import READ, shown

AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
"""Statuses after which asking again may help."""

CROWDED = frozenset({429, 503, 529})
"""Statuses that say that the server has too much to do."""

_TOO_LONG = re.compile(
    r"context.{0,20}(?:length|window|size)|maximum context|too many (?:input )?tokens"
    r"|prompt is too long|input is too long|exceeds? the (?:available|maximum|model)"
    r"|reduce the length|request too large",
    re.IGNORECASE,
)
_NO_CREDIT = frozenset(
    {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_funds"}
)
"""Codes that a server gives with 429 when waiting is no use: its account is empty."""


def failure(server: Server, status: int, body: str, wait: float | None) -> ModelError:
    """Return the error that an answer with an error status means.

    Args:
        server: who answered.
        status: the HTTP status.
        body: what it says.
        wait: seconds after which to ask again, if it names them.
    """
    said = _message(body)
    text = shown(f"{server.label} answered {status}: {said or 'nothing more'}", server.key)
    if status in {400, 413, 422, 500} and _TOO_LONG.search(said):
        return ContextError(text)
    if status in {401, 403}:
        return ModelError(f"{text}; {_key_fix(server)}")
    if status == 404:
        return ModelError(f"{text}; check the model's name and the URL {server.url}")
    if status in AGAIN and not _codes(body) & _NO_CREDIT:
        return TransientError(text, wait=wait, crowded=status in CROWDED)
    return ModelError(text)


def in_stream(server: Server, error: object) -> ModelError:
    """Return the error that a server sent in the midst of a reply."""
    entry = mapping(error) or {"message": error}
    code = entry.get("code")
    said = str(entry.get("message") or entry.get("type") or error)
    text = shown(f"{server.label} broke off its reply: {said}", server.key)
    if _TOO_LONG.search(said):
        return ContextError(text)
    status = code if isinstance(code, int) else 500
    if status in AGAIN:
        return TransientError(text, crowded=status in CROWDED)
    return ModelError(text)


def unsent(server: Server, error: Exception, *, met: bool) -> ModelError:
    """Return the error that a connection means that could not be made, or broke before any byte.

    Args:
        server: who was asked.
        error: what happened.
        met: whether the server has ever answered; one that never did is not waited for.
    """
    from httpx2 import ConnectError, ConnectTimeout

    if not isinstance(error, (ConnectError, ConnectTimeout)):
        return TransientError(str(lost(server, error)), wait=0.0)
    said = " ".join(str(error).split()) or type(error).__name__
    text = f"cannot connect to {server.url} ({said}): is the server running?"
    return TransientError(text) if met else ModelError(text)


def lost(server: Server, error: Exception) -> TransientError:
    """Return the error that a connection means that broke in the midst of a reply."""
    said = " ".join(str(error).split()) or type(error).__name__
    return TransientError(shown(f"the connection to {server.label} was lost: {said}", server.key))


def _key_fix(server: Server) -> str:
    if server.key:
        return f"is the key in {server.variable} right?" if server.variable else "is the key right?"
    return f"set {server.variable}" if server.variable else "it wants a key"


def _codes(body: str) -> set[str]:
    """Return what a server calls its error, in the fields that are for it."""
    error = mapping(mapping(_parsed(body)).get("error"))
    return {value for name in ("code", "type") if isinstance(value := error.get(name), str)}


def _parsed(body: str) -> object:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _message(body: str) -> str:
    """Return the server's message: of its JSON, or the words of a page that a proxy sent."""
    value = _parsed(body)
    if value is None:
        return re.sub(r"<[^>]*>", " ", body[:READ]).strip()
    entry = mapping(value)
    error: object = entry.get("error", entry.get("detail", entry.get("message", value)))
    if inner := mapping(error):
        parts = [inner.get("message"), mapping(inner.get("metadata")).get("raw")]
        return " ".join(str(part) for part in parts if part) or json.dumps(dict(inner))
    return error if isinstance(error, str) else json.dumps(error)
