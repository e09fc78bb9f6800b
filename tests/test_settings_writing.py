"""Is something said of a model written into a file of settings without touching the rest?"""

import stat
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widedeep import UsageError
from widedeep.settings import load
from widedeep.settings.writing import changed, write_model

NAME = "ollama:qwen3:8b"
SAID = {"tool_calls": False, "limit_field": "max_completion_tokens"}

FILES = {
    "empty": "",
    "other": '# mine\nmodel = "builtin"   # why\n\n[limits]\nmax_turns = 3\n',
    "table": f'[models."{NAME}"] # mine\ncontext = 3 # tokens\ntool_calls = true\n\n[limits]\n',
    "another": '[models."a:b"]\ncontext = 3\n\n[limits]\nmax_turns = 3\n',
    "dotted": f'[models]\n"{NAME}".context = 3\n"a:b".context = 4\n',
    "inline": f'models = {{ "{NAME}" = {{ context = 3 }}, "a:b" = {{ stream = false }} }} # x\n',
    "inline other": 'models = {"a:b" = {context = 3}}\n',
    "no end": "[limits]\nmax_turns = 3",
    "crlf": "# mine\r\n[limits]\r\nmax_turns = 3\r\n",
    "secret": '[secrets]\nwork = "wk-0123456789"\n',
}


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_the_rest_stays_as_it_is(tmp_path, text):
    file = tmp_path / "config.toml"
    file.write_bytes(text.encode())
    write_model(file, NAME, SAID)
    made = file.read_bytes().decode()
    for line in text.splitlines():
        kept = line if "tool_calls" not in line and "{" not in line else line.partition("=")[0]
        assert kept in made
    assert made.count("#") == text.count("#")
    said = load(file, environ={}).settings.models[NAME]
    assert (said.tool_calls, said.limit_field) == (False, "max_completion_tokens")
    assert [each.name for each in tmp_path.iterdir()] == ["config.toml"]


def test_a_file_that_is_not_there_is_made_for_the_user_alone(tmp_path):
    file = tmp_path / "new" / "config.toml"
    write_model(file, NAME, {"stream": False})
    assert load(file, environ={}).settings.models[NAME].stream is False
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_file_keeps_its_rights_and_a_link_stays_one(tmp_path):
    file, link = tmp_path / "real.toml", tmp_path / "config.toml"
    file.write_text("", encoding="utf-8")
    file.chmod(0o640)
    link.symlink_to(file)
    write_model(link, NAME, {"stream": False})
    assert link.is_symlink()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert load(file, environ={}).settings.models[NAME].stream is False


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("model = ", "not a TOML file"),
        ("models = 3", "models must be tables"),
        (f'models."{NAME}" = 3', "must be a table"),
    ],
)
def test_a_file_that_cannot_be_added_to_stays_as_it_is(tmp_path, text, says):
    file = tmp_path / "config.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        write_model(file, NAME, SAID)
    assert says in str(caught.value)
    assert file.read_text(encoding="utf-8") == text


def test_a_place_that_cannot_be_written_to_is_named():
    with pytest.raises(UsageError) as caught:
        write_model(Path("/dev/null/config.toml"), NAME, {})
    assert "/dev/null/config.toml: cannot be written to" in str(caught.value)


NAMES = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=12)


@given(st.lists(st.tuples(NAMES, st.booleans()), max_size=5), st.sampled_from(sorted(FILES)))
def test_what_is_written_is_what_is_read(said, kind):
    text, wanted = FILES[kind], {}
    for name, value in said:
        text = changed(text, name, {"stream": value}, "file")
        wanted[name] = value
    models = tomllib.loads(text).get("models", {})
    assert {name: models[name]["stream"] for name in wanted} == wanted
    assert text.count("#") >= FILES[kind].count("#")
