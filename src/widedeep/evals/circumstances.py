"""Where and with what was something measured?"""

from __future__ import annotations

import hashlib
import os
import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import widedeep

_PACKAGES = ("pydantic", "tantivy")


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Versions and machine of a measurement; `code` is a hash of widedeep's own source text."""

    widedeep: str
    code: str
    python: str
    packages: dict[str, str]
    system: str
    machine: str
    cores: int | None
    at: str


def here_and_now() -> Circumstances:
    """Return the circumstances of this process."""
    return Circumstances(
        widedeep=widedeep.__version__,
        code=code(),
        python=platform.python_version(),
        packages={name: found for name in _PACKAGES if (found := _version(name))},
        system=f"{platform.system()} {platform.release()}",
        machine=platform.machine(),
        cores=os.cpu_count(),
        at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


@cache
def code() -> str:
    """Return a hash of widedeep's source text: results of other code are other results."""
    root = Path(widedeep.__file__).parent
    files = sorted(path for path in root.rglob("*") if path.suffix in {".py", ".md"})
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
