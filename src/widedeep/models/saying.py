"""How are a provider's own words shown: on one line, not too long, and without the key?"""

from __future__ import annotations

from widedeep.journal import Redactor

LONGEST = 300
"""Characters of a message that are shown."""

READ = 100 * LONGEST
"""Characters that are looked at: a key in what is cut off later must still be known as one."""


def shown(text: str, key: str | None) -> str:
    """Return a provider's words as an error shows them.

    The key is taken out in every form before anything is cut: of a part nobody knows what it is.
    """
    line = " ".join(text[:READ].split())
    if key:
        line = Redactor({"key": key}).text(line)
    return line if len(line) <= LONGEST else f"{line[:LONGEST]} ..."
