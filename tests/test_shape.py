"""Is the code still in the shape that CONTRIBUTING.md promises?"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tree import MODULES, ROOT, SRC, name, parsed, tracked

FILE_LINES = 300
FUNCTION_LINES = 60
LOOP_LINES = 30
DEPTH = 4

# The three borders where anything may be caught. Elsewhere a bug propagates.
BORDERS = {
    "agent/agent.py": "a run, in the thread that run_sync starts",
    "agent/loop.py": "a run",
    "tools/running.py": "a call",
    "tools/workers.py": "a call in a thread, a worker process",
}

FORBIDDEN_NAMES = re.compile(r"Manager|Helper|Util|Handler|Processor", re.IGNORECASE)
FORBIDDEN_IMPORTS = {"pickle", "cPickle", "shelve", "marshal", "dill", "cloudpickle", "joblib"}
# Written so that this file does not hold what it forbids.
MACHINE_PATHS = re.compile(rb"(?<![\w.])/(?:" + rb"work|home|root|Users" + rb")/\w")

Function = ast.FunctionDef | ast.AsyncFunctionDef
NESTING = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)
every_module = pytest.mark.parametrize("path", MODULES, ids=name)


def functions(path: Path) -> Iterator[Function]:
    return (node for node in ast.walk(parsed(path)) if isinstance(node, Function))


def lines(node: Function) -> int:
    """Count a function's lines without its decorators and its docstring."""
    counted = (node.end_lineno or 0) - node.lineno + 1
    if ast.get_docstring(node) is None:
        return counted
    docstring = node.body[0]
    return counted - ((docstring.end_lineno or 0) - docstring.lineno + 1)


def depth(node: ast.AST) -> int:
    """Return how deep statements nest; an `elif` is as deep as its `if`."""
    deepest = 0
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function | ast.Lambda | ast.ClassDef):
            continue  # measured by itself
        is_elif = isinstance(node, ast.If) and isinstance(child, ast.If) and node.orelse == [child]
        step = 1 if isinstance(child, NESTING) and not is_elif else 0
        deepest = max(deepest, step + depth(child))
    return deepest


@every_module
def test_a_file_is_not_too_long(path):
    counted = path.read_text(encoding="utf-8").count("\n")
    assert counted <= FILE_LINES


@every_module
def test_functions_are_short_and_flat(path):
    long = {node.name: lines(node) for node in functions(path) if lines(node) > FUNCTION_LINES}
    deep = {node.name: depth(node) for node in functions(path) if depth(node) > DEPTH}
    assert (long, deep) == ({}, {})


def test_the_loop_fits_one_screen():
    [loop] = [node for node in functions(SRC / "agent" / "loop.py") if node.name == "loop"]
    assert lines(loop) <= LOOP_LINES


@every_module
def test_a_module_says_which_question_it_answers(path):
    docstring = ast.get_docstring(parsed(path)) or ""
    assert docstring.split("\n")[0].strip(), "the first line of a module is its docstring's"


def broad(node: ast.AST) -> bool:
    """Tell whether a node keeps everything: `except Exception`, bare, in a tuple, suppressed.

    A handler that always ends in `raise`, and nowhere returns, only looks on while a bug passes.
    """
    if isinstance(node, ast.ExceptHandler) and not passes_on(node):
        caught = node.type
    elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("suppress"):
        caught = ast.Tuple(elts=node.args)
    else:
        return False
    names = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any(
        each is None or ast.unparse(each) in {"Exception", "BaseException", "BaseExceptionGroup"}
        for each in names
    )


def passes_on(handler: ast.ExceptHandler) -> bool:
    """Tell whether whatever a handler catches leaves it again."""
    leaves = (ast.Return, ast.Break, ast.Continue)
    away = any(isinstance(node, leaves) for node in ast.walk(handler))
    return isinstance(handler.body[-1], ast.Raise) and not away


def test_anything_is_caught_at_the_borders_only():
    found = {name(path) for path in MODULES for node in ast.walk(parsed(path)) if broad(node)}
    assert found == set(BORDERS)


@every_module
def test_names_say_what_a_thing_is(path):
    named = [
        node.name for node in ast.walk(parsed(path)) if isinstance(node, Function | ast.ClassDef)
    ]
    assert [each for each in [*named, path.stem] if FORBIDDEN_NAMES.search(each)] == []


@every_module
def test_nothing_is_pickled(path):
    imported = {
        alias.name.split(".")[0]
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Import)
        for alias in node.names
    } | {
        (node.module or "").split(".")[0]
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ImportFrom)
    }
    assert imported & FORBIDDEN_IMPORTS == set()


def test_no_path_of_one_machine_is_in_the_tree():
    found = [
        f"{path.relative_to(ROOT)}: {hit.group().decode()}"
        for path in tracked()
        if path.is_file()
        for hit in MACHINE_PATHS.finditer(path.read_bytes())
    ]
    assert found == []
