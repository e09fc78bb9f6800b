"""What makes a function a tool."""

import asyncio
import re
import threading
from typing import Annotated, Literal

import pytest
from tests.fakes import clock

from widedeep import Context, Tool, ToolOutput, UsageError, tool


@tool(name="find", limit=2, deadline=5)
async def search(
    query: Annotated[str, "what to look for"],
    context: Context,
    k: int = 5,
    where: Literal["title", "text"] = "text",
) -> str:
    """Look something up.

    In detail.
    """
    return f"{query} {k} {where} {context.call_id}"


CONTEXT = Context("run", "1.1", "run/1.1", 5.0)


def test_the_model_is_told_name_docstring_and_schema():
    assert isinstance(search, Tool)
    assert search.spec.name == "find"
    assert search.spec.description == "Look something up.\n\nIn detail."
    properties = search.spec.schema["properties"]
    assert properties["query"]["description"] == "what to look for"
    assert properties["where"]["enum"] == ["title", "text"]
    assert "context" not in properties
    assert search.spec.schema["required"] == ["query"]


def test_defaults_are_filled_and_count_in_the_key():
    filled = search.validate({"query": "x"})
    assert filled == {"query": "x", "k": 5, "where": "text"}
    assert search.key(filled) == search.key(search.validate({"k": 5, "query": "x"}))
    assert search.key(filled) != search.key(search.validate({"k": 6, "query": "x"}))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "query: Field required"),
        ({"query": "x", "k": "many"}, "k: Input should be a valid integer"),
        ({"query": "x", "q": 1}, "q: Extra inputs are not permitted"),
        ({"query": "x", "where": "page"}, "'title' or 'text'"),
    ],
)
def test_wrong_arguments_are_named(arguments, told):
    with pytest.raises(ValueError, match=told):
        search.validate(arguments)


def test_it_is_called_with_its_context():
    output = clock.run(search.call(search.validate({"query": "x"}), CONTEXT))
    assert output == ToolOutput("x 5 text 1.1")


def test_a_parameter_may_have_any_name():
    @tool
    async def render(
        json: Annotated[str, "what to render"],
        model_config: int,
        ownjson: str = "o",
        copy: int = 0,
        _hidden: int = 1,
    ) -> str:
        """Render."""
        return f"{json} {model_config} {ownjson} {copy} {_hidden}"

    schema = render.spec.schema
    assert list(schema["properties"]) == ["json", "model_config", "ownjson", "copy", "_hidden"]
    assert schema["properties"]["json"]["description"] == "what to render"
    assert schema["required"] == ["json", "model_config"]
    given = render.validate({"json": "{}", "model_config": 2, "copy": 3})
    assert clock.run(render.call(given, CONTEXT)).text == "{} 2 o 3 1"
    with pytest.raises(ValueError, match="json: Field required"):
        render.validate({"model_config": 2})
    with pytest.raises(ValueError, match="ownownjson: Extra inputs"):
        render.validate({"json": "", "model_config": 2, "ownownjson": "x"})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", "a"),
        (b"\xff\xfea", "\ufffd\ufffda"),
        ({"é": [1, None]}, '{"é": [1, null]}'),
        (None, "null"),
    ],
)
def test_any_value_becomes_text(value, text):
    @tool
    def give() -> object:
        """Give."""
        return value

    assert clock.run(give.call({}, CONTEXT), grace=0.05).text == text


def test_sync_functions_run_beside_each_other_in_daemon_threads():
    both = threading.Barrier(2, timeout=10)

    @tool
    def meet() -> bool:
        """Meet."""
        both.wait()
        return threading.current_thread().daemon

    async def twice():
        return await asyncio.gather(*(meet.call({}, CONTEXT) for _ in range(2)))

    assert [output.text for output in asyncio.run(twice())] == ["true", "true"]


def test_a_stop_iteration_from_a_thread_is_an_error_like_any_other():
    @tool
    def stop() -> str:
        """Stop."""
        raise StopIteration("no more")

    with pytest.raises(RuntimeError, match="no more"):
        asyncio.run(stop.call({}, CONTEXT))


def test_wrong_use_is_named():
    async def plain(query: str) -> str:
        return query

    async def untyped(query) -> str:
        """Look."""
        return query

    async def documented(query: str) -> str:
        """Look."""
        return query

    with pytest.raises(UsageError, match="'plain' has no docstring"):
        tool(plain)
    with pytest.raises(UsageError, match="'query' of the tool 'untyped' has no type"):
        tool(untyped)
    with pytest.raises(UsageError, match="process=True takes a sync function"):
        tool(process=True)(documented)


@pytest.mark.parametrize(
    "options",
    [
        *({"deadline": 0}, {"deadline": "3"}, {"limit": 0}, {"limit": 2.5}, {"key": "x"}),
        *({"effects": "Write"}, {"order": "Serial"}, {"name": "a b"}),
    ],
)
def test_an_option_that_cannot_be_is_named_with_its_value(options):
    async def documented(query: str) -> str:
        """Look."""
        return query

    (value,) = options.values()
    with pytest.raises(UsageError, match=re.escape(repr(value))):
        tool(**options)(documented)
