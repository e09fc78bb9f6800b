"""Calls that a server left in the text."""

import pytest

from widedeep.models.compat.intext import calls_in

TOOLS = {"search", "read"}
READ = '<tool_call>{"name":"read","arguments":{}}</tool_call>'
SEARCH = '<tool_call>{"name":"search","arguments":{"q":"</b>"}}</tool_call>'


@pytest.mark.parametrize(
    ("text", "left", "called"),
    [
        ('<tool_call>{"name": "search", "arguments": {"q": 1}}</tool_call>', "", ["search"]),
        ('Hm. <tool_call>\n{"name":"search","arguments":{}}\n', "Hm.", ["search"]),
        (
            f"{READ} and then {SEARCH}",
            "and then",
            ["read", "search"],
        ),
        ('<function=search>{"q": 1}</function>', "", ["search"]),
        ('[TOOL_CALLS][{"name":"search","arguments":{"q":1}}]', "", ["search"]),
        ('{"name": "search", "parameters": {"q": 1}}', "", ["search"]),
        (
            '[{"name":"search","arguments":{}},{"name":"read","arguments":{}}]',
            "",
            ["search", "read"],
        ),
    ],
)
def test_calls_are_taken_out(text, left, called):
    found, calls = calls_in(text, TOOLS)
    assert (found, [call.tool for call in calls]) == (left, called)


@pytest.mark.parametrize(
    "text",
    [
        "Nothing here.",
        '<tool_call>{"name": "unknown", "arguments": {}}</tool_call>',
        '<tool_call>{"name": "search", "arguments": "q"}</tool_call>',
        '<tool_call>{"name": "search"',
        '{"answer": 1}',
        "[1, 2]",
        "",
        "[" * 100_000,
    ],
)
def test_everything_else_stays_text(text):
    assert calls_in(text, TOOLS) == (text, ())
