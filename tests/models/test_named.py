"""What a model's name means, with what the user has said of servers and keys."""

import pytest
from tests.require import package

from widedeep import UsageError
from widedeep.models.named import _key_of, known_name, open_model, server_of
from widedeep.models.servers import SERVERS
from widedeep.settings import load

KEYS = {"GROQ_API_KEY": "gsk-0123456789", "WORK_API_KEY": "wk-0123456789"}


def settings(tmp_path, toml="", environ=None):
    file = tmp_path / "config.toml"
    file.write_text(toml, encoding="utf-8")
    return load(file, environ=KEYS if environ is None else environ).settings


@pytest.mark.parametrize(
    ("name", "url", "model"),
    [
        ("ollama:qwen3:8b", "http://localhost:11434/v1", "qwen3:8b"),
        ("groq:a/b", "https://api.groq.com/openai/v1", "a/b"),
        ("compat:http://h:1/v1#m#n", "http://h:1/v1", "m#n"),
        ("compat:http://h:1/v1#org/m", "http://h:1/v1", "org/m"),
    ],
)
def test_names(tmp_path, name, url, model):
    server, named, _ = server_of(name, settings(tmp_path))
    assert (server.url, named) == (url, model)


def test_a_server_of_ones_own(tmp_path):
    toml = """
        [servers.work]
        url = "https://llm.example.org/v1"
        key = "WORK_API_KEY"
        parallel_switch = false

        [models."work:m"]
        context = 32768
        tool_calls = false
    """
    server, model, context = server_of("work:m", settings(tmp_path, toml))
    assert (server.url, server.key, model) == ("https://llm.example.org/v1", "wk-0123456789", "m")
    assert (server.parallel_switch, server.constrained, context) == (False, True, 32768)
    other, _, _ = server_of("work:other", settings(tmp_path, toml))
    assert not other.constrained


def test_a_known_server_elsewhere(tmp_path):
    made = settings(tmp_path, '[servers.vllm]\nurl = "http://gpu:8000/v1"')
    assert server_of("vllm:m", made)[0].url == "http://gpu:8000/v1"


def test_a_key_may_stand_in_the_secrets(tmp_path):
    made = settings(tmp_path, '[secrets]\ngroq = "gsk-from-the-file"', {})
    assert server_of("groq:m", made)[0].key == "gsk-from-the-file"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "unknown model ''"),
        ("gpt", "unknown model 'gpt': take one of builtin, ollama:NAME"),
        ("nope:x", "unknown model 'nope:x'"),
        ("ollama:", "unknown model 'ollama:'"),
        ("compat:http://h/v1", "compat:URL#MODEL"),
        ("compat:h#m", "none of a server"),
        ("mistral:m", "no API key for Mistral: set the variable MISTRAL_API_KEY"),
    ],
)
def test_what_means_nothing_names_the_fix(tmp_path, name, says):
    with pytest.raises(UsageError) as caught:
        known_name(name, settings(tmp_path))
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("toml", "says"),
    [
        ("servers = 3", "servers must be tables"),
        ("[servers]\nx = 3", "servers.x = 3 must be a table"),
        ("[servers.x]\nstream = 1", "servers.x: stream = 1 must be a valid boolean"),
        ("[servers.x]\nbody = {d = 2026-01-01}", "servers.x: body = "),
        ("[servers.x]\nbody = {d = nan}", "must be JSON"),
        ("[servers.x]\nsteam = true", "unknown key 'steam' in servers.x"),
        ('[models."a:b"]\ncontext = 0', "context = 0 must be"),
        ('[models."a:b"]\nwidth_mode = "wide"', "width_mode = 'wide' must be"),
    ],
)
def test_tables_that_cannot_be(tmp_path, toml, says):
    with pytest.raises(UsageError) as caught:
        settings(tmp_path, toml)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_model_is_opened_without_being_asked(tmp_path):
    assert open_model("ollama:m", settings(tmp_path)).info.name == "ollama:m"
    assert open_model("builtin", settings(tmp_path)).info.free
    assert len(SERVERS) > 5


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("groq:llama-3.1-8b-instant", "genai-prices"),
        ("compat:https://api.deepseek.com/v1#deepseek-chat", "genai-prices"),
        ("groq:mine", "settings"),
        ("groq:nobody-knows", None),
        ("ollama:gpt-oss", None),
        ("ollama:paid", "settings"),
        ("compat:http://localhost:1/v1#deepseek-chat", None),
    ],
)
def test_prices_are_the_users_or_those_that_are_known(tmp_path, name, source):
    toml = """
        prices."groq:mine" = { input = 1.0, output = 2.0 }
        prices."ollama:paid" = { input = 0.0, output = 0.0 }
    """
    prices = open_model(name, settings(tmp_path, toml)).info.prices
    assert (prices and prices.source.split()[0]) == source


def test_several_names_are_a_chain(tmp_path):
    model = open_model("ollama:a,groq:b", settings(tmp_path))
    assert [one.name for one in model.info.members] == ["ollama:a", "groq:b"]
    with pytest.raises(UsageError, match="no API key for Mistral"):
        known_name("ollama:a, mistral:b", settings(tmp_path))


def test_a_key_is_found_in_the_variable_that_a_server_names(tmp_path):
    toml = '[servers.work]\nurl = "http://h/v1"\nkey = "SOME_TOKEN"'
    made = settings(tmp_path, toml, {"SOME_TOKEN": "tok-0123456789"})
    assert server_of("work:m", made)[0].key == "tok-0123456789"
    assert "tok-0123456789" in made.hidden().values()


def test_a_hosted_model_takes_its_key_and_its_prices(tmp_path):
    package("anthropic")
    environ = {"ANTHROPIC_API_KEY": "sk-0123456789"}
    model = open_model("anthropic:claude-sonnet-5", settings(tmp_path, "", environ))
    assert model.info.name == "anthropic:claude-sonnet-5"
    with pytest.raises(UsageError, match="set the variable ANTHROPIC_API_KEY"):
        known_name("anthropic:claude-sonnet-5", settings(tmp_path, "", {}))


@pytest.mark.parametrize("key", ["sk-live-0123456789", "gsk_0123456789abcdef", "a key"])
def test_a_key_in_the_place_of_its_name_is_refused_and_not_shown(tmp_path, key):
    with pytest.raises(UsageError, match="must name a variable") as caught:
        settings(tmp_path, f'[servers.work]\nurl = "http://h/v1"\nkey = "{key}"')
    assert key not in str(caught.value)


def test_the_key_that_a_server_names_comes_before_that_of_its_provider(tmp_path):
    package("openai")
    toml = '[secrets]\nopenai = "sk-real-0123456789"\n[servers.openai]\nurl = "http://proxy/v1"'
    toml += '\nkey = "PROXY_KEY"'
    made = settings(tmp_path, toml, {"PROXY_KEY": "px-0123456789"})
    assert _key_of("openai:gpt-5", made) == "px-0123456789"


@pytest.mark.parametrize(
    "url",
    [
        "http://bob:sekret99@h/v1",
        "http://h:99999/v1",
        "http://h:x/v1",
        "http://h /v1",
        "http://h/v1?key=sekret99",
    ],
)
def test_a_url_that_cannot_be_or_holds_a_secret_is_refused(tmp_path, url):
    with pytest.raises(UsageError) as caught:
        known_name(f"compat:{url}#m", settings(tmp_path))
    assert "sekret99" not in str(caught.value).replace(f"compat:{url}", "")
