"""Which models does a server say that it serves?"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from widedeep.errors import ModelError
from widedeep.models.compat.failures import failure, lost, unsent
from widedeep.models.compat.loose import count, mapping
from widedeep.models.compat.server import Server
from widedeep.models.saying import shown

if TYPE_CHECKING:
    from httpx2 import AsyncBaseTransport, Response

PATIENCE = 20.0
"""Seconds that a list may take."""

_CONTEXT = ("max_model_len", "context_length", "context_window", "max_context_length")
"""What servers call the context of a model in their lists."""


@dataclass(frozen=True, slots=True)
class Served:
    """A model that a server names; `context` in tokens, None = it does not say."""

    id: str
    context: int | None


async def served(server: Server, transport: AsyncBaseTransport | None = None) -> list[Served]:
    """Return the models that a server lists at `GET /models`.

    Raises:
        ModelError: it cannot be asked, or answers with no list.
    """
    from httpx2 import AsyncClient, HTTPError, InvalidURL, Timeout

    headers = {"authorization": f"Bearer {server.key}"} if server.key else {}
    url = f"{server.url.rstrip('/')}/models"
    try:
        async with AsyncClient(timeout=Timeout(PATIENCE), transport=transport) as client:
            response = await client.get(url, headers=headers)
    except InvalidURL as error:
        raise ModelError(f"{url!r}: {error}; check the URL") from error
    except HTTPError as error:
        raise _unreached(server, error) from error
    if response.status_code != 200:
        raise failure(server, response.status_code, response.text, None)
    return _read(server, response)


def _unreached(server: Server, error: Exception) -> ModelError:
    from httpx2 import ConnectError, ConnectTimeout

    if isinstance(error, (ConnectError, ConnectTimeout)):
        return unsent(server, error, met=False)
    return ModelError(str(lost(server, error)))


def _read(server: Server, response: Response) -> list[Served]:
    try:
        value: object = json.loads(response.text)
    except (ValueError, RecursionError):
        value = None
    entries: object = mapping(value).get("data", value)
    if not isinstance(entries, list):
        raise ModelError(
            shown(f"{server.label} sent no list of models: {response.text}", server.key)
        )
    found = map(mapping, cast("list[object]", entries))
    return [Served(id, _context(one)) for one in found if isinstance(id := one.get("id"), str)]


def _context(entry: object) -> int | None:
    one = mapping(entry)
    return next((found for name in _CONTEXT if (found := count(one.get(name)))), None)
