"""What does `widedeep` show? A name more or less is a decision, and stands here."""

import inspect

import pytest

import widedeep

PUBLIC = [
    "Agent",
    "Answer",
    "Budget",
    "Builtin",
    "Context",
    "Cost",
    "Found",
    "MemoryJournal",
    "Prices",
    "Run",
    "Scripted",
    "SqliteJournal",
    "Tool",
    "ToolOutput",
    "UsageError",
    "WidedeepError",
    "corpus_tools",
    "open_index",
    "tool",
]


def own_methods(thing):
    """Return what a class itself shows, by name; an exception or a dataclass may show nothing."""
    for name, member in vars(thing).items():
        if not name.startswith("_") and (
            inspect.isfunction(member) or isinstance(member, property)
        ):
            yield name, member


def test_the_public_names_are_these():
    assert sorted(widedeep.__all__) == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_is_there_and_explained(name):
    thing = getattr(widedeep, name)
    assert (thing.__doc__ or "").strip(), f"{name} has no docstring"
    if inspect.isclass(thing):
        # A protocol's attribute is explained by the class; what takes arguments explains itself.
        unexplained = [
            method
            for method, member in own_methods(thing)
            if not (member.__doc__ or "").strip() and inspect.isfunction(member)
        ]
        assert unexplained == []


@pytest.mark.parametrize("name", PUBLIC)
def test_a_docstring_is_not_the_one_that_a_dataclass_makes(name):
    thing = getattr(widedeep, name)
    assert not (thing.__doc__ or "").startswith(f"{name}(")


def test_an_unknown_name_is_named():
    with pytest.raises(AttributeError, match="'Agnet'"):
        getattr(widedeep, "Agnet")  # noqa: B009


def test_a_star_import_brings_the_public_names():
    namespace = {}
    exec("from widedeep import *", namespace)
    assert set(PUBLIC) <= set(namespace)
