"""By which key does a service know that a call is one that it has had already?"""

from __future__ import annotations

import hashlib
import re

from widedeep.messages import Outcome

_LOST = re.compile(r"\w*(?:Timeout|Connection|Connect|Read|Protocol|Network)\w*(?=:|$)")
"""Errors, as they are told, that leave open whether what was asked for was done."""


def key_of(run_id: str, call_id: str, what: tuple[str, str]) -> str:
    """Return the key of a call.

    It tells calls apart that had one place in two versions of a reply: ids do not, for the first
    of them has another one by now.
    """
    text = " ".join(what).encode("utf-8", errors="replace")
    return f"{run_id}/{call_id}/{hashlib.blake2b(text, digest_size=6).hexdigest()}"


def is_unsure(outcome: Outcome | None, error: str | None) -> bool:
    """Tell whether a call that began may have taken effect though it brought no result."""
    if outcome is Outcome.ERROR:
        return _LOST.match(error or "") is not None
    return outcome is not Outcome.OK
