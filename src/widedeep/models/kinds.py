"""Which kinds of models are there, and what does each need?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec

from widedeep.errors import UsageError
from widedeep.models.compat import Server
from widedeep.models.named import server_of
from widedeep.models.others.prefixes import PREFIXES, Prefix
from widedeep.models.servers import BUILTIN, COMPAT, SERVERS
from widedeep.settings import Settings

SDKS = {
    "openai": "openai",
    "anthropic": "anthropic",
    "google": "google",
    "bedrock": "boto3",
    "xai": "xai_sdk",
}
"""What the optional packages of a provider are imported as, by their extra."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of models, by how their names look.

    `variable` holds the key (None = none is wanted), `key` says whether there is one. `extra`: what
    is to be installed for it (None = nothing, or it is there). `own`: the user's settings say
    something of it. `free`: it wants no server.
    """

    form: str
    label: str
    url: str | None = None
    variable: str | None = None
    key: bool = False
    extra: str | None = None
    own: bool = False
    free: bool = False


def kinds(settings: Settings) -> Iterator[Kind]:
    """Give every kind of models with what the settings say of it."""
    yield Kind(BUILTIN, "rules, without a language model", free=True)
    for prefix, needs in PREFIXES.items():
        key = settings.secret(prefix, needs.variable) is not None
        url = said.url if (said := settings.servers.get(prefix)) else None
        extra = None if installed(needs) else needs.extra
        yield Kind(
            f"{prefix}:NAME", needs.label, url, needs.variable, key, extra, own=said is not None
        )
    for prefix, known in SERVERS.items():
        said = settings.servers.get(prefix)
        url = (said and said.url) or known.url
        named = said and said.key
        variable = named or known.variable
        names = [named] if named else [prefix, *([variable] if variable else [])]
        key = settings.secret(*names) is not None
        yield Kind(f"{prefix}:NAME", known.label, url, variable, key, own=said is not None)
    yield Kind(f"{COMPAT}:URL#NAME", "any server that speaks Chat Completions")
    for prefix, said in settings.servers.items():
        if prefix not in (*SERVERS, *PREFIXES, COMPAT) and said.url:
            key = settings.secret(said.key or prefix) is not None
            yield Kind(f"{prefix}:NAME", "your own server", said.url, said.key, key, own=True)


def installed(needs: Prefix) -> bool:
    """Say whether the optional packages of a provider are there; nothing is imported."""
    return all(find_spec(name) for name in ("pydantic_ai", SDKS[needs.extra]))


def server_named(where: str, settings: Settings) -> Server:
    """Return the server that the beginning of a model's name means: `ollama`, `compat:URL`.

    Raises:
        UsageError: there is none, or its key is missing.
    """
    prefix, _, rest = where.partition(":")
    if prefix == COMPAT and rest:
        name = where if "#" in rest else f"{where}#NAME"
    elif prefix in SERVERS or (prefix in settings.servers and settings.servers[prefix].url):
        name = f"{prefix}:NAME"
    else:
        known = ", ".join((*SERVERS, *(one for one in settings.servers if one not in SERVERS)))
        raise UsageError(f"no server {where!r}: take one of {known}, compat:URL")
    return server_of(name, settings)[0]
