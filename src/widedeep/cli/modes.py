"""How does the model of a run keep its width: by being asked, or by a schema?"""

from __future__ import annotations

from typing import get_args

from widedeep.errors import UsageError
from widedeep.models.named import BUILTIN, server_of
from widedeep.settings import Settings, WidthMode
from widedeep.settings.servers import ServerOptions

MODES: tuple[WidthMode, ...] = get_args(WidthMode)


def moded(settings: Settings, mode: str | None) -> Settings:
    """Return the settings in which the model keeps its width in a way that was told; None = none.

    Raises:
        UsageError: there is no such way, or the model has none.
    """
    if mode is None:
        return settings
    chosen = next((one for one in MODES if one == mode), None)
    if chosen is None:
        known = ", ".join(MODES)
        raise UsageError(f"--width-mode {mode!r}: there is no such mode; take one of {known}")
    name = settings.model
    if name == BUILTIN:
        raise UsageError(
            f"--width-mode {mode!r}: the built-in rules always keep their width; leave it out, or "
            "name a model, such as --model ollama:NAME"
        )
    said = settings.models.get(name, ServerOptions()).model_copy(update={"width_mode": chosen})
    return settings.model_copy(update={"models": {**settings.models, name: said}})


def width_mode(settings: Settings) -> WidthMode | None:
    """Return how the model of a run keeps its width; None = it has no choice."""
    if settings.model == BUILTIN:
        return None
    server, _, _ = server_of(settings.model, settings)
    return "schema" if server.constrained else "hint"
