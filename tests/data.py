"""Where are the data sets that some tests read? In WIDEDEEP_DATA, or beside the checkout."""

import os
from pathlib import Path

import pytest

from tests.tree import ROOT


def data(name: str) -> Path:
    """Return the folder of a data set; skip the test where there is none.

    It is skipped under WIDEDEEP_REQUIRE=1 too: no command of this repository brings data sets.
    """
    folder = Path(os.environ.get("WIDEDEEP_DATA") or ROOT.parent / "shared" / "data") / name
    if not folder.is_dir():
        pytest.skip(f"no data set {name!r}: set WIDEDEEP_DATA to the folder that holds it")
    return folder
