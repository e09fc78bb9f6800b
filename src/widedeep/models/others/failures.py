"""What does a provider's failure mean for the run?"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, cast

import httpx2
from pydantic_ai import exceptions as ai

from widedeep.errors import ContextError, ModelError, TransientError
from widedeep.models.saying import shown

TOO_LARGE = 413
"""HTTP status: the request is more than the server takes."""

AGAIN = frozenset({408, 409, 425, 429})
"""HTTP statuses below 500 after which asking again may help."""


@contextmanager
def told(key: str | None, *, billed: bool = False) -> Generator[None]:
    """Turn what pydantic-ai and the SDK under it raise into errors of ours, without the key.

    `billed`: some of a reply had come before.
    """
    try:
        yield
    except ai.ModelAPIError as error:
        raise _of_api(error, key, billed=billed) from error
    except ai.AgentRunError as error:
        said = f"the reply could not be read: {shown(error.message, key)}"
        raise TransientError(said, billed=billed) from error
    except ai.UserError as error:
        raise ModelError(shown(error.message, key)) from error
    except httpx2.TransportError as error:
        said = f"the connection failed: {shown(str(error) or type(error).__name__, key)}"
        raise TransientError(said, billed=billed) from error


def _of_api(error: ai.ModelAPIError, key: str | None, *, billed: bool) -> ModelError:
    status = error.status_code if isinstance(error, ai.ModelHTTPError) else None
    said = _said(error)
    text = shown(f"status {status}: {said}" if status else said, key)
    if isinstance(error, ai.ModelContextWindowExceededError) or status == TOO_LARGE:
        return ContextError(text)
    if isinstance(error, ai.ModelQuotaExceededError):
        return ModelError(text)
    crowded = isinstance(error, ai.ModelRateLimitError)
    if crowded or _passing(error, status):
        return TransientError(text, wait=error.retry_after, crowded=crowded, billed=billed)
    return ModelError(text)


def _passing(error: ai.ModelAPIError, status: int | None) -> bool:
    """Say whether asking again may help; without a status, what came could not be read."""
    if isinstance(error, ai.ModelUnavailableError | ai.ModelServerError | ai.ModelConnectionError):
        return True
    if status is None:
        return not isinstance(error, ai.ModelRequestRejectedError)
    return status in AGAIN or status >= 500


def _said(error: ai.ModelAPIError) -> str:
    """Return the provider's own words, if its answer has the usual form."""
    body = error.body
    if isinstance(body, Mapping):
        body = cast("Mapping[str, Any]", body).get("error", body)
    message = cast("Mapping[str, Any]", body).get("message") if isinstance(body, Mapping) else None
    return message if isinstance(message, str) else error.message
