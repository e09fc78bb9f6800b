"""Where are the data sets that some tests read? In WIDEDEEP_DATA, or beside the checkout."""

import os
from pathlib import Path

from tests.require import need
from tests.tree import ROOT


def data(name: str) -> Path:
    """Return the folder of a data set; skip the test, or fail it, where there is none."""
    folder = Path(os.environ.get("WIDEDEEP_DATA") or ROOT.parent / "shared" / "data") / name
    need(folder.is_dir(), f"data set {name!r} (set WIDEDEEP_DATA to the folder that holds it)")
    return folder
