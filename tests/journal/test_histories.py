"""Any history that can be is read back from the file as it was written."""

import asyncio
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import EnumType
from functools import cache
from itertools import count
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from widedeep import SqliteJournal
from widedeep.events import (
    CallStarted,
    Event,
    Record,
    RunEnded,
    RunInterrupted,
    RunResumed,
    RunStarted,
)
from widedeep.journal.claim import Claim, noted

TEXT = st.text(max_size=20) | st.sampled_from(
    ["", "$", "$blob", "\x00", "é" * 1100, "word " * 3000]
)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)


def anything_of(hint) -> st.SearchStrategy:
    """Return values of what a field says it holds."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return JSON
    if origin in (Union, types.UnionType):
        return st.one_of([anything_of(one) for one in inner])
    if origin is Literal:
        return st.sampled_from(inner)
    if origin is tuple:
        return st.lists(anything_of(inner[0]), max_size=3).map(tuple)
    if origin is Mapping:
        return st.dictionaries(TEXT, JSON, max_size=3)
    if isinstance(hint, EnumType):
        return st.sampled_from(list(hint))
    if is_dataclass(hint):
        return st.deferred(lambda: shape(hint))
    simple = {str: TEXT, int: st.integers(-9, 99), bool: st.booleans(), type(None): st.none()}
    return simple[hint] if hint in simple else st.floats(0, 1e9)


@cache
def shape(kind) -> st.SearchStrategy:
    """Return values of one of our shapes."""
    hints = get_type_hints(kind)
    return st.builds(kind, **{one.name: anything_of(hints[one.name]) for one in fields(kind)})


KINDS = set(get_args(Event))
ENDS = {RunEnded, RunInterrupted}
BETWEEN = st.one_of([shape(kind) for kind in KINDS - ENDS - {RunStarted, RunResumed}])
HISTORIES = st.tuples(
    st.lists(shape(RunStarted), max_size=1),
    st.lists(BETWEEN, max_size=12),
    st.lists(st.one_of([shape(kind) for kind in ENDS]), max_size=1),
).map(lambda parts: [event for part in parts for event in part])
NAMES = map("run {}".format, count())


@pytest.fixture(scope="module")
def journal(tmp_path_factory):
    made = SqliteJournal(tmp_path_factory.mktemp("histories") / "journal.sqlite")
    yield made
    made.close()


@settings(deadline=None, max_examples=80)
@given(HISTORIES)
def test_any_history_reads_back(journal, events):
    name = next(NAMES)
    for event in events:
        journal.append(name, event)
    asyncio.run(journal.flush())
    read = list(journal.read(name))
    assert [record.event for record in read] == events
    assert [record.seq for record in read] == list(range(1, len(events) + 1))


@settings(deadline=None, max_examples=40)
@given(shape(CallStarted))
def test_any_call_that_has_begun_is_noted_as_it_is(tmp_path_factory, event):
    path = tmp_path_factory.mktemp("noted") / "journal.sqlite-locks" / "run"
    claim = Claim(path)
    claim.note(7, 1.5, event)
    claim.release(keep=True)
    assert noted(path, "run", 7) == []
    assert noted(path, "run", 6) == [Record("run", 7, 1.5, event)]
