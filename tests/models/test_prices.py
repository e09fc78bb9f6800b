"""Are prices those of genai-prices, and is what a run is charged what it computes?"""

import socket
from datetime import UTC, date, datetime
from importlib.metadata import version

import genai_prices
import pytest
from hypothesis import given
from hypothesis import strategies as st

from widedeep.costs import Prices, charge, most
from widedeep.models.prices import context_of, prices_of

DAY = date(2026, 11, 20)
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
MODELS = [
    ("openai", "gpt-5"),
    ("openai", "gpt-5-mini"),
    ("openai", "gpt-5.6-sol"),
    ("anthropic", "claude-sonnet-4-5"),
    ("anthropic", "claude-haiku-4-5"),
    ("google", "gemini-2.5-pro"),
    ("google", "gemini-3-pro-preview"),
    ("x-ai", "grok-4"),
    ("mistral", "mistral-large-latest"),
]


@st.composite
def usages(draw):
    read = draw(st.integers(0, 600_000))
    cached = draw(st.integers(0, read))
    return read, draw(st.integers(0, 100_000)), cached, draw(st.integers(0, read - cached))


@pytest.mark.parametrize(("provider", "model"), MODELS)
@given(usage=usages())
def test_a_charge_is_what_genai_prices_computes(provider, model, usage):
    read, written, cached, stored = usage
    prices = prices_of(provider, model, day=DAY)
    told = genai_prices.Usage(
        input_tokens=read,
        output_tokens=written,
        cache_read_tokens=cached,
        cache_write_tokens=stored,
    )
    oracle = genai_prices.calc_price(
        told, model, provider_id=provider, genai_request_timestamp=NOON
    )
    assert charge(prices, *usage) == pytest.approx(float(oracle.total_price), rel=1e-9, abs=1e-12)
    assert most(prices, read, written) >= float(oracle.total_price) * (1 - 1e-9)


def test_every_price_that_is_known_is_what_genai_prices_computes():
    from genai_prices.data_snapshot import get_snapshot

    usage = genai_prices.Usage(input_tokens=250_000, output_tokens=4_000, cache_read_tokens=9_000)
    compared = 0
    for provider in get_snapshot().providers:
        for model in provider.models:
            prices = prices_of(provider.id, model.id, day=DAY)
            if prices is None or provider.id == "deepseek":
                continue
            oracle = genai_prices.calc_price(
                usage, model.id, provider_id=provider.id, genai_request_timestamp=NOON
            )
            usd = charge(prices, 250_000, 4_000, 9_000)
            assert usd == pytest.approx(float(oracle.total_price)), (provider.id, model.id)
            compared += 1
    assert compared > 1_000


def test_the_version_is_named():
    assert prices_of("openai", "gpt-5").source == f"genai-prices {version('genai-prices')}"


def test_prices_are_those_of_the_day():
    before = prices_of("openai", "gpt-5.6-sol", day=date(2026, 8, 20))
    after = prices_of("openai", "gpt-5.6-sol", day=date(2026, 8, 21))
    assert before.output > after.output


def test_of_prices_that_change_over_the_day_the_highest_count():
    from genai_prices.data_snapshot import get_snapshot
    from genai_prices.types import ModelPrice, TimeOfDateConstraint

    changing = [
        (provider.id, model.id)
        for provider in get_snapshot().providers
        for model in provider.models
        if not isinstance(model.prices, ModelPrice)
        and any(isinstance(one.constraint, TimeOfDateConstraint) for one in model.prices)
    ]
    assert changing
    usage = genai_prices.Usage(input_tokens=10_000, output_tokens=1_000)
    for provider, model in changing:
        bills = [
            genai_prices.calc_price(
                usage,
                model,
                provider_id=provider,
                genai_request_timestamp=datetime(2026, 11, 20, hour, 45, tzinfo=UTC),
            ).total_price
            for hour in range(24)
        ]
        usd = charge(prices_of(provider, model, day=DAY), 10_000, 1_000)
        assert usd == pytest.approx(float(max(bills))), (provider, model)


@pytest.mark.parametrize(
    ("provider", "model"),
    [
        ("openai", "no-such-model"),
        ("nobody", "gpt-5"),
        ("http://localhost:8000/v1", "gpt-5"),
        ("ollama", "gpt-oss"),
        ("vllm", "deepseek-chat"),
        ("llamacpp", "gpt-5"),
        ("perplexity", "sonar"),  # has a price a request
        ("openai", "text-embedding-3-small"),  # has none of output
    ],
)
def test_unknown_stays_unknown(provider, model):
    assert prices_of(provider, model) is None


@pytest.mark.parametrize("name", ["ollama:gpt-oss", "gpt-oss"])
def test_what_the_user_says_comes_first(name):
    own = {name: Prices(0.0, 0.0)}
    assert prices_of("ollama", "gpt-oss", own) == Prices(0.0, 0.0, source="settings")
    assert prices_of("openai", "gpt-5", own).source != "settings"
    server = {"compat:https://llm.test/v1#m": Prices(1.0, 2.0, source="mine")}
    assert prices_of("https://llm.test/v1", "m", server).source == "mine"


def test_an_address_tells_its_provider():
    assert prices_of("https://api.openai.com/v1", "gpt-5") == prices_of("openai", "gpt-5")
    assert prices_of("xai", "grok-4") == prices_of("x-ai", "grok-4")
    assert context_of("openai", "gpt-5") == 400_000
    assert context_of("ollama", "gpt-5") is None


def test_nothing_is_asked_for_over_the_net(monkeypatch):
    def refuse(*_):
        raise AssertionError("the net was used")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert prices_of("google", "gemini-2.5-flash") is not None
