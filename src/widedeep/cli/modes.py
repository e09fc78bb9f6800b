"""How does the model of a run keep its width: by being asked, or by a schema?"""

from __future__ import annotations

from typing import get_args

from widedeep.errors import UsageError
from widedeep.models.named import BUILTIN, each, is_hosted, server_of
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
    models = dict(settings.models)
    for name in each(settings.model):
        if name == BUILTIN or is_hosted(name):
            raise UsageError(
                f"--width-mode {mode!r}: {_own_way(name)}; leave it out, or name a model of a "
                "server, such as --model ollama:NAME"
            )
        said = models.get(name, ServerOptions())
        models[name] = said.model_copy(update={"width_mode": chosen})
    return settings.model_copy(update={"models": models})


def _own_way(name: str) -> str:
    if name == BUILTIN:
        return "the built-in rules always keep their width"
    return f"{name} is always asked for its width"


def width_mode(settings: Settings) -> WidthMode | None:
    """Return how the model of a run keeps its width; None = it has no choice."""
    name = each(settings.model)[0]
    if name == BUILTIN or is_hosted(name):
        return None
    server, _, _ = server_of(name, settings)
    return "schema" if server.constrained else "hint"
