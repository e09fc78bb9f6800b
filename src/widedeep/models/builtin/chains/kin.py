"""Which relatives are relatives of relatives?"""

from __future__ import annotations

import re

_STEPS = (
    (r"\b(?:paternal|father's) grand(father|mother|parents?)\b", r"\1 of the father"),
    (r"\b(?:maternal|mother's) grand(father|mother|parents?)\b", r"\1 of the mother"),
    (r"\bgrand(father|mother|parents?)\b", r"\1 of the parent"),
    (r"\bgrand(son|daughter|child|children)\b", r"\1 of the child"),
    (r"\b(father|mother|parents?|brother|sister)-in-law\b", r"\1 of the spouse"),
    (r"\b(son|daughter)-in-law\b", r"spouse of the child"),
    (r"\bstep-?(father|mother)\b", r"spouse of the parent"),
    (r"\b(?:uncle|aunt)\b", r"sibling of the parent"),
    (r"\b(?:nephew|niece)\b", r"child of the sibling"),
)
_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), said) for pattern, said in _STEPS)


def stepwise(text: str) -> str:
    """Return a question with `grandfather` and the like said in two steps."""
    for pattern, said in _COMPILED:
        text = pattern.sub(said, text)
    return text
