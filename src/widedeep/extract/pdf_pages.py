"""What do the pages of the PDF on standard input say?

`pdf` runs this as a process.
"""

from __future__ import annotations

import io
import json
import sys
from typing import Any

MEMORY = 2 * 2**30
PAGES = 5_000


def main() -> None:
    """Print `{"title", "pages"}` or `{"error"}` as one JSON object."""
    _limit(int(sys.argv[1]))
    json.dump(pages(sys.stdin.buffer.read()), sys.stdout)


def pages(data: bytes) -> dict[str, Any]:
    """Return the title and the text of each page, or the reason why there is none."""
    import pypdf
    from pypdf.errors import DependencyError, PyPdfError

    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            return {"error": "is a PDF that is encrypted (save it without its password)"}
        if len(reader.pages) > PAGES:
            return {"error": f"is a PDF of {len(reader.pages)} pages (at most {PAGES} are read)"}
        title = (reader.metadata and reader.metadata.title) or ""
        return {"title": str(title), "pages": [page.extract_text() for page in reader.pages]}
    except DependencyError:
        return {"error": "is a PDF that is encrypted (save it without its password)"}
    except MemoryError:
        return {"error": "is a PDF that takes too much memory to read"}
    # What damaged files have been seen to raise from within the library.
    except (
        PyPdfError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        ArithmeticError,
    ) as error:
        return {"error": f"is a damaged PDF ({type(error).__name__})"}
    except (RecursionError, AssertionError, NotImplementedError, OSError) as error:
        return {"error": f"is a damaged PDF ({type(error).__name__})"}


def _limit(seconds: int) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    if sys.platform == "linux":  # macOS refuses a limit on the address space
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
