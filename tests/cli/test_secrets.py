"""Does no secret of the settings get to a file, to stdout or to stderr?"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.command import Command, environment, process

KEY = "k9-Zq83mVb27xLw"
QUESTION = f"What is the capital of Peru, asks {KEY}?"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "config.toml"
    file.write_text(f'[secrets]\nsearch = "{KEY}"\n', encoding="utf-8")
    return file


def test_a_secret_in_the_question_stays_out_of_everything(
    corpus: Path, store: Path, config: Path, tmp_path: Path
):
    out = tmp_path / "out"
    ask = ("ask", QUESTION, "--corpus", str(corpus), "--config", str(config), "--out", str(out))
    show = ("--config", str(config))
    for line in (
        ask,
        (*ask, "--events"),
        ("runs", "list", *show),
        ("runs", "show", "last", *show),
        ("runs", "show", "last", "--svg", str(out / "run.svg"), *show),
        ("config", "show", "--json", *show),
        ("doctor", *show),
        ("ask", QUESTION, "--corpus", f"no/{KEY}", *show),
    ):
        ended = process(*line, store=store)
        assert KEY.encode() not in ended.stdout + ended.stderr, line
        assert b"Traceback" not in ended.stderr, ended.stderr
    assert b"[redacted:search]" in ended.stderr
    files = [file for folder in (store, out) for file in folder.rglob("*") if file.is_file()]
    assert {"answer.md", "run.json", "run.svg", "journal.sqlite"} <= {file.name for file in files}
    assert [file for file in files if KEY.encode() in file.read_bytes()] == []
    assert r"\[redacted:search\]" in (out / "answer.md").read_text(encoding="utf-8")


BUG = """
import sys
from widedeep.cli import hiding
from widedeep.cli.streams import safe_streams
safe_streams()
hiding.hide({"search": sys.argv[1]})
try:
    raise KeyError(sys.argv[1])
except KeyError as error:
    raise RuntimeError(f"bug: {sys.argv[1]}") from error
"""


def test_a_bug_shows_no_secret_in_its_traceback():
    done = subprocess.run([sys.executable, "-c", BUG, KEY], capture_output=True, check=False)
    assert done.returncode == 1
    assert KEY.encode() not in done.stderr
    assert done.stderr.count(b"[redacted:search]") == 2


@pytest.mark.parametrize(
    ("variables", "name"),
    [
        ({"SOME_API_KEY": KEY}, "SOME_API_KEY"),
        ({"WIDEDEEP_SECRETS": "A_TOKEN, B_TOKEN,C", "B_TOKEN": KEY}, "B_TOKEN"),
    ],
)
def test_secrets_of_the_environment(
    corpus: Path, store: Path, variables: dict[str, str], name: str
):
    line = ("ask", QUESTION, "--corpus", str(corpus), "--quiet", "--json")
    ended = process(*line, store=store, env=environment(store, **variables))
    assert KEY.encode() not in ended.stdout
    assert f"[redacted:{name}]".encode() in ended.stdout


def test_settings_name_their_secrets_and_hide_them(
    widedeep: Command, config: Path, monkeypatch: pytest.MonkeyPatch
):
    text = widedeep("config", "show", "--config", str(config)).out
    assert f"secrets.search        (hidden)                      {config}\n" in text
    made = widedeep("config", "show", "--config", str(config), "--json").json
    assert made["settings"]["secrets"] == {"search": "**********"}
    monkeypatch.setenv("OTHER_API_KEY", "short")
    found = {row["name"]: row for row in widedeep("doctor", "--json").json["checks"]}
    assert "not hidden: OTHER_API_KEY" in found["secrets"]["found"]
