"""Which settings come from where, and what is said about those that cannot be."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from widedeep import Agent, Budget, Prices, settings
from widedeep.errors import UsageError


def write(folder: Path, text: str) -> Path:
    file = folder / "config.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_defaults_are_those_of_the_design():
    made = settings.load(environ={}).settings
    assert (made.model, made.schedule) == ("builtin", "descending")
    assert (made.limits.max_turns, made.limits.max_calls) == (30, None)
    assert (made.limits.max_width, made.limits.turn_deadline) == (8, 90.0)
    assert made.store == settings.default_store()


def test_option_beats_environment_beats_file(tmp_path: Path):
    file = write(tmp_path, 'schedule = "constant:1"\n[limits]\nmax_turns = 5\nmax_calls = 6\n')
    environ = {"WIDEDEEP_CONFIG": str(file), "WIDEDEEP_MAX_TURNS": "7", "WIDEDEEP_MAX_CALLS": "8"}
    made = settings.load(environ=environ, options={"limits.max_calls": 9, "model": None})
    assert made.settings.schedule == "constant:1"
    assert (made.settings.limits.max_turns, made.settings.limits.max_calls) == (7, 9)
    assert made.origins["schedule"] == str(file)
    rows = {key: origin for key, _, origin in made.rows()}
    assert rows["limits.max_turns"] == "WIDEDEEP_MAX_TURNS"
    assert rows["limits.max_calls"] == "--max-calls"
    assert rows["model"] == "default"


def test_store_in_the_file_is_relative_to_the_file(tmp_path: Path):
    file = write(tmp_path, 'store = "runs"')
    assert settings.load(file, environ={}).settings.store == tmp_path / "runs"


def test_empty_variables_count_as_unset():
    assert settings.load(environ={"WIDEDEEP_MODEL": "", "WIDEDEEP_CONFIG": ""}).file is None


def test_settings_are_frozen():
    made = settings.load(environ={}).settings
    with pytest.raises(ValueError, match="frozen"):
        made.model = "other"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('modle = "x"', ["unknown key 'modle'", "did you mean 'model'?"]),
        ("[limits]\nturns = 3", ["unknown key 'limits.turns'", "limits.max_turns"]),
        ("[extras]\nx = 3", ["unknown key 'extras'", "known keys: model"]),
        ("prices = 3", ["prices must be tables", '[prices."NAME"]']),
        ("[prices]\nx = 3", ["prices.x = 3", "must be a table"]),
        ("[prices.x]\ninput = 1", ["prices.x", "no 'output'"]),
        ("[prices.x]\ninput = 1\nuotput = 2", ["unknown key 'uotput' in prices.x", "output"]),
        ("[prices.x]\ninput = -1\noutput = 2", ["prices.x.input = -1", "0 or more"]),
        ("[prices.x]\ninput = 1\noutput = nan", ["prices.x.output = nan", "USD per million"]),
        ("[prices.x]\ninput = true\noutput = 2", ["prices.x.input = True", "USD per million"]),
        ('[prices.x]\ninput = "1"\noutput = 2', ["prices.x.input = '1'", "USD per million"]),
        ("model = 3", ["model = 3", "must be a text in quotes", 'model = "builtin"']),
        ('model = ""', ["model = ''", "must not be empty"]),
        ("store = 3", ["store = 3", "must be a text in quotes"]),
        ("limits = 3", ["limits = 3", "must be a table", "[limits]"]),
        ("[limits]\nmax_turns = -1", ["limits.max_turns = -1", "1 or more", "max_turns = 30"]),
        ("[limits]\nmax_turns = 0", ["limits.max_turns = 0", "1 or more"]),
        ("[limits]\nmax_turns = true", ["limits.max_turns = True", "whole number"]),
        ('[limits]\nmax_width = "8"', ["limits.max_width = '8'", "whole number"]),
        ("[limits]\nmax_calls = 2.5", ["limits.max_calls = 2.5", "whole number"]),
        ("[limits]\nturn_deadline = nan", ["limits.turn_deadline = nan", "finite"]),
        ("[limits]\nturn_deadline = 0", ["limits.turn_deadline = 0", "more than 0"]),
        ('store = ""', ["store = ''", "is empty"]),
        ('store = "-"', ["store = '-'", "'./-'"]),
        ('store = "~nouser/x"', ["store = '~nouser/x'", "home directory"]),
        ('store = "a\\u0000b"', ["store = 'a\\x00b'", "null byte"]),
        ("model = " + 5000 * "[" + 5000 * "]", ["nested too deep"]),
        ("model = " + 200 * "[" + 200 * "]", ["model = [[", "must be a text in quotes"]),
        ("model" + 5000 * ".a" + " = 1", ["model = {", "must be a text in quotes"]),
        ("[limits]\nmax_turns = 1" + 5000 * "0", ["not a TOML file", "digits"]),
        (f"schedule = {9999 * [1]}", ["schedule = [1", "must be a text in quotes"]),
        ("[limits\nmax_turns = 3", ["not a TOML file", "line 1"]),
        ("model = 'a\nb'", ["not a TOML file", "line 1"]),
    ],
)
def test_bad_file_is_one_line_naming_file_key_value_and_fix(
    tmp_path: Path, text: str, parts: list[str]
):
    file = write(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        settings.load(file, environ={})
    message = str(caught.value)
    assert message.startswith(f"{file}: ")
    assert "\n" not in message
    assert len(message) < 1000
    for part in parts:
        assert part in message


@pytest.mark.parametrize("value", ["0", "-3", "many", "1.5"])
def test_bad_variable_is_named(value: str):
    with pytest.raises(UsageError, match=f"WIDEDEEP_MAX_TURNS '{value}': must be"):
        settings.load(environ={"WIDEDEEP_MAX_TURNS": value})


def test_bad_option_is_named():
    with pytest.raises(UsageError, match="--max-width 0: must be 1 or more"):
        settings.load(environ={}, options={"limits.max_width": 0})


@pytest.mark.parametrize("name", ["WIDEDEEP_STORE", "WIDEDEEP_CONFIG"])
@pytest.mark.parametrize("value", ["~nouser/x", "x" * 256, "-", " ", "a\udcff"])
def test_bad_place_is_named(name: str, value: str):
    with pytest.raises(UsageError) as caught:
        settings.load(environ={name: value})
    assert str(caught.value).startswith(f"{name} {value!r}: ")


def test_a_store_that_another_one_beats_is_not_looked_at(tmp_path: Path):
    file = write(tmp_path, 'store = "~nouser/x"')
    made = settings.load(file, environ={}, options={"store": str(tmp_path)})
    assert made.settings.store == tmp_path


def test_named_file_must_exist(tmp_path: Path):
    with pytest.raises(UsageError, match=r"--config: no config file at '.*nope.toml'"):
        settings.load(tmp_path / "nope.toml", environ={})
    with pytest.raises(UsageError, match="WIDEDEEP_CONFIG: no config file"):
        settings.load(environ={"WIDEDEEP_CONFIG": str(tmp_path)})


def test_file_in_another_encoding_is_named(tmp_path: Path):
    file = tmp_path / "config.toml"
    file.write_bytes(b'model = "\xff"')
    with pytest.raises(UsageError, match=r"not a TOML file in UTF-8"):
        settings.load(file, environ={})


def test_defaults_are_those_of_the_python_api():
    limits = settings.load(environ={}).settings.limits
    options = inspect.signature(Agent).parameters
    assert limits.turn_deadline == options["turn_deadline"].default
    assert limits.max_width == options["max_width"].default
    assert (limits.max_turns, limits.max_calls) == (Budget().turns, Budget().calls)
    assert settings.load(environ={}).settings.schedule == options["schedule"].default


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('secrets = "k9-Zq83mVb27xLw"', ["secrets must be a table", "[secrets]"]),
        ("[secrets]\nkey = 8675309421", ["secrets.key must be a text in quotes"]),
        ('[secrets]\nkey = ""', ["secrets.key must be a text in quotes"]),
        ('[secrets.key]\nenv = "A"\nalso = "k9-Zq83mVb27xLw"', ["secrets.key must be"]),
        ('[secret]\nkey = "k9-Zq83mVb27xLw"', ["unknown key 'secret'", "did you mean 'secrets'?"]),
    ],
)
def test_a_bad_secret_is_named_without_its_value(tmp_path: Path, text: str, parts: list[str]):
    with pytest.raises(UsageError) as caught:
        settings.load(write(tmp_path, text), environ={})
    assert "k9-Z" not in str(caught.value)
    assert "8675309421" not in str(caught.value)
    for part in parts:
        assert part in str(caught.value)


def test_secrets_are_hidden_wherever_settings_are_shown(tmp_path: Path):
    file = write(
        tmp_path, '[secrets]\nkey = "of the file"\nproxy = { env = "P" }\nno = { env = "N" }'
    )
    environ = {"P": "of P", "X_API_KEY": "of X", "WIDEDEEP_SECRETS": "P,T, ,N", "T": "of T"}
    made = settings.load(file, environ=environ)
    assert made.settings.hidden() == {
        "key": "of the file",
        "proxy": "of P",
        "T": "of T",
        "X_API_KEY": "of X",
    }
    assert made.origins["secrets.key"] == str(file)
    assert made.origins["secrets.proxy"] == "P"
    assert "of " not in f"{made!r} {made.rows()} {made.settings.model_dump_json()}"


PRICED = """
[prices."some:model"]
input = 1
output = 2.5
cached = 0
"""


def test_prices_are_those_of_a_model_by_name(tmp_path: Path):
    made = settings.load(write(tmp_path, PRICED), environ={})
    assert made.settings.prices_of("some:model") == Prices(1.0, 2.5, 0.0)
    assert made.settings.prices_of("other") is None
    rows = {key: value for key, value, _ in made.rows()}
    assert rows["prices.some:model.input"] == 1.0
    assert "prices.some:model.cache_write" not in rows
