"""Which models does a server serve, whatever its list looks like?"""

import asyncio
import json

import httpx2
import pytest

from widedeep.errors import ModelError
from widedeep.models.compat import Server
from widedeep.models.compat.listing import served


def listed(body, status=200):
    """Return what is read of a list that a server answers with."""
    transport = httpx2.MockTransport(lambda _: httpx2.Response(status, text=body))
    found = asyncio.run(served(Server("http://h/v1"), transport))
    return [(one.id, one.context) for one in found]


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"data": []}, []),
        ({"data": [{"id": "a", "max_model_len": 4096}, {"id": 3}, 4]}, [("a", 4096)]),
        ([{"id": "a", "context_length": 8}], [("a", 8)]),
        ({"data": [{"id": "a", "context_window": "big"}]}, [("a", None)]),
    ],
)
def test_lists(value, found):
    assert listed(json.dumps(value)) == found


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ("<html>hello", 200, "sent no list of models: <html>hello"),
        ('{"object": "list"}', 200, "sent no list of models"),
        ("gone", 404, "answered 404: gone; check the model's name and the URL http://h/v1"),
    ],
)
def test_what_is_no_list(body, status, says):
    with pytest.raises(ModelError) as caught:
        listed(body, status)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
