"""Which values a user has set, and where: one TOML file, the environment, the command line.

    default < TOML file < environment < option

The file is `--config`, else `WIDEDEEP_CONFIG`, else `config.toml` in the user's config directory:

    model = "builtin"
    schedule = "descending"
    store = "runs"              # relative to the file

    [limits]
    max_turns = 30

    [secrets]                   # never written down: a value, or the variable that holds it
    search = "8f3a..."
    openai = { env = "OPENAI_API_KEY" }

    [prices."some:model"]       # USD per million tokens; see pricing.py
    input = 0.50
    output = 2.00

    [servers.work]              # a server of your own: --model work:NAME; see servers.py
    url = "http://localhost:8000/v1"

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

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError
from pydantic_core import ErrorDetails

from widedeep.costs import Prices
from widedeep.defaults import MAX_TURNS, MAX_WIDTH, TURN_DEADLINE
from widedeep.errors import UsageError
from widedeep.settings.places import default_config, default_store, place, short
from widedeep.settings.secrecy import Secret, secrets
from widedeep.settings.servers import ServerOptions
from widedeep.settings.tables import TABLES, keys

CONFIG_VARIABLE = "WIDEDEEP_CONFIG"


class Limits(BaseModel):
    """Limits of a run: `turn_deadline` in seconds; `max_calls` None = no limit but the turns'."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    max_turns: int = Field(default=MAX_TURNS, ge=1)
    max_calls: int | None = Field(default=None, ge=1)
    max_width: int = Field(default=MAX_WIDTH, ge=1)
    turn_deadline: float = Field(default=TURN_DEADLINE, gt=0)
    budget_tokens: int | None = Field(default=None, ge=1)
    budget_usd: float | None = Field(default=None, gt=0)
    budget_seconds: float | None = Field(default=None, gt=0)


class Settings(BaseModel):
    """What a user can set, checked."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    model: str = Field(default="builtin", min_length=1)
    schedule: str = Field(default="descending", min_length=1)
    store: Annotated[Path, Field(strict=False)] = Field(default_factory=default_store)
    limits: Limits = Field(default_factory=Limits)
    secrets: Mapping[str, SecretStr] = Field(default_factory=dict[str, SecretStr])
    prices: Mapping[str, Prices] = Field(default_factory=dict[str, Prices])
    servers: Mapping[str, ServerOptions] = Field(default_factory=dict[str, ServerOptions])
    models: Mapping[str, ServerOptions] = Field(default_factory=dict[str, ServerOptions])

    def prices_of(self, model: str) -> Prices | None:
        """Return what a model takes for its tokens by the user's word; None = nothing is said."""
        return self.prices.get(model)

    def hidden(self) -> dict[str, str]:
        """Return the values that are never written down, by name."""
        return {name: value.get_secret_value() for name, value in self.secrets.items()}

    def secret(self, *names: str) -> str | None:
        """Return the first secret that is known by one of these names."""
        hidden = self.hidden()
        return next((hidden[name] for name in names if name in hidden), None)


