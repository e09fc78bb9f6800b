"""A provider's own words never show a key, nor what a cut has left of one."""

import base64
from urllib.parse import quote

import pytest

from widedeep.models.saying import LONGEST, shown

KEY = "sk-live/0123456789+abcdefghijklmnopqrstuvwxyz=="
FORMS = {
    "plain": KEY,
    "base64": base64.b64encode(KEY.encode()).decode(),
    "with a user, in base64": base64.b64encode(f"user:{KEY}".encode()).decode(),
    "in percents": quote(KEY, safe=""),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("before", [0, 250, LONGEST - 20, LONGEST - 5, LONGEST + 100])
def test_no_part_of_a_key_is_left(form, before):
    text = shown("x" * before + f" {FORMS[form]} and more", KEY)
    assert not any(FORMS[form][:size] in text for size in range(8, len(FORMS[form])))
    assert len(text) <= LONGEST + 4


def test_a_message_is_one_line():
    assert shown("a\n b\t\tc", None) == "a b c"
