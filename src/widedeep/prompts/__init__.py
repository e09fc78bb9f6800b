"""What the model is told, as .md texts that are loaded and filled."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from string import Template


def fill(name: str, **values: object) -> str:
    """Return the prompt `name` with its `$placeholders` filled.

    Raises:
        KeyError: a placeholder has no value.
    """
    return _template(name).substitute({key: str(value) for key, value in values.items()})


@cache
def _template(name: str) -> Template:
    text = files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8")
    return Template(text.strip())
