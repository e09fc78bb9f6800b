"""What does `widedeep models list` print?"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from widedeep.cli.options import ConfigOption, JsonFlag

if TYPE_CHECKING:
    from widedeep.costs import Prices
    from widedeep.models.compat.listing import Served
    from widedeep.models.kinds import Kind
    from widedeep.settings import Settings

Row = Sequence[str]


def list_models(
    server: Annotated[
        str | None,
        Parameter(help="A server to ask what it serves: ollama, vllm, compat:URL, your own."),
    ] = None,
    /,
    *,
    json: JsonFlag = False,
    config: ConfigOption = None,
) -> int:
    """List the kinds of models and what is said of single ones, or what a server serves."""
    from widedeep.cli.wiring import read_settings

    settings = read_settings(config, None).settings
    return _all(settings, json=json) if server is None else _served(server, settings, json=json)


def _all(settings: Settings, *, json: bool) -> int:
    from widedeep.cli.output import write, write_json
    from widedeep.models.kinds import kinds
    from widedeep.models.named import each

    found = list(kinds(settings))
    names = dict.fromkeys((*each(settings.model), *settings.models, *settings.prices))
    models = [_model(name, settings) for name in names]
    if json:
        listed = [asdict(kind) for kind in found]
        write_json({"schema": 1, "default": settings.model, "kinds": listed, "models": models})
        return 0
    lines = [
        *_table([("NAME", "WHAT", "KEY", "WHERE"), *(_kind(kind) for kind in found)]),
        "",
        *_table([("MODEL", "CONTEXT", "PRICES", "SAID OF IT"), *map(_shown, models)]),
        "",
        f"default: {settings.model}; prices are USD for a million tokens, read / written",
    ]
    write("\n".join(lines))
    return 0


def _served(where: str, settings: Settings, *, json: bool) -> int:
    from widedeep.cli.output import remark, write, write_json
    from widedeep.models.compat.listing import served
    from widedeep.models.kinds import server_named

    server = server_named(where, settings)
    found = sorted(asyncio.run(served(server)), key=lambda one: one.id)
    begins = f"{where.partition('#')[0].rstrip(':')}{'#' if where.startswith('compat:') else ':'}"
    models = [_of_server(f"{begins}{one.id}", one, settings) for one in found]
    if json:
        write_json({"schema": 1, "server": where, "url": server.url, "models": models})
        return 0
    if not models:
        remark(f"{server.label} at {server.url} serves no model")
        return 0
    write("\n".join(_table([("MODEL", "CONTEXT", "PRICES", "SAID OF IT"), *map(_shown, models)])))
    return 0


def _of_server(name: str, served: Served, settings: Settings) -> dict[str, Any]:
    made = _model(name, settings)
    return made | {"context": made["context"] or served.context}


def _model(name: str, settings: Settings) -> dict[str, Any]:
    """Return what is known of a model."""
    from widedeep.models import known
    from widedeep.settings.servers import said

    told = said(settings.models[name]) if name in settings.models else {}
    told.pop("context", None)
    return {
        "name": name,
        "context": known.context(name, settings),
        "prices": _priced(name, settings),
        "said": told,
    }


def _priced(name: str, settings: Settings) -> dict[str, Any] | None:
    """Return the prices of a model; None = nobody tells them."""
    from widedeep.models import known
    from widedeep.models.servers import BUILTIN

    if name == BUILTIN:
        return {"input": 0.0, "output": 0.0, "source": "free"}
    found = known.prices(name, settings)
    return None if found is None else _prices(found)


def _prices(found: Prices) -> dict[str, Any]:
    return {name: value for name, value in asdict(found).items() if value not in (None, ())}


def _kind(kind: Kind) -> Row:
    needs = "none wanted" if kind.variable is None else f"{kind.variable} is not set"
    key = f"{kind.variable or 'in [secrets]'} is set" if kind.key else needs
    extra = kind.extra and f"needs: pip install 'widedeep[{kind.extra}]'"
    where = extra or kind.url or ""
    return kind.form, kind.label, "" if kind.free else key, where


def _shown(model: dict[str, Any]) -> Row:
    prices, context = model["prices"], model["context"]
    told = "unknown" if prices is None else f"{prices['input']:g} / {prices['output']:g}"
    if prices is not None and "source" in prices:
        told += f" ({prices['source']})"
    said = ", ".join(f"{name} = {value}" for name, value in model["said"].items())
    return model["name"], "unknown" if context is None else f"{context:,}", told, said


def _table(rows: Sequence[Row]) -> Iterator[str]:
    """Give the lines of a table whose columns are as wide as they must be."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()
