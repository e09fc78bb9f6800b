"""Which model does a name mean?

builtin                     rules, no key, no network
ollama:qwen3                a server of a kind that is known
compat:http://host/v1#qwen  any server that speaks Chat Completions
work:qwen3                  a server of the user's own, `[servers.work]`
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from widedeep.costs import Prices, dearest
from widedeep.errors import UsageError
from widedeep.models.servers import BUILTIN, COMPAT, SERVERS, Known
from widedeep.seams import Model, ModelInfo
from widedeep.settings.servers import said as said_of

if TYPE_CHECKING:
    from widedeep.models.compat import Server
    from widedeep.settings import Settings


def known_name(name: str, settings: Settings) -> str:
    """Return a model's name, if it means a model; nothing is asked or imported.

    Raises:
        UsageError: it means none, or its key is missing.
    """
    for one in each(name):
        if one != BUILTIN:
            _key_of(one, settings)
        if each(name).count(one) > 1:
            raise UsageError(f"--model {name!r}: names {one!r} twice; name each model once")
    return name


def open_model(name: str, settings: Settings) -> Model:
    """Return the model that a name means; of several names the next takes over where one fails.

    Args:
        name: as on the command line.
        settings: where servers, keys and habits stand.

    Raises:
        UsageError: it means none, its key is missing, or an extra is not installed.
    """
    models = [_opened(one, settings) for one in each(name)]
    if len(models) == 1:
        return models[0]
    from widedeep.models.chain import Chain

    return Chain(models)


def priced(name: str, settings: Settings) -> Prices | None:
    """Return what a model, or the dearest of several, takes for its tokens; None = unknown."""
    from widedeep.models import known

    found = [known.prices(one, settings) for one in each(name) if one != BUILTIN]
    told = [one for one in found if one is not None]
    if not told or len(told) < len(found):
        return None
    return told[0] if len(told) == 1 else dearest(told)


def each(name: str) -> list[str]:
    """Return the names in a name: several are parted by commas."""
    return [one.strip() for one in name.split(",")]


def _opened(name: str, settings: Settings) -> Model:
    if name == BUILTIN:
        from widedeep.models.builtin import Builtin

        return Builtin()
    from widedeep.models.patient import Patient
    from widedeep.net import lanes

    if is_hosted(name):
        return Patient(_hosted(name, settings), lanes(name))
    from widedeep.models import known
    from widedeep.models.compat import Compat

    server, model, _ = server_of(name, settings)
    info = ModelInfo(
        name,
        known.context(name, settings),
        notes=not server.constrained,
        prices=known.prices(name, settings),
    )
    return Patient(Compat(model, server, info), lanes(f"{server.label} at {server.url}"))


def is_hosted(name: str) -> bool:
    """Say whether a name means a model that is reached through pydantic-ai."""
    from widedeep.models.others import PREFIXES

    return name.partition(":")[0] in PREFIXES


def _hosted(name: str, settings: Settings) -> Model:
    from widedeep.models import known, others

    said = settings.models.get(name)
    server = settings.servers.get(name.partition(":")[0])
    return others.open_model(
        name,
        key=_key_of(name, settings),
        base_url=server.url if server else None,
        settings=said.body if said else None,
        prices=known.prices(name, settings),
        context=said.context if said else None,
    )


def _key_of(name: str, settings: Settings) -> str | None:
    """Return the key of a model; None where it needs none.

    Raises:
        UsageError: the name means no model, or its key is missing.
    """
    if not is_hosted(name):
        return server_of(name, settings)[0].key
    from widedeep.models.others import PREFIXES

    prefix, _, model = name.partition(":")
    if not model.strip():
        raise _unknown(name, settings)
    needs, said = PREFIXES[prefix], settings.servers.get(prefix)
    named = said.key if said else None
    key = settings.secret(*([named] if named else [prefix, needs.variable]))
    if key is None and prefix != "bedrock" and not (said and said.url):
        variable = named or needs.variable
        raise UsageError(f"no API key for {needs.label}: set the variable {variable}")
    if key is not None and not (key.isascii() and key.isprintable()):
        raise UsageError(
            f"the key of {needs.label} holds a character that no key has: set it again"
        )
    return key


def server_of(name: str, settings: Settings) -> tuple[Server, str, int | None]:
    """Return the server that a model's name means, the model's name there, and its context.

    Raises:
        UsageError: there is none, or its key is missing.
    """
    from widedeep.models.compat import Server

    prefix, found, model = name.partition(":")
    if not found or not model.strip():
        raise _unknown(name, settings)
    said = said_of(settings.servers[prefix]) if prefix in settings.servers else {}
    if prefix == COMPAT:
        url, _, model = model.partition("#")
        if not url or not model:
            raise UsageError(f"--model {name!r}: write it as compat:URL#MODEL")
        known = Known(url, "the server")
    elif prefix in SERVERS:
        known = SERVERS[prefix]
    elif "url" in said:
        known = Known(said["url"], prefix)
    else:
        raise _unknown(name, settings)
    if name in settings.models:
        said |= said_of(settings.models[name])
    context = said.pop("context", None)
    return _server(known, prefix, said, settings, Server), model, context


def _server(
    known: Known, prefix: str, said: dict[str, Any], settings: Settings, kind: type[Server]
) -> Server:
    """Return a kind of server with what the user said of it."""
    named = said.pop("key", None)
    variable = named or known.variable
    key = settings.secret(*([named] if named else [prefix, *([variable] if variable else [])]))
    if variable and key is None:
        raise UsageError(f"no API key for {known.label}: set the variable {variable}")
    if "returns" in said:
        said["returns"] = tuple(said["returns"])
    made = kind(known.url, key, variable, known.label, **known.habits)
    return replace(made, **said)


def _unknown(name: str, settings: Settings) -> UsageError:
    from widedeep.models.others import PREFIXES

    prefixes = dict.fromkeys((*SERVERS, *PREFIXES, *settings.servers))
    known = ", ".join([BUILTIN, *(f"{one}:NAME" for one in prefixes)])
    return UsageError(f"unknown model {name!r}: take one of {known}, compat:URL#MODEL")