@dataclass(frozen=True, slots=True)
class Configuration:
    """Settings with the file that was read (None = none) and the origin of each key set."""

    settings: Settings
    file: Path | None
    origins: Mapping[str, str]

    def rows(self) -> tuple[tuple[str, Any, str], ...]:
        """Return every key with its value and where that comes from."""
        values = dict(_leaves(self.settings.model_dump(exclude={"secrets", *TABLES})))
        plain = [(key, values[key], self.origins.get(key, "default")) for key in _KEYS]
        said = [
            (f"{section}.{name}", value, self.origins[section])
            for section, table in TABLES.items()
            for name, value in table.said(getattr(self.settings, section))
        ]
        names = [f"secrets.{name}" for name in self.settings.secrets]
        return (*plain, *said, *((name, "(hidden)", self.origins[name]) for name in names))


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
    "limits.budget_tokens": "budget_tokens = 100_000",
    "limits.budget_usd": "budget_usd = 0.50",
    "limits.budget_seconds": "budget_seconds = 120",
}
_WANTED = {
    "greater_than_equal": "must be {ge} or more",
    "greater_than": "must be more than {gt}",
    "finite_number": "must be a finite number",
    "string_too_short": "must not be empty",
    "string_type": "must be a text in quotes",
    "string_unicode": "must be text in UTF-8",
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
    config: str | Path | None = None,
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
    if (store := given.get("store")) and isinstance(store.value, str):
        given["store"] = _placed(store.value, store.origin, file)
    hidden = _secrets(given, environ)
    origins = {key: one.origin for key, one in given.items()}
    tables = {
        section: table.read(one.value, one.origin)
        for section, table in TABLES.items()
        if (one := given.pop(section, None))
    }
    hidden = {**keys(tables, hidden, environ), **hidden}
    secret = {name: SecretStr(one.value) for name, one in hidden.items()}
    settings = _check(given, file).model_copy(update={"secrets": secret, **tables})
    origins |= {f"secrets.{name}": one.origin for name, one in hidden.items()}
    return Configuration(settings, file, MappingProxyType(origins))


def _secrets(given: dict[str, _Given], environ: Mapping[str, str]) -> dict[str, Secret]:
    """Take the table of secrets out of what was given, and return what it and others name."""
    table = given.pop("secrets", None)
    return secrets(table.value if table else {}, table.origin if table else "", environ)


def _option(key: str) -> str:
    """Return the option of the command line that sets a key."""
    return "--" + key.rpartition(".")[2].replace("_", "-")


def _placed(store: str, origin: str, file: Path | None) -> _Given:
    """Return the store as a path; the file's own is relative to the file."""
    if origin == str(file):
        return _Given(place(store, f"{origin}: store =", Path(origin).parent), origin)
    return _Given(place(store, origin), origin)


def _file(config: str | Path | None, environ: Mapping[str, str]) -> Path | None:
    """Return the TOML file to read; one that is named must exist."""
    variable = environ.get(CONFIG_VARIABLE) or None
    named, by = (variable, CONFIG_VARIABLE) if config is None else (config, "--config")
    if named is None:
        return _standard()
    if (path := place(str(named), by)).is_file():
        return path
    raise UsageError(f"{by}: no config file at {str(path)!r}; name an existing TOML file")


def _standard() -> Path | None:
    """Return the user's own TOML file, if there is one."""
    try:
        file = default_config()
    except UsageError:
        return None  # no home, no file in it
    try:
        return file if file.is_file() else None
    except OSError as error:
        reason = f"cannot be looked at ({error.strerror})"
        raise UsageError(f"config file {str(file)!r}: {reason}; name one by --config") from None


def _of_file(file: Path) -> dict[str, _Given]:
    """Return the file's values by key, each still unchecked."""
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:  # not TOML, not UTF-8, a number of too many digits
        raise UsageError(f"{file}: not a TOML file in UTF-8: {error}; correct that line") from None
    except RecursionError:
        raise UsageError(f"{file}: its values are nested too deep; make them flat") from None
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror}; check its rights") from None
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
        return Settings.model_validate(top)
    except ValidationError as error:
        _refuse(error.errors()[0], given, file)


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
        near = difflib.get_close_matches(key, (*_KEYS, "secrets", *TABLES), n=1)
        fix = f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(_KEYS)}"
        raise UsageError(f"{one.origin}: unknown key {key!r}; {fix}")
    wanted = _WANTED.get(error["type"], "must be a whole number").format(**error.get("ctx", {}))
    value = short.repr(one.value)
    if one.origin.startswith("--") or one.origin in _VARIABLES.values():
        raise UsageError(f"{one.origin} {value}: {wanted}")
    raise UsageError(f"{one.origin}: {key} = {value} {wanted}, such as {_EXAMPLES[key]}")
