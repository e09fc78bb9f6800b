"""What do `widedeep runs list` and `widedeep runs show` print?"""

from __future__ import annotations

import sys
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from widedeep.cli import hiding
from widedeep.cli.options import ConfigOption, JsonFlag, StoreOption
from widedeep.errors import JournalError, UsageError

if TYPE_CHECKING:
    from widedeep.events import Record
    from widedeep.journal import RunSummary
    from widedeep.report.timeline import Timeline

LAST = "last"

RunName = Annotated[str, Parameter(help="A run's id or how it begins; `last` is the newest.")]
SvgOption = Annotated[
    str | None, Parameter(metavar="FILE", help="Write the run as a picture instead of showing it.")
]


def list_runs(
    *, json: JsonFlag = False, store: StoreOption = None, config: ConfigOption = None
) -> int:
    """List the runs in the store, newest first."""
    from widedeep.cli.output import write, write_json
    from widedeep.report.runs import list_object, list_text

    runs, _ = _read(store, config)
    if json:
        write_json(list_object(runs))
    elif runs:
        write(list_text(runs, get_terminal_size().columns if sys.stdout.isatty() else None))
    else:
        write('no runs yet; make one: widedeep ask --corpus PATH "your question"')
    return 0


def show_run(
    run: RunName,
    /,
    *,
    svg: SvgOption = None,
    json: JsonFlag = False,
    store: StoreOption = None,
    config: ConfigOption = None,
) -> int:
    """Show one run: its turns with hints, calls and outcomes, then the answer."""
    from widedeep.cli.output import write_json
    from widedeep.report.runs import run_object
    from widedeep.report.timeline import follow

    picture = None if svg is None else _picture(svg)
    _, records = _read(store, config, run)
    timeline = follow(records)
    if picture is not None:
        _draw(timeline, picture)
    elif json:
        write_json(run_object(timeline))
    else:
        _show(timeline)
    return 0


def recorded(store: str | None, config: str | None, named: str) -> list[Record]:
    """Return the records of the run that is named."""
    return _read(store, config, named)[1]


def _read(
    store: str | None, config: str | None, named: str | None = None
) -> tuple[list[RunSummary], list[Record]]:
    """Return the store's runs, and the records of the one that is named."""
    from widedeep.cli import wiring
    from widedeep.journal import reading

    folder = wiring.read_settings(config, store).settings.store
    journal = folder / wiring.JOURNAL
    try:
        runs = list(map(hiding.shape, reading.runs(journal))) if _exists(journal) else []
        if named is None:
            return runs, []
        if runs:
            return runs, list(map(hiding.shape, reading.read(journal, _id(named, runs))))
    except JournalError as error:
        raise UsageError(str(error)) from None
    raise UsageError(f"no run {named!r}: the store {str(folder)!r} has none; see --store")


def _exists(journal: Path) -> bool:
    try:
        return journal.exists()
    except OSError as error:
        reason = f"cannot be looked at ({error.strerror})"
        raise UsageError(f"the journal {str(journal)!r} {reason}; pass another --store") from None


def _id(named: str, runs: list[RunSummary]) -> str:
    """Return the id that a name means."""
    if named == LAST:
        return runs[0].run_id
    found = [run.run_id for run in runs if named and run.run_id.startswith(named)]
    if named in found:
        return named
    if not found:
        raise UsageError(f"no run {named!r} in the store: see `widedeep runs list`")
    if len(found) > 1:
        raise UsageError(f"{named!r} begins {len(found)} runs: {', '.join(found[:3])}; add to it")
    return found[0]


def _show(timeline: Timeline) -> None:
    """Print a run in a terminal as it looked, elsewhere line by line."""
    from widedeep.cli.output import terminal, write
    from widedeep.report.lines import told
    from widedeep.report.plain import answer_text
    from widedeep.report.terminal import fit, run_block

    if console := terminal(sys.stdout):
        console = fit(console)
        console.print(run_block(timeline, console, hints=True))
        return
    write("\n".join(told(timeline)))
    if timeline.answer is not None:
        write("\n" + answer_text(timeline.answer))


def _picture(svg: str) -> Path:
    """Return the file that a picture is written to."""
    from widedeep.settings import place

    file = place(svg, "--svg")
    if file.is_dir():
        raise UsageError(f"--svg {svg!r}: is a directory; name a file, such as run.svg")
    return file


def _draw(timeline: Timeline, file: Path) -> None:
    from widedeep.cli.output import remark, write_file
    from widedeep.report.picture import svg

    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_file(file, svg(timeline))
    except OSError as error:
        raise UsageError(
            f"--svg {str(file)!r}: cannot be written ({error.strerror}); name another file"
        ) from None
    remark(f"wrote {file}")
