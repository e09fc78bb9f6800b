"""Which values a user has set, and where: one TOML file, the environment, the command line.

    default < TOML file < environment < option

The file is `--config`, else `WIDEDEEP_CONFIG`, else `config.toml` in the user's config directory:

    model = "builtin"
    schedule = "descending"
    store = "runs"              # relative to the file

    [limits]
    max_turns = 30

Nothing is read when this module is imported.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, NoReturn, cast

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from widedeep.errors import UsageError

CONFIG_VARIABLE = "WIDEDEEP_CONFIG"


def default_store() -> Path:
    """Return the directory that holds journals and indexes when none is set."""
    return Path(platformdirs.user_data_dir("widedeep", appauthor=False))


def default_config() -> Path:
    """Return where the TOML file is looked for when none is named."""
    return Path(platformdirs.user_config_dir("widedeep", appauthor=False)) / "config.toml"


class Limits(BaseModel):
    """Limits of a run: `turn_deadline` in seconds; `max_calls` None = no limit but the turns'."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    max_turns: int = Field(default=30, ge=1)
    max_calls: int | None = Field(default=None, ge=1)
    max_width: int = Field(default=8, ge=1)
    turn_deadline: float = Field(default=90.0, gt=0)


class Settings(BaseModel):
    """What a user can set, checked."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    model: str = Field(default="builtin", min_length=1)
    schedule: str = Field(default="descending", min_length=1)
    store: Annotated[Path, Field(strict=False)] = Field(default_factory=default_store)
    limits: Limits = Field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Configuration:
    """Settings with the file that was read (None = none) and the origin of each key set."""

    settings: Settings
    file: Path | None
    origins: Mapping[str, str]

    def rows(self) -> tuple[tuple[str, Any, str], ...]:
        """Return every key with its value and where that comes from."""
        values = dict(_leaves(self.settings.model_dump()))
        return tuple((key, values[key], self.origins.get(key, "default")) for key in _KEYS)


_KEYS = ("model", "schedule", "store", *(f"limits.{name}" for name in Limits.model_fields))
_VARIABLES = {key: f"WIDEDEEP_{key.rpartition('.')[2].upper()}" for key in _KEYS}
_EXAMPLES = {
    "model": 'model = "builtin"',
    "schedule": 'schedule = "descending"',
    "store": 'store = "/path/to/a/directory"',
    "limits": "[limits] followed by max_turns = 30",
    "limits.max_turns": "max_turns = 30",
    "limits.max_calls": "max_calls = 100",
    "limits.max_width": "max_width = 8",
    "limits.turn_deadline": "turn_deadline = 90",
}
_WANTED = {
    "greater_than_equal": "must be {ge} or more",
    "greater_than": "must be more than {gt}",
    "finite_number": "must be a finite number",
    "string_too_short": "must not be empty",
    "string_type": "must be a text in quotes",
    "path_type": "must be a text in quotes",
    "model_type": "must be a table",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
}


@dataclass(frozen=True, slots=True)
class _Given:
    """One value as it was given, and by what."""

    value: Any
    origin: str


def load(
    config: Path | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Configuration:
    """Read and check the settings.

    `options` maps keys (`model`, `limits.max_turns`) to values of the command line; None = not
    given. `environ` is the process's environment unless given.

    Raises:
        UsageError: a file that cannot be read, an unknown key, or a value that cannot be.
    """
    environ = os.environ if environ is None else environ
    file = _file(config, environ)
    given: dict[str, _Given] = _of_file(file) if file else {}
    for key, variable in _VARIABLES.items():
        if value := environ.get(variable):
            given[key] = _Given(value, variable)
    for key, value in (options or {}).items():
        if value is not None:
            given[key] = _Given(value, _option(key))
    settings = _check(given, file)
    origins = {key: one.origin for key, one in given.items()}
    return Configuration(settings, file, MappingProxyType(origins))


def _option(key: str) -> str:
    """Return the option of the command line that sets a key."""
    return "--" + key.rpartition(".")[2].replace("_", "-")


def _file(config: Path | None, environ: Mapping[str, str]) -> Path | None:
    """Return the TOML file to read; one that is named must exist."""
    named, by = (config, "--config") if config else (environ.get(CONFIG_VARIABLE), CONFIG_VARIABLE)
    if named is None or named == "":
        standard = default_config()
        return standard if standard.is_file() else None
    path = Path(named).expanduser()
    if not path.is_file():
        raise UsageError(f"{by}: no config file at {str(path)!r}; name an existing TOML file")
    return path


def _of_file(file: Path) -> dict[str, _Given]:
    """Return the file's values by key, each still unchecked."""
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: not a TOML file in UTF-8: {error}; correct that line") from None
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror}; check its rights") from None
    if isinstance(store := table.get("store"), str) and store:
        table["store"] = str(file.parent / Path(store).expanduser())
    return {key: _Given(value, str(file)) for key, value in _leaves(table)}


def _leaves(table: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return the values of a table and its `[limits]` by dotted key."""
    leaves: list[tuple[str, Any]] = []
    for key, value in table.items():
        if key == "limits" and isinstance(value, Mapping):
            inner = cast("Mapping[str, Any]", value)
            leaves += [(f"{key}.{name}", one) for name, one in inner.items()]
        else:
            leaves.append((key, value))
    return leaves


def _check(given: Mapping[str, _Given], file: Path | None) -> Settings:
    """Return the settings, or raise for the first value that is wrong."""
    top: dict[str, Any] = {}
    for key, one in given.items():
        table, _, name = key.rpartition(".")
        value = _typed(key, one)
        if not table:
            top[name] = value
        elif isinstance(top.setdefault(table, {}), dict):
            top[table][name] = value
    try:
        settings = Settings.model_validate(top)
    except ValidationError as error:
        _refuse(error.errors()[0], given, file)
    return settings.model_copy(update={"store": settings.store.expanduser()})


def _typed(key: str, given: _Given) -> Any:
    """Return a limit of the environment or an option as the number it spells."""
    spelled = isinstance(given.value, str) and given.origin in {_VARIABLES.get(key), _option(key)}
    if not spelled or not key.startswith("limits."):
        return given.value
    for kind in (int, float):
        try:
            return kind(given.value)
        except ValueError:
            continue
    return given.value


def _refuse(error: ErrorDetails, given: Mapping[str, _Given], file: Path | None) -> NoReturn:
    """Raise the one line for pydantic's first finding: origin, key, value, and the fix."""
    key = ".".join(str(part) for part in error["loc"])
    one = given.get(key, _Given(error["input"], str(file)))
    if error["type"] == "extra_forbidden":
        near = difflib.get_close_matches(key, _KEYS, n=1)
        fix = f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(_KEYS)}"
        raise UsageError(f"{one.origin}: unknown key {key!r}; {fix}")
    wanted = _WANTED.get(error["type"], "must be a whole number").format(**error.get("ctx", {}))
    if one.origin.startswith("--") or one.origin in _VARIABLES.values():
        raise UsageError(f"{one.origin} {one.value!r}: {wanted}")
    raise UsageError(f"{one.origin}: {key} = {one.value!r} {wanted}, such as {_EXAMPLES[key]}")
