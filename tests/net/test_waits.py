"""What do providers say of when to ask again, in all the ways they say it?"""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widedeep.net import asked_to_wait, retry_after
from widedeep.net.waits import LONGEST_WAIT

DATE = datetime(2015, 10, 21, 7, 27, tzinfo=UTC)
NOW = DATE.timestamp()


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        (" 3 ", 3),
        ("0", 0),
        ("1.5", 1.5),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 60),
        ("Wednesday, 21-Oct-15 07:28:00 GMT", 60),
        ("Wed Oct 21 07:28:00 2015", 60),
        ("21 Oct 2015 07:28:00 GMT", 60),
        ("Wed, 21 Oct 2015 09:28:00 +0200", 60),
        ("Wed, 21 Oct 2015 07:20:00 GMT", 0),
        ("2015-10-21T07:28:30Z", 90),
        ("2015-10-21T07:28:30+02:00", 0),
        ("1445412460", 40),
        ("1445412460000", 40),
        ("1m30s", 90),
        ("6m0s", 360),
        ("20ms", 0.02),
        ("1h2m3.5s", 3723.5),
        ("36S", 36),
        ("120, 60", 120),
        ("soon, 60", 60),
        ("Wed, 21 Oct 2015 07:28:00 GMT, Wed, 21 Oct 2015 07:29:00 GMT", 120),
        ("120, Wed, 21 Oct 2015 07:30:00 GMT", 180),
        ("9" * 30, LONGEST_WAIT),
        ("4000h", LONGEST_WAIT),
        ("Fri, 31 Dec 9999 23:59:59 GMT", LONGEST_WAIT),
    ],
)
def test_it_is_read(value, seconds):
    assert retry_after(value, NOW) == pytest.approx(seconds)


@pytest.mark.parametrize(
    "value",
    [
        *(None, "", "soon", "-5", "+5", "1e3", "inf", "nan", "٣", "1 2", "1m30", "5;", "0x10"),
        *("Wed, 99 Oct 2015 07:28:00 GMT", "2015-13-21T07:28:30Z", "9" * 300, "Wed,", ",,"),
    ],
)
def test_what_cannot_be_read_is_unknown(value):
    assert retry_after(value, NOW) is None


@given(st.text(max_size=60) | st.text("0123456789.,:msh -+GTWedOct", max_size=40))
def test_whatever_stands_there_the_wait_is_bounded(value):
    wait = retry_after(value, NOW)
    assert wait is None or 0 <= wait <= LONGEST_WAIT


@given(st.integers(0, int(LONGEST_WAIT)))
def test_a_number_and_its_date_are_one_wait(seconds):
    then = format_datetime(DATE + timedelta(seconds=seconds), usegmt=True)
    assert retry_after(str(seconds), NOW) == retry_after(then, NOW) == seconds


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "3"}, 3),
        ({"retry-after": "3", "Retry-After-Ms": "250"}, 0.25),
        ({"Retry-After": "soon", "retry-after-ms": "soon"}, None),
        (
            {
                "x-ratelimit-reset-requests": "1s",
                "x-ratelimit-remaining-requests": "4",
                "x-ratelimit-reset-tokens": "6m0s",
                "x-ratelimit-remaining-tokens": "0",
            },
            360,
        ),
        ({"X-RateLimit-Reset": "1445412460000", "X-RateLimit-Remaining": "0"}, 40),
        (
            {
                "anthropic-ratelimit-tokens-reset": "2015-10-21T07:28:30Z",
                "anthropic-ratelimit-tokens-remaining": "0",
            },
            90,
        ),
        ({"x-ratelimit-reset-requests": "1s"}, None),
        ({"Retry-After": "2", "x-ratelimit-reset": "9", "x-ratelimit-remaining": "0"}, 2),
    ],
)
def test_headers_say_it(headers, seconds):
    assert asked_to_wait(headers, NOW) == (None if seconds is None else pytest.approx(seconds))
