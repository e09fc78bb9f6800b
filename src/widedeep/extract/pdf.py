"""What is the text of a PDF that nobody has to trust?

It is read in a process of its own with limits on time and memory: a PDF can be made so that
reading it takes hours, and the library that reads it talks on the standard error stream.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

from widedeep.extract.charset import clean
from widedeep.extract.types import Extracted, Unreadable

SECONDS = 120
"""CPU seconds that one PDF may take."""

_READ = "from widedeep.extract import pdf_pages; pdf_pages.main()"
_HYPHEN = re.compile(r"([a-zà-ÿ])[-\xad]\n([a-zà-ÿ])")
_USELESS_TITLE = re.compile(
    r"^(?:untitled|microsoft word - .*|.*\.(?:docx?|tex|dvi|indd|pdf))?$", re.IGNORECASE
)


def read(data: bytes) -> Extracted:
    """Return the text of a PDF, pages apart by an empty line, words joined over line ends.

    Raises:
        Unreadable: it is encrypted, damaged, without text (a scan), or takes too long.
    """
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and a constant
            [sys.executable, "-P", "-c", _READ, str(SECONDS)],
            input=data,
            capture_output=True,
            check=False,
            timeout=SECONDS * 2,
        )
    except subprocess.TimeoutExpired:
        raise Unreadable(f"is a PDF that takes more than {SECONDS} seconds to read") from None
    answer = _answer(done)
    text = _HYPHEN.sub(r"\1\2", clean("\n\n".join(answer["pages"]))).strip()
    if not text:
        raise Unreadable("is a PDF without text (a scan?)")
    title = " ".join(clean(answer["title"]).split())
    return Extracted("pdf", text, None if _USELESS_TITLE.match(title) else title)


def _answer(done: subprocess.CompletedProcess[bytes]) -> dict[str, Any]:
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        raise Unreadable("is a PDF that cannot be read within the limits") from None
    if "error" in answer:
        raise Unreadable(answer["error"])
    return answer
