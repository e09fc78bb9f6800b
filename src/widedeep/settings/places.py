"""Which path has a user named, and which is it when none is named?"""

from __future__ import annotations

import reprlib
from collections.abc import Callable
from pathlib import Path

import platformdirs

from widedeep.errors import UsageError

_NO_HOME = "no home directory is known: set HOME, or pass --store DIR or --config FILE with `store`"

short = reprlib.Repr()
"""Shortens a value that a message names."""

short.maxstring = short.maxother = 300


def default_store() -> Path:
    """Return the directory that holds journals and indexes when none is set."""
    return _of_user(platformdirs.user_data_dir)


def default_config() -> Path:
    """Return where the TOML file is looked for when none is named."""
    return _of_user(platformdirs.user_config_dir) / "config.toml"


def _of_user(folder: Callable[..., str]) -> Path:
    try:
        return Path(folder("widedeep", appauthor=False)).expanduser()
    except RuntimeError:
        raise UsageError(_NO_HOME) from None


def place(text: str, origin: str, base: Path | None = None) -> Path:
    """Return the path that a user has named, with `~` expanded; nothing need be there.

    Args:
        text: the path as it was typed.
        origin: what named it: `--out`, `WIDEDEEP_STORE`.
        base: what a relative path is relative to, when not the current directory.

    Raises:
        UsageError: nothing can be there, or nobody may look.
    """
    given = f"{origin} {short.repr(text)}"
    if not text.strip():
        raise UsageError(f"{given}: is empty; name a path")
    if text == "-":
        raise UsageError(f"{given}: only the question may be '-'; name a path, such as './-'")
    path = Path(text)
    try:
        path = (base or Path()) / path.expanduser()
        str(path.absolute()).encode()
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as error:
        raise UsageError(f"{given}: cannot be used ({error.strerror}); name another path") from None
    except RuntimeError:
        raise UsageError(f"{given}: there is no such home directory; name it in full") from None
    except UnicodeEncodeError:
        raise UsageError(f"{given}: is not UTF-8; name another path") from None
    except ValueError as error:
        raise UsageError(f"{given}: cannot be a path ({error}); name another path") from None
    return path
