"""How is something said of a model written into a user's file, whose words stay as they are?"""

from __future__ import annotations

import os
import stat
import tempfile
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from widedeep.errors import UsageError
from widedeep.settings.servers import options

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

SECTION = "models"


def write_model(file: Path, name: str, said: Mapping[str, bool | str]) -> None:
    """Write what is said of a model into `[models."NAME"]` of a file, which is made if need be.

    Comments, order and everything else in the file stay. It is replaced as a whole or not at all.

    Args:
        file: a TOML file of settings.
        name: the model's name, as on the command line.
        said: what is said, by the names that `ServerOptions` has.

    Raises:
        UsageError: the file cannot be read or written.
    """
    target = Path(os.path.realpath(file))
    try:
        before = target.read_text(encoding="utf-8") if target.exists() else ""
        text = changed(before, name, said, str(file))
        target.parent.mkdir(parents=True, exist_ok=True)
        _replace(target, text)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise UsageError(
            f"{file}: cannot be written to ({reason}); pass --dry-run and write it by hand"
        ) from None


def changed(text: str, name: str, said: Mapping[str, bool | str], origin: str) -> str:
    """Return a TOML text with what is said of a model.

    Raises:
        UsageError: the text is no TOML, or holds something else in that place.
    """
    wanted = _with(text, name, said, origin)
    made = _edited(text, name, said)
    if made is None or tomllib.loads(made) != wanted:
        raise UsageError(
            f"{origin}: {SECTION} is written in a way that cannot be added to; write "
            f'[{SECTION}."{name}"] as a table of its own'
        )
    return made


def _with(text: str, name: str, said: Mapping[str, bool | str], origin: str) -> dict[str, Any]:
    """Return what the values of the text become."""
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{origin}: not a TOML file: {error}; correct that line") from None
    options(SECTION, values.get(SECTION, {}), origin)
    tables = cast("dict[str, dict[str, Any]]", values.setdefault(SECTION, {}))
    tables[name] = {**tables.get(name, {}), **said}
    return values


def _edited(text: str, name: str, said: Mapping[str, bool | str]) -> str | None:
    """Return the text with its own words, or None where the editor finds no way."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
        _set(document, name, said)
        return tomlkit.dumps(document)
    except TOMLKitError:
        return None


def _set(document: TOMLDocument, name: str, said: Mapping[str, bool | str]) -> None:
    import tomlkit
    from tomlkit.items import InlineTable

    if SECTION not in document:
        document.add(SECTION, tomlkit.table(is_super_table=True))
    tables = document[SECTION]
    if name not in tables:
        inline = isinstance(tables, InlineTable)
        tables[name] = tomlkit.inline_table() if inline else tomlkit.table()
    for key, value in said.items():
        tables[name][key] = value


def _replace(target: Path, text: str) -> None:
    """Put a text in the place of a file, which keeps its rights; a new one is the user's alone."""
    descriptor, part = tempfile.mkstemp(dir=target.parent, prefix=".widedeep-", suffix=".part")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            Path(part).chmod(stat.S_IMODE(target.stat().st_mode))
        Path(part).replace(target)
    finally:
        with suppress(FileNotFoundError):
            Path(part).unlink()
