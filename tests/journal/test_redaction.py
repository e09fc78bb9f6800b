"""Is a secret kept out of all that is written, in whatever form it stands?"""

import base64
import json
import sqlite3
import zlib
from contextlib import closing
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fakes.tools import look

from widedeep import Agent, MemoryJournal, SqliteJournal, tool
from widedeep.events import CallSettled, Replied
from widedeep.journal import RedactedJournal, Redactor
from widedeep.messages import Found, Outcome, Reply, ToolOutput
from widedeep.models.scripted import Scripted

KEY = "sk-test-9f3Kq7Zx/+LmP0"
SECRETS = [
    KEY,
    'quote"back\\slash/and+plus',
    "with some spaces in it",
    "two\nlines and a\ttab",
    "pässwörd with 😀 in it",
    "100%41 sure & <safe>",
    "hunter22",
]


def forms(secret):
    """Yield what programs make of a secret on its way into a URL, a header or a JSON text."""
    yield secret
    for once in (quote(secret, safe=""), quote(secret), quote_plus(secret)):
        yield from (once, quote(once, safe=""), quote(once, safe="").replace("%25", "%2525"))
    every = "".join(f"%{byte:02X}" for byte in secret.encode())
    yield from (every, every.lower())
    for ascii_only in (True, False):
        once = json.dumps(secret, ensure_ascii=ascii_only)[1:-1]
        yield from (once, json.dumps(once)[1:-1])


def in_base64(secret):
    raw = secret.encode()
    for before in range(4):
        for after in range(3):
            whole = b"user"[:before] + raw + b"\xffat"[:after]
            yield base64.b64encode(whole).decode()
            yield base64.urlsafe_b64encode(whole).decode()
            yield quote(base64.b64encode(whole).decode(), safe="")


@pytest.mark.parametrize("secret", SECRETS)
def test_every_form_of_a_secret_is_found(secret):
    hide = Redactor({"key": secret}).text
    for form in forms(secret):
        assert hide(f"before {form} after {form}") == "before [redacted:key] after [redacted:key]"
    for form in in_base64(secret):
        clean = hide(f"Basic {form}")
        assert "[redacted:key]" in clean
        assert len(clean) <= len("Basic [redacted:key]") + 24  # of the bytes around it


@given(st.text(min_size=8, max_size=60), st.text(max_size=9), st.text(max_size=9))
def test_any_secret_in_any_surroundings(secret, before, after):
    hide = Redactor([secret]).text
    if len(secret.strip()) < 8:
        return
    secret = secret.strip()
    for form in (secret, quote(secret, safe=""), json.dumps(secret)[1:-1]):
        assert secret not in hide(f"{before}{form}{after}")
        assert "[redacted:secret-1]" in hide(f"{before}{form}{after}")
    coded = base64.b64encode(f"{before}{secret}{after}".encode()).decode()
    assert "[redacted:secret-1]" in hide(coded)


@given(st.text())
def test_a_text_without_secrets_is_the_very_same(text):
    assert Redactor(["correct horse battery"]).text(text) is text


def test_what_was_cut_off_in_the_middle_of_a_secret_shows_no_more_than_its_beginning():
    hide = Redactor({"key": KEY}).text
    assert hide(f"401 for {KEY[:-3]}") == "401 for [redacted:key]"
    assert hide(f"keys begin with {KEY[:8]}") == f"keys begin with {KEY[:8]}"


def test_a_secret_of_several_lines_is_found_on_one():
    key = "-----BEGIN KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\n-----END KEY-----\n"
    hide = Redactor({"key": key}).text
    for form in (key.strip(), key.replace("\n", "\r\n").strip(), " ".join(key.split())):
        assert hide(f"cannot read {form}") == "cannot read [redacted:key]"
        assert hide(json.dumps([form])) == '["[redacted:key]"]'


def test_short_values_are_left_alone():
    assert not Redactor(["1234567", "", "   "])
    assert Redactor(["1234567"]).text("1234567") == "1234567"


def test_of_a_proxy_url_the_password_alone_is_secret_too():
    hide = Redactor({"proxy": "http://me:pa%24%24word-1@proxy.example:3128"}).text
    assert (
        hide("407 from http://me:pa%24%24word-1@proxy.example:3128/")
        == "407 from [redacted:proxy]/"
    )
    assert hide("wrong password 'pa$$word-1'") == "wrong password '[redacted:proxy]'"


def test_a_longer_secret_is_not_taken_for_one_that_it_begins_with():
    hide = Redactor({"short": "abcdefgh", "long": "abcdefgh-ijklmnop"}).text
    assert hide("abcdefgh-ijklmnop, abcdefgh") == "[redacted:long], [redacted:short]"


def test_json_is_clean_in_keys_values_and_numbers():
    hide = Redactor({"pin": "8675309421", "key": KEY}).json
    odd = {KEY: [8675309421, (KEY,), {"x": 1.5, 7: None}], ("a", KEY): True}
    clean = hide(odd)
    assert clean["[redacted:key]"] == ["[redacted:pin]", ["[redacted:key]"], {"x": 1.5, "7": None}]
    assert KEY not in repr(clean)


def test_what_is_not_changed_is_the_very_same_event():
    event = Replied(1, Reply("Nothing to hide.", provider={"id": [1, 2]}), 0.5)
    assert Redactor([KEY]).shape(event) is event
    assert Redactor().shape(event) is event


@tool
async def leak(where: str) -> ToolOutput:
    """Tell a secret."""
    if where == "raise":
        raise ConnectionError(f"401 from https://api.example/?key={quote(KEY, safe='')}")
    page = f"{where} " * 3000 + KEY
    return ToolOutput(
        "", (Found(f"id {KEY}", page, title=KEY, url=f"https://x/?{KEY}"),), {KEY: KEY}
    )


def everything(path):
    """Return all bytes of a journal's files, packed texts unpacked."""
    with closing(sqlite3.connect(path)) as connection:
        blobs = [
            zlib.decompress(body) if packed else body
            for packed, body in connection.execute("SELECT packed, body FROM blobs")
        ]
    files = [file.read_bytes() for file in path.parent.rglob("*") if file.is_file()]
    return b"\n".join((*files, *blobs))


def test_no_secret_reaches_the_disk(tmp_path):
    journal = SqliteJournal(tmp_path / "journal.sqlite", secrets={"key": KEY})
    script = [[("leak", {"where": each}) for each in ("raise", KEY)], f"It is {KEY} [1]."]
    answer = Agent(Scripted(script), [leak], journal=journal).run_sync(f"What is {KEY}?")
    assert KEY in answer.text
    kept = [record.event for record in journal.read(answer.run_id)]
    (settled, _) = [each for each in kept if isinstance(each, CallSettled)]
    assert settled.outcome is Outcome.ERROR
    assert settled.error == "ConnectionError: 401 from https://api.example/?key=[redacted:key]"
    assert journal.runs()[0].question == "What is [redacted:key]?"
    journal.close()
    written = everything(journal.path)
    assert b"[redacted:key]" in written
    assert not [form for form in (KEY, quote(KEY, safe="")) if form.encode() in written]


def test_any_journal_can_be_wrapped():
    memory = MemoryJournal()
    journal = RedactedJournal(memory, [KEY])
    script = [[("look", {"query": KEY})], "Done."]
    answer = Agent(Scripted(script), [look], journal=journal).run_sync("What?")
    records = list(journal.read(answer.run_id))
    assert len(records) > 5
    assert KEY not in repr(records)
    assert "[redacted:secret-1]" in repr(records)
