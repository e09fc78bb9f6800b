"""Which names open a model, and what is said when something is missing?"""

import sys

import pytest
from tests.require import package

from widedeep.errors import MissingExtraError, UsageError
from widedeep.models import others


def test_every_prefix_says_what_it_needs():
    for prefix, (extra, variable, label) in others.PREFIXES.items():
        assert (extra, variable.isupper(), bool(label)) == (prefix, True, True)


@pytest.mark.parametrize("name", ["gpt-5", "nobody:gpt-5", "openai:", ":gpt-5"])
def test_an_unknown_name_is_wrong_use(name):
    with pytest.raises(UsageError, match=r"PREFIX:NAME .* openai, anthropic, google"):
        others.open_model(name, key="k")


def test_a_missing_key_names_the_variable():
    with pytest.raises(UsageError, match="needs a key: set ANTHROPIC_API_KEY"):
        others.open_model("anthropic:claude-sonnet-5", key=None)


@pytest.mark.parametrize("missing", ["anthropic", "pydantic_ai"])
def test_a_missing_extra_is_named(missing, monkeypatch):
    package("pydantic_ai")
    for name in [
        n for n in sys.modules if n.startswith(("widedeep.models.others.", "pydantic_ai"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'widedeep\[anthropic\]'"):
        others.open_model("anthropic:claude-sonnet-5", key="k")


def test_the_environment_is_not_asked(monkeypatch):
    package("openai")
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL"):
        monkeypatch.setenv(name, "http://elsewhere.invalid")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-elsewhere")
    model = others.open_model("openai:gpt-5", key="k")
    assert model.info.name == "openai:gpt-5"
    assert model.info.context is None or model.info.context > 100_000
