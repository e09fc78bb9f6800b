"""What every test runs with: asyncio, and a store and settings that are not the user's."""

import os
import re

import pytest
from hypothesis import HealthCheck, settings

# How long an example takes says how busy the machine is, not whether the code is right.
settings.register_profile(
    "any_machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any_machine")

# Before anything is imported: no test may see the keys, the store or the settings of the user.
for variable in [each for each in os.environ if re.match("WIDEDEEP_|.*_API_KEY$", each)]:
    if variable not in ("WIDEDEEP_REQUIRE", "WIDEDEEP_DATA"):
        del os.environ[variable]


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
def home(tmp_path_factory):
    """Give the session a home folder of its own; xdist's workers share it, and so its indexes."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "home"
    folder.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        for variable in ("CONFIG", "DATA", "CACHE", "STATE"):
            patch.setenv(f"XDG_{variable}_HOME", str(folder / variable.lower()))
        patch.setenv("NO_COLOR", "1")
        patch.setenv("TERM", "dumb")
        yield folder
