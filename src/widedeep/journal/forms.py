"""In which forms can a secret stand in a text?

As it is; with any of its characters percent-encoded (RFC 3986) or escaped as in JSON (RFC 8259),
also several times over; and in base64 (RFC 4648, both alphabets), where it has three forms: one for
each place in a group of three bytes at which it may begin.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from urllib.parse import unquote_to_bytes

_UNICODE = re.compile(r"(?:\\u[0-9A-Fa-f]{4})+")

DEEPEST = 8
"""How many times over a secret may be percent-encoded."""

_PERCENT = rf"%(?:25){{0,{DEEPEST}}}"
_SLASHES = r"\\{1,15}"
"""Escaped up to four times; unbounded, a text of backslashes alone would hold up the run."""

_SPACES = re.compile(r"[ \b\t\n\r\f\v]+")
_BLANK = (
    rf"(?:[\s\b+]|{_SLASHES}[btnrf]|{_SLASHES}u00(?:20|0[89a-dA-D])|"
    rf"{_PERCENT}(?:20|2[bB]|0[89a-dA-D]))+"
)
"""Any space for any other, as messages are put on one line."""

_ALSO = {"+": "-", "/": "_"}
"""What the URL-safe alphabet has instead."""

_SKIPPED = (0, 2, 3)
"""Characters of base64 that the bytes before a secret have a part in, by how many those are."""

_SHARE = 0.75
SHORTEST = 8
"""Characters below which a text may stand in another by chance."""


def decoded(text: str) -> str | None:
    """Return the text with its percent-encoding and escapes taken off, None if it has none.

    It is what forms are looked for in, not what was meant: every backslash is gone.
    """
    if "%" not in text and "\\" not in text:
        return None
    for _ in range(DEEPEST):
        before = text
        text = unquote_to_bytes(text).decode("utf-8", "replace") if "%" in text else text
        if text == before:
            break
    if "\\" not in text:
        return text
    while "\\\\" in text:
        text = text.replace("\\\\", "\\")
    if "\\u" in text:
        text = _UNICODE.sub(_unescaped, text)
    return text.replace("\\", "")


def _unescaped(hit: re.Match[str]) -> str:
    return bytes.fromhex(hit[0].replace("\\u", "")).decode("utf-16-be", "replace")


@dataclass(frozen=True, slots=True)
class Form:
    """One form of a secret, which `tokens` match.

    One of `needles` stands in a text that holds it, or one of `bare` in that text `decoded`. A
    beginning of three quarters counts as the whole: what is left of a text that was cut.
    """

    needles: tuple[str, ...]
    bare: tuple[str, ...]
    tokens: tuple[str, ...]
    _compiled: list[re.Pattern[str]] = field(default_factory=list[re.Pattern[str]])

    def replaced(self, text: str, mark: str) -> str:
        """Return the text with a mark wherever the form stands."""
        if not self._compiled:
            self._compiled.append(re.compile("".join(self.tokens[: _enough(len(self.tokens))])))
        pieces: list[str] = []
        at = 0
        while hit := self._compiled[0].search(text, at):
            pieces += (text[at : hit.start()], mark)
            at = self._end(text, hit.end())
        return "".join((*pieces, text[at:]))

    def _end(self, text: str, at: int) -> int:
        """Return where a form ends of which enough stands before `at`."""
        for token in self.tokens[_enough(len(self.tokens)) :]:
            hit = re.compile(token).match(text, at)
            if hit is None:
                break
            at = hit.end()
        return at


def forms(secret: str) -> tuple[Form, ...]:
    """Return the forms of a secret of at least `SHORTEST` characters."""
    needle = max(_SPACES.split(secret[: _enough(len(secret))]), key=len)
    bare = decoded(needle) or needle
    words = _SPACES.split(secret)
    between = (token for word in words for token in (_BLANK, *map(_spelled, word)))
    return (Form((needle,), (bare,), tuple(between)[1:]), *_in_base64(secret))


def _in_base64(secret: str) -> Iterator[Form]:
    raw = secret.encode("utf-8", "replace")
    for before, skipped in enumerate(_SKIPPED):
        coded = base64.b64encode(bytes(before) + raw + bytes(3)).decode()
        core = coded[skipped : 8 * (before + len(raw)) // 6]
        head = core[: _enough(len(core))]
        safe = head.translate(str.maketrans(_ALSO))
        special = safe != head
        yield Form(
            (head, safe) if special else (head,),
            (head,) if special else (),
            tuple(_spelled(character, _ALSO.get(character, "")) for character in core),
        )


def _enough(length: int) -> int:
    """Return how much of a form is as good as the whole."""
    return min(length, max(SHORTEST, round(length * _SHARE)))


@cache
def _spelled(character: str, other: str = "") -> str:
    """Return a pattern of all that one character may have become."""
    raw = character.encode("utf-8", "replace")
    quoted = "".join(f"{_PERCENT}{_digits(f'{byte:02x}')}" for byte in raw)
    if character.isascii() and character.isalnum():
        return f"(?:{character}|{quoted})"
    if character == "\\":
        return rf"(?:{_SLASHES}(?:u005[cC])?|{quoted})"
    ways = [quoted, rf"(?:{_SLASHES})?{re.escape(character)}"]
    units = character.encode("utf-16-be", "surrogatepass").hex()
    codes = (_digits(units[at : at + 4]) for at in range(0, len(units), 4))
    ways.append("".join(f"{_SLASHES}u{code}" for code in codes))
    if other:
        ways.append(re.escape(other))
    return f"(?:{'|'.join(ways)})"


def _digits(text: str) -> str:
    """Return a pattern of hexadecimal digits in either case."""
    return "".join(f"[{one}{one.upper()}]" if one.isalpha() else one for one in text)
