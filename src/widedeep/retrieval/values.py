"""Is a JSON value an object or a list?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard


def is_object(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """Tell whether a JSON value is an object."""
    return isinstance(value, Mapping)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Tell whether a JSON value is a list."""
    return isinstance(value, list)
