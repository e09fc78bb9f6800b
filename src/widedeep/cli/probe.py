"""What does `widedeep models probe` do?"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from widedeep.cli.given import whole
from widedeep.cli.options import ConfigOption, JsonFlag, QuietFlag
from widedeep.errors import UsageError

if TYPE_CHECKING:
    from widedeep.models.probe import Case, Findings, Probe
    from widedeep.settings import Settings

WIDEST = 32
"""The most calls that a probe asks for."""

ModelName = Annotated[str, Parameter(help="A model at a server, such as ollama:NAME.")]
WidthsOption = Annotated[
    str, Parameter(metavar="LIST", help="How many calls are asked for.", negative=())
]
OutputOption = Annotated[
    str, Parameter(metavar="N", help="Tokens that a reply may have.", negative=())
]
DryFlag = Annotated[
    bool,
    Parameter(
        help="Ask, but write nothing into the file of settings.", negative=(), show_default=False
    ),
]


def probe_model(
    model: ModelName,
    /,
    *,
    widths: WidthsOption = "1,3,8",
    max_output: OutputOption = "1024",
    dry_run: DryFlag = False,
    json: JsonFlag = False,
    quiet: QuietFlag = False,
    config: ConfigOption = None,
) -> int:
    """Find out what a model at a server can do, and write it into the user's settings."""
    from widedeep.cli.output import remark, write, write_json
    from widedeep.cli.wiring import read_settings
    from widedeep.report.probes import object_of, told

    made = read_settings(config, None)
    wanted = [whole("--widths", one.strip(), 1, WIDEST) for one in widths.split(",")]
    probe = _probe(model, made.settings)
    probe.widths, probe.most = wanted, whole("--max-output", max_output, 16, 100_000)
    file = made.file or _file()
    if not quiet:
        remark(_beforehand(probe))
        probe.on = lambda case: remark(_progress(case))
    found = asyncio.run(probe.run())
    written = _write(found, file, dry_run=dry_run)
    if json:
        write_json(object_of(found, file, written=written))
    else:
        write(told(found, file, written=written))
    return 0 if found.modes else 1


def _probe(name: str, settings: Settings) -> Probe:
    """Return the probe of a model.

    Raises:
        UsageError: the name means no model at a server that is probed.
    """
    from widedeep.models.named import server_of
    from widedeep.models.others.prefixes import PREFIXES
    from widedeep.models.probe import FLAGS, Probe
    from widedeep.models.servers import BUILTIN

    if name == BUILTIN:
        raise UsageError("the built-in rules need no probe; name a model, such as ollama:NAME")
    if (prefix := name.partition(":")[0]) in PREFIXES:
        raise UsageError(
            f"{name!r} needs no probe: what {PREFIXES[prefix].label} can do is known; probed are "
            "models at servers that speak Chat Completions, such as ollama:NAME"
        )
    known, model, _ = server_of(name, settings)
    models = dict(settings.models)
    if name in models:
        found_before: dict[str, Any] = dict.fromkeys((*FLAGS, "width_mode"))
        models[name] = models[name].model_copy(update=found_before)
    fresh, _, _ = server_of(name, settings.model_copy(update={"models": models}))
    return Probe(name, model, fresh, known)


def _file() -> Path:
    """Return the file that is made where the user has none."""
    from widedeep import settings

    return settings.default_config()


def _beforehand(probe: Probe) -> str:
    from widedeep.models.probe import most_requests

    return (
        f"at most {most_requests(probe.widths)} requests to {probe.server.url}, each for at most "
        f"{probe.most:,} tokens of output"
    )


def _progress(case: Case) -> str:
    kind = "tool calls" if case.mode == "hint" else "a schema"
    how = f"{kind}, {'streamed' if case.stream else 'in one piece'}"
    came = case.error or f"{case.valid} came"
    return f"{case.asked} wanted by {how}: {came}"


def _write(found: Findings, file: Path, *, dry_run: bool) -> bool:
    """Write what is new into the file of settings; say whether that was done."""
    from widedeep.cli import hiding
    from widedeep.settings.writing import write_model

    if dry_run or not found.changes:
        return False
    if hiding.text(found.name) != found.name:
        raise UsageError(
            "the model's name holds a secret, which is not written into a file: take it out of the "
            "URL, or pass --dry-run"
        )
    write_model(file, found.name, found.changes)
    return True
