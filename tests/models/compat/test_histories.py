"""No request is refused by a strict server, whatever the history before it."""

import pytest
from tests.fakes import providers as fake
from tests.fakes.providers import Rules
from tests.fakes.providers.trials import assert_never_refused

from widedeep.models.compat import Compat, Server

SERVERS = {
    "OpenAI": ({}, Rules(reasoning="refused")),
    "template": ({"alternates": True}, Rules(alternate=True)),
    "reasoning": ({"returns": ("reasoning_content",)}, Rules(reasoning="required")),
}


@pytest.mark.parametrize("kind", SERVERS)
def test_random_histories(kind):
    habits, rules = SERVERS[kind]
    passed = assert_never_refused(
        fake.chat, lambda url: Compat("m", Server(url, **habits)), 100, rules=rules
    )
    assert passed >= 100
