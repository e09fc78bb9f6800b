"""How does the model of a run keep its width: by being asked, or by a schema?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from widedeep.errors import UsageError
from widedeep.models.named import each, is_hosted, server_of
from widedeep.models.servers import BUILTIN
from widedeep.settings import Settings, WidthMode
from widedeep.settings.servers import ServerOptions

MODES: tuple[WidthMode, ...] = get_args(WidthMode)


def moded(settings: Settings, mode: str | Mapping[str, str] | None) -> Settings:
    """Return the settings in which models keep their width in a way that was told; None = none.

    Args:
        settings: the settings, with the name of the run's model or of several.
        mode: the way of all that have a choice, or on record the way of each by its name.

    Raises:
        UsageError: there is no such way, or no model has a choice.
    """
    if mode is None:
        return settings
    able = [name for name in each(settings.model) if _has_choice(name)]
    if isinstance(mode, str):
        told = dict.fromkeys(able, _known(mode))
        if not able:
            raise UsageError(
                f"--width-mode {mode!r}: {_own_way(settings.model)}; leave it out, or name a model "
                "of a server, such as --model ollama:NAME"
            )
    else:
        told = {name: _known(one) for name, one in mode.items() if name in able}
    models = dict(settings.models)
    for name, chosen in told.items():
        said = models.get(name, ServerOptions())
        models[name] = said.model_copy(update={"width_mode": chosen})
    return settings.model_copy(update={"models": models})


def width_modes(settings: Settings) -> dict[str, WidthMode]:
    """Return how the models of a run keep their width, those that have a choice."""
    servers = {
        name: server_of(name, settings)[0] for name in each(settings.model) if _has_choice(name)
    }
    return {name: "schema" if one.constrained else "hint" for name, one in servers.items()}


def _has_choice(name: str) -> bool:
    return name != BUILTIN and not is_hosted(name)


def _known(mode: str) -> WidthMode:
    for one in MODES:
        if one == mode:
            return one
    known = ", ".join(MODES)
    raise UsageError(f"--width-mode {mode!r}: there is no such mode; take one of {known}")


def _own_way(name: str) -> str:
    if name == BUILTIN:
        return "the built-in rules always keep their width"
    return f"{name} is always asked for its width"
