"""Which terms does a text have for the lexical index?"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from widedeep.retrieval.stopwords import STOP_WORDS

if TYPE_CHECKING:
    from tantivy import TextAnalyzer

ANALYZER = "widedeep"
_LONGEST = 80
# Han, kana, hangul, Thai, Lao, Burmese, Khmer: words are not set apart (or carry endings), so each
# character and each pair of neighbours is a term.
_DENSE = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def prepared(text: str) -> str:
    """Return `text` as the analyser takes it: composed characters, dense scripts in pairs."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", text)
    return _DENSE.sub(lambda match: f" {_pairs(match.group())} ", text)


def content_terms(text: str) -> list[str]:
    """Return the terms of a query without stop words; with them if there is nothing else."""
    ready = prepared(text)
    return _content().analyze(ready) or analyzer().analyze(ready)


def all_terms(text: str) -> list[str]:
    """Return every term of a text in order, as the index holds them."""
    return analyzer().analyze(prepared(text))


@cache
def analyzer() -> TextAnalyzer:
    """Return what the index applies to a text: words in lower case, without accents, stemmed."""
    return _built(())


@cache
def _content() -> TextAnalyzer:
    return _built(STOP_WORDS)


def _built(stop: tuple[str, ...]) -> TextAnalyzer:
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    return (
        TextAnalyzerBuilder(Tokenizer.simple())
        .filter(Filter.remove_long(_LONGEST))
        .filter(Filter.lowercase())
        .filter(Filter.ascii_fold())
        .filter(Filter.custom_stopword(list(stop)))
        .filter(Filter.stemmer("english"))
        .build()
    )


def _pairs(run: str) -> str:
    pairs = (f"{one} {one}{two}" for one, two in pairwise(run))
    return " ".join([*pairs, run[-1]])
