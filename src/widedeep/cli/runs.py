"""What do `widedeep runs list` and `widedeep runs show` print?"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from widedeep.cli import hiding
from widedeep.cli.given import whole
from widedeep.cli.options import ConfigOption, JsonFlag, StoreOption
from widedeep.errors import JournalError, UsageError

if TYPE_CHECKING:
    from widedeep.events import Record, RunStarted
    from widedeep.journal import RunSummary
    from widedeep.report.timeline import Timeline

LAST = "last"

RunName = Annotated[str, Parameter(help="A run's id or how it begins; `last` is the newest.")]
LimitOption = Annotated[
    str, Parameter(metavar="N", help="How many are shown. Default: 20.", show_default=False)
]
SvgOption = Annotated[
    str | None, Parameter(metavar="FILE", help="Write the run as a picture instead of showing it.")
]


def list_runs(
    *,
    limit: LimitOption = "20",
    json: JsonFlag = False,
    store: StoreOption = None,
    config: ConfigOption = None,
) -> int:
    """List the runs in the store, newest first."""
    from widedeep.cli.output import remark, write, write_json
    from widedeep.report.runs import list_object, list_text

    most = whole("--limit", limit, 1, 10**9)
    runs, more = _newest(store, config, most)
    if json:
        write_json(list_object(runs, more))
    elif runs:
        write(list_text(runs, get_terminal_size().columns if sys.stdout.isatty() else None))
        if more:
            older = "1 older run" if more == 1 else f"{more:,} older runs"
            remark(f"{older} not shown: --limit {len(runs) + more} shows all")
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
    records = recorded(store, config, run)
    timeline = follow(records)
    if picture is not None:
        _draw(timeline, picture)
    if json:
        write_json(run_object(timeline))
    elif picture is None:
        _show(timeline)
    return 0


def recorded(store: str | None, config: str | None, named: str) -> list[Record]:
    """Return the records of the run that is named."""
    from widedeep.journal import reading

    journal, known = found(store, config)
    run_id = meant(named, known, journal.parent)
    try:
        return list(map(hiding.shape, reading.read(journal, run_id)))
    except JournalError as error:
        raise UsageError(str(error)) from None


def begun(store: str | None, config: str | None, named: str) -> tuple[RunStarted, list[Record]]:
    """Return how the run that is named began, and its records."""
    from widedeep.events import RunStarted

    records = recorded(store, config, named)
    start = records[0].event if records else None
    if not isinstance(start, RunStarted):
        raise UsageError("the record of this run has no beginning: see `widedeep runs list`")
    return start, records


def found(store: str | None, config: str | None) -> tuple[Path, dict[str, float | None]]:
    """Return the journal and when each of its runs began, newest first."""
    from widedeep.journal import reading

    journal = _journal(store, config)
    try:
        return journal, reading.ids(journal) if _exists(journal) else {}
    except JournalError as error:
        raise UsageError(str(error)) from None


def meant(named: str, known: Iterable[str], store: Path) -> str:
    """Return the id that a name means."""
    every = list(known)
    if not every:
        raise UsageError(f"no run {named!r}: the store {str(store)!r} has none; see --store")
    if named == LAST:
        return every[0]
    found = [run_id for run_id in every if named and run_id.startswith(named)]
    if named in found:
        return named
    if not found:
        raise UsageError(f"no run {named!r} in the store: see `widedeep runs list`")
    if len(found) > 1:
        raise UsageError(f"{named!r} begins {len(found)} runs: {', '.join(found[:3])}; add to it")
    return found[0]


def _newest(store: str | None, config: str | None, most: int) -> tuple[list[RunSummary], int]:
    """Return the newest runs and how many more there are."""
    from widedeep.journal import reading

    journal, known = found(store, config)
    if not known:
        return [], 0
    try:
        runs = list(map(hiding.shape, reading.runs(journal, most)))
    except JournalError as error:
        raise UsageError(str(error)) from None
    return runs, max(0, len(known) - len(runs))


def _journal(store: str | None, config: str | None) -> Path:
    from widedeep.cli import wiring

    return wiring.read_settings(config, store).settings.store / wiring.JOURNAL


def _exists(journal: Path) -> bool:
    try:
        return journal.exists()
    except OSError as error:
        reason = f"cannot be looked at ({error.strerror})"
        raise UsageError(f"the journal {str(journal)!r} {reason}; pass another --store") from None


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
