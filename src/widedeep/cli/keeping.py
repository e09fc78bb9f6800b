"""What do `widedeep runs export` and `widedeep runs delete` do?"""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from widedeep.cli.options import ConfigOption, JsonFlag, StoreOption
from widedeep.cli.runs import RunName, found, meant, recorded
from widedeep.errors import JournalError, UsageError

if TYPE_CHECKING:
    from widedeep.journal.keeping import Deleted

FAILED = 1

FileOption = Annotated[
    str | None, Parameter(metavar="FILE", help="Write to a file instead of stdout.")
]
RunNames = Annotated[
    str, Parameter(help="Each a run's id or how it begins; `last` is the newest.", negative=())
]
BeforeOption = Annotated[
    str | None,
    Parameter(metavar="DATE", help="Delete all runs from before a day, such as 2026-01-31."),
]
YesFlag = Annotated[bool, Parameter(help="Do not ask.", negative=(), show_default=False)]


def export_run(
    run: RunName,
    /,
    *,
    out: FileOption = None,
    json: JsonFlag = False,
    store: StoreOption = None,
    config: ConfigOption = None,
) -> int:
    """Write one run as JSON Lines: what it is, then each event with all its texts."""
    from widedeep.cli.output import to_json, write_json
    from widedeep.journal.keeping import exported

    rows = list(exported(recorded(store, config, run)))
    whole = {**rows[0], "events": rows[1:]}
    if out is not None:
        lines = [to_json(whole)] if json else [to_json(row, indent=None) for row in rows]
        _write("".join(f"{line}\n" for line in lines), out)
    elif json:
        write_json(whole)
    else:
        for row in rows:
            write_json(row, indent=None)
    return 0


def delete_runs(
    *runs: RunNames,
    before: BeforeOption = None,
    yes: YesFlag = False,
    json: JsonFlag = False,
    store: StoreOption = None,
    config: ConfigOption = None,
) -> int:
    """Delete runs for good. Exit status: 0 all deleted, 1 one goes on or you said no."""
    from widedeep.cli.output import complain, remark, write, write_json
    from widedeep.journal.keeping import delete

    if bool(runs) == (before is not None):
        raise UsageError("name the runs to delete, or pass --before DATE, and not both")
    since = None if before is None else _time(before)
    journal, known = found(store, config)
    if since is None:
        chosen = list(dict.fromkeys(meant(run, known, journal.parent) for run in runs))
    else:
        chosen = [run for run, at in known.items() if at is not None and at < since]
    if chosen and not (yes or _confirmed(chosen)):
        remark("nothing was deleted")
        return FAILED
    try:
        done = delete(journal, chosen) if chosen else None
    except JournalError as error:
        raise UsageError(str(error)) from None
    busy = () if done is None else done.busy
    for run in busy:
        complain(f"run {run!r} goes on in another process: wait for its end or end that process")
    if json:
        write_json(_object(done))
    else:
        write(_text(done))
    return FAILED if busy else 0


def _time(before: str) -> float:
    """Return when a day or a time begins where the user is, in seconds UTC."""
    try:
        return datetime.fromisoformat(before).astimezone().timestamp()
    except (ValueError, OverflowError, OSError):
        raise UsageError(
            f"--before {before!r}: is no date; write it as 2026-01-31 or 2026-01-31T18:00"
        ) from None


def _confirmed(chosen: list[str]) -> bool:
    """Ask the user, who must be there to answer."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError("what is deleted cannot be brought back: pass --yes to delete it")
    named = ", ".join(chosen[:3]) + (", ..." if len(chosen) > 3 else "")
    print(
        f"Delete {_count(len(chosen), 'run')} for good ({named})? [y/N] ", end="", file=sys.stderr
    )
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


def _object(done: Deleted | None) -> dict[str, object]:
    if done is None:
        return {"schema": 1, "deleted": [], "busy": [], "texts": 0, "bytes": 0}
    return {
        "schema": 1,
        "deleted": list(done.runs),
        "busy": list(done.busy),
        "texts": done.texts,
        "bytes": done.bytes,
    }


def _text(done: Deleted | None) -> str:
    if done is None or not done.runs:
        return "deleted no run"
    size = f"the journal is {done.bytes / 2**20:.1f} MB smaller"
    return f"deleted {_count(len(done.runs), 'run')} and {_count(done.texts, 'text')}; {size}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _write(text: str, out: str) -> None:
    """Write a file that the user has named."""
    from widedeep.cli.output import remark, write_file
    from widedeep.settings import place

    file = place(out, "--out")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_file(file, text)
    except OSError as error:
        reason = "is a directory" if file.is_dir() else f"cannot be written ({error.strerror})"
        raise UsageError(f"--out {str(file)!r}: {reason}; name another file") from None
    remark(f"wrote {file}")
