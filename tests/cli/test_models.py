"""Do `models list` and `models probe` tell what there is, and is it kept for the next run?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.command import Command
from tests.fakes import providers as fake
from tests.fakes.providers import Failed
from tests.models.probe.serving import Able

from widedeep.settings import default_config, load

KEY = "wk-0123456789abc"


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "config.toml"
    monkeypatch.setenv("WIDEDEEP_CONFIG", str(file))
    monkeypatch.setenv("WORK_API_KEY", KEY)
    return file


def write(config: Path, url: str, more: str = "") -> None:
    said = f'# mine\n[servers.work]\nurl = "{url}" # at work\nkey = "WORK_API_KEY"\n{more}'
    config.write_text(said, encoding="utf-8")


def test_kinds_keys_and_prices(widedeep: Command, config: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GROQ_API_KEY", KEY)
    priced = '[prices."work:m"]\ninput = 0.5\noutput = 2\n[models."work:m"]\ncontext = 32768\n'
    write(config, "http://localhost:1/v1", priced + "tool_calls = false\n")
    text = widedeep("models", "list").out
    lines = {line.split("  ")[0]: line for line in text.splitlines()}
    assert "GROQ_API_KEY is set" in lines["groq:NAME"]
    assert "MISTRAL_API_KEY is not set" in lines["mistral:NAME"]
    assert "none wanted" in lines["ollama:NAME"]
    assert "ANTHROPIC_API_KEY is not set" in lines["anthropic:NAME"]
    assert "WORK_API_KEY is set" in lines["work:NAME"]
    assert lines["work:NAME"].endswith("http://localhost:1/v1")
    assert lines["work:m"].split() == (
        ["work:m", "32,768", "0.5", "/", "2", "(settings)", "tool_calls", "=", "False"]
    )
    made = widedeep("models", "list", "--json")
    kinds = {kind["form"]: kind for kind in made.json["kinds"]}
    assert (kinds["groq:NAME"]["key"], kinds["mistral:NAME"]["key"]) == (True, False)
    assert made.json["default"] == "builtin"
    assert KEY not in text + made.out


def test_a_price_that_is_known(widedeep: Command, config: Path):
    config.write_text('model = "deepseek:deepseek-chat"\n', encoding="utf-8")
    [model] = widedeep("models", "list", "--json").json["models"]
    assert model["prices"]["input"] > 0
    assert model["prices"]["source"].startswith("genai-prices ")
    assert model["context"] > 1_000


def test_what_a_server_serves(widedeep: Command, config: Path):
    with fake.chat([], models=["qwen3:8b", "a/b"], key=KEY) as server:
        write(config, server.url, '[models."work:a/b"]\ncontext = 4096\n')
        text = widedeep("models", "list", "work").out
        assert [line.split()[:2] for line in text.splitlines()[1:]] == (
            [["work:a/b", "4,096"], ["work:qwen3:8b", "unknown"]]
        )
        made = widedeep("models", "list", f"compat:{server.url}", "--json")
        assert made.status == 1
        assert "answered 401" in made.err
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("where", "status", "says"),
    [
        ("nope", 2, "no server 'nope': take one of ollama, vllm"),
        ("groq", 2, "set the variable GROQ_API_KEY"),
        ("compat:http://127.0.0.1:1/v1", 1, "is the server running?"),
        ("compat:h", 2, "none of a server"),
    ],
)
def test_a_server_that_cannot_be_asked(widedeep: Command, where: str, status: int, says: str):
    ended = widedeep("models", "list", where)
    assert (ended.status, ended.out) == (status, "")
    assert says in ended.err
    assert ended.err.count("\n") == 1


def test_what_is_found_is_written_and_used(
    widedeep: Command, config: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
):
    with fake.chat(Able(calls=0), key=KEY) as server:
        write(config, server.url)
        before = config.read_text(encoding="utf-8")
        dry = widedeep("models", "probe", "work:m", "--dry-run", "--widths", "1,3")
        assert (dry.status, config.read_text(encoding="utf-8")) == (0, before)
        assert f"not written to {config}:" in dry.out
        assert f"at most 14 requests to {server.url}, each for at most 1,024 tokens" in dry.err
        ended = widedeep("models", "probe", "work:m", "--json", "--quiet")
        made = ended.json
        assert (ended.status, ended.err, made["written"]) == (0, "", True)
        assert (made["changes"], made["modes"]) == ({"tool_calls": False}, ["schema"])
        assert config.read_text(encoding="utf-8") == (
            f'{before}\n[models."work:m"]\ntool_calls = false\n'
        )
        again = widedeep("models", "probe", "work:m")
        assert f"nothing new for {config}\n" in again.out
        assert KEY not in json.dumps(made) + dry.out + dry.err + again.out + again.err
        asked = len(server.requests)
        widedeep("ask", "How long?", "--corpus", str(corpus), "--model", "work:m", "--max-turns=1")
        assert all("response_format" in each.body for each in server.requests[asked:])
        assert len(server.requests) > asked


def test_a_file_that_is_not_there_is_made(widedeep: Command, monkeypatch: pytest.MonkeyPatch):
    file = default_config()
    assert not file.exists()
    with fake.chat(Able(calls=0)) as server:
        name = f"compat:{server.url}#m"
        try:
            ended = widedeep("models", "probe", name, "--widths", "1", "--quiet")
            assert f"written to {file}:" in ended.out
            assert load(environ={}).settings.models[name].tool_calls is False
        finally:
            file.unlink()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (("builtin",), "the built-in rules need no probe; name a model"),
        (("openai:gpt",), "needs no probe: what OpenAI (Responses API) can do is known"),
        (("nope:m",), "unknown model 'nope:m'"),
        (("ollama:m", "--widths", "0"), "--widths '0': must be a whole number from 1 to 32"),
        (("ollama:m", "--max-output", "x"), "--max-output 'x': must be a whole number"),
    ],
)
def test_what_cannot_be_probed(widedeep: Command, line: tuple[str, ...], says: str):
    ended = widedeep("models", "probe", *line)
    assert (ended.status, ended.out) == (2, "")
    assert says in ended.err
    assert ended.err.count("\n") == 1


def test_a_server_that_takes_nothing_and_one_that_keeps_no_width(widedeep: Command):
    with fake.chat(lambda _: Failed(401, "no")) as server:
        ended = widedeep("models", "probe", f"compat:{server.url}#m", "--quiet")
    assert (ended.status, ended.out) == (1, "")
    assert "took no request" in ended.err
    with fake.chat(Able(calls=0, schema=False)) as server:
        ended = widedeep("models", "probe", f"compat:{server.url}#m", "--quiet")
    assert ended.status == 1
    assert "no way to keep a width works" in ended.out
