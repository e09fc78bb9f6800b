"""Which real sentences, reworded or with one value swapped, does bench/citations.py check?

The sentences are those of three public corpora of encyclopedia text and cite their own document.
Right ones are reworded lightly; planted errors are right ones, one value of which is another of
the same type from the same document. Nothing here uses the code that is measured.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from widedeep.text import sentences, words

CORPORA = ("2wikimultihopqa", "hotpotqa100", "musique100")
_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DATE = re.compile(rf"\b(?:\d\d? {_MONTH},? \d{{4}}|{_MONTH} \d\d?, \d{{4}})\b")
_YEAR = re.compile(r"(?<![\d,.])(?:1\d{3}|20[0-2]\d)(?![\d,]|\.\d)")
_NUMBER = re.compile(r"(?<![\w,.–-])\d[\d,]*(?:\.\d+)?(?![\w–-])")
_PHRASE = re.compile(r"[A-Z][\w.-]*\w(?: (?:[A-Z]\. ?)*[A-Z][\w-]+)*(?![\w'’-])")
_NATION = re.compile(r"(?:an|ish|ese|ch|ss|eek|aeli|Thai)$")
_VERBS = {
    "directed": "directed",
    "written": "wrote",
    "produced": "produced",
    "composed": "composed",
    "founded": "founded",
    "released": "released",
    "published": "published",
    "designed": "designed",
    "built": "built",
    "performed": "performed",
    "recorded": "recorded",
    "owned": "owned",
    "developed": "developed",
}
_OTHERWORDS = (
    (r"\bwas born in ([A-Z])", r"is a native of \1"),
    (r"\bdied\b", "passed away"),
    (r"\bstarring\b", "with leading parts for"),
    (r"\bstars ([A-Z])", r"has as its leading actors \1"),
    (r"\b(is|are|was) located in\b", r"\1 situated in"),
    (r"\bis a (city|town|village) in\b", r"is a \1 that lies in"),
    (r"\bfounded\b", "set up"),
    (r"\bwas released (?=on|in\\b)", "came out "),
    (r"\bwrote\b", "penned"),
    (r"\bmarried ([A-Z])", r"became the spouse of \1"),
    (r"\bthe (?:eldest|youngest|only) (son|daughter) of\b", r"a \1 of"),
    (r"\bbased on\b", "adapted from"),
    (r"\bmoved to\b", "relocated to"),
    (r"\bwon\b", "received"),
    (r"\bserved as\b", "held the post of"),
    (r"\bpopulation of\b", "number of inhabitants of"),
    (r"\bbegan\b", "started"),
    (r"\bestablished\b", "founded"),
    (r"\bknown for\b", "noted for"),
)


@dataclass(frozen=True)
class Document:
    id: str
    title: str
    text: str


@dataclass(frozen=True)
class Stated:
    kind: str
    text: str
    document: Document


def documents(data: Path) -> list[Document]:
    found: list[Document] = []
    for corpus in CORPORA:
        with gzip.open(data / corpus / "corpus.jsonl.gz", "rt", encoding="utf-8") as rows:
            found += [Document(r["_id"], r["title"], r["text"]) for r in map(json.loads, rows)]
    return found


def whole(sentence: str) -> bool:
    """Say whether a sentence was cut at its ends: not within brackets, not at an abbreviation."""
    even = sentence.count("(") == sentence.count(")") and sentence.count('"') % 2 == 0
    return even and "[" not in sentence and re.match(r"[A-Z].*[a-z\d)]\.$", sentence) is not None


def named(sentence: str, title: str) -> str:
    """Return the sentence with its subject named: a pronoun at its start is the title."""
    subject = re.sub(r" \([^)]*\)$", "", title)
    sentence = re.sub(r"^(?:He|She|It|They) (?=[a-z])", f"{subject} ", sentence)
    return re.sub(r"^(?:His|Her|Its|Their) (?=[a-z])", f"{subject}'s ", sentence)


def as_it_is(sentence: str) -> str | None:
    return sentence


def shortened(sentence: str) -> str | None:
    """Return the sentence without brackets, an apposition, or its last clause."""
    short = re.sub(r" ?\([^()]*\)", "", sentence)
    for pattern in (
        r", (?:an?|the|who|which|then) [^,]{8,80},",
        r", (?:who|which|where|with|and|but) [^,.]{8,}(?=\.$)",
    ):
        cut = re.sub(pattern, " " if pattern.endswith(",") else "", short, count=1)
        if cut != short:
            return cut.replace("  ", " ")
    return short if short != sentence else None


def reordered(sentence: str) -> str | None:
    """Return the sentence with its first or last clause moved to the other end."""
    first = re.match(
        r"^((?:In|On|At|After|During|From|By|Since|Before) [^,]{3,60}), ([^.]{20,})\.$", sentence
    )
    if first and "," not in first[2][:40]:
        return f"{first[2][0].upper()}{first[2][1:]} {first[1][0].lower()}{first[1][1:]}."
    last = re.match(
        r"^([^,;(]{20,}?) ((?:in|on|after|during|since|until)"
        r" (?:the )?(?:[A-Z]|\d)[^,;(]{2,40})\.$",
        sentence,
    )
    if last:
        return f"{last[2][0].upper()}{last[2][1:]}, {last[1]}."
    return None


def turned(sentence: str) -> str | None:
    """Return a passive clause with `by` as an active one."""
    found = re.match(
        rf"^(.{{3,60}}?) (?:is|was|were) (?:a [^,.]{{3,50}} )?({'|'.join(_VERBS)}) by "
        r"((?:[A-Z][\w.'’-]*)(?: [A-Z][\w.'’-]*)*)\b(.*)\.$",
        sentence,
    )
    if not found or found[4].startswith((" and", ",")):
        return None
    return f"{found[3]} {_VERBS[found[2]]} {found[1]}{found[4]}."


def other_words(sentence: str) -> str | None:
    said = sentence
    for pattern, instead in _OTHERWORDS:
        said = re.sub(pattern, instead, said)
    return said if said != sentence else None


REWORDED: dict[str, Callable[[str], str | None]] = {
    "as it is": as_it_is,
    "shortened": shortened,
    "reordered": reordered,
    "turned active": turned,
    "other words": other_words,
}
KINDS = (*REWORDED, "two sentences")


def right(pool: list[Document], drawn: random.Random, each: int) -> list[Stated]:
    """Return `each` right sentences of every kind."""
    made: list[Stated] = []
    for kind in KINDS:
        found = (
            one for document in drawn.sample(pool, len(pool)) for one in _of(document, kind, drawn)
        )
        made += [one for one, _ in zip(found, range(each), strict=False)]
    return made


def _of(document: Document, kind: str, drawn: random.Random) -> Iterator[Stated]:
    """Yield at most one sentence of a document."""
    usable = [s for s in sentences(document.text) if 40 <= len(s) <= 260 and whole(s)]
    usable = [s for s in usable if values(s, document.title)]
    drawn.shuffle(usable)
    if kind == "two sentences":
        if len(usable) > 1:
            one, two = (named(s, document.title) for s in usable[:2])
            two = re.sub(
                r"^(?:The|A|An|In|On|At|After|This|These|For) ", lambda m: m[0].lower(), two
            )
            yield Stated(kind, f"{one[:-1]}, and {two}", document)
        return
    for sentence in usable:
        said = REWORDED[kind](named(sentence, document.title))
        if said and values(said, document.title):
            yield Stated(kind, said, document)
            return


def values(text: str, title: str) -> list[tuple[str, str]]:
    """Return the values of a text that are no part of the title, each with its type."""
    found = [("date", date) for date in _DATE.findall(text)]
    rest = _DATE.sub("#", text)
    found += [("year", year) for year in _YEAR.findall(rest)]
    found += [("number", n) for n in _NUMBER.findall(_YEAR.sub("#", rest)) if len(n) < 12]
    own = set(words(title))
    for match in _PHRASE.finditer(rest):
        name = match.group()
        nation = _NATION.search(name) and " " not in name
        if not rest[: match.start()].endswith(
            tuple(f"{c} " for c in "abcdefghijklmnopqrstuvwxyz,")
        ):
            continue
        if (
            len(name) > 3
            and not nation
            and not re.search(_MONTH, name)
            and not own & set(words(name))
        ):
            found.append(("name", name))
    return found


def wrong(stated: Stated, drawn: random.Random) -> Stated | None:
    """Return the sentence with one value swapped for another of its type of the same document."""
    document = stated.document
    mine = values(stated.text, document.title)
    drawn.shuffle(mine)
    said = set(words(stated.text))
    for type, value in mine:
        others = [other for kind, other in values(document.text, document.title) if kind == type]
        others = [other for other in others if not set(words(other)) & said]
        if type in {"date", "number"}:
            others = [
                o
                for kind, o in values(document.text, document.title)
                if kind == type and o not in stated.text
            ]
        if others:
            swapped = re.sub(
                rf"(?<!\w){re.escape(value)}(?!\w)", drawn.choice(others), stated.text, count=1
            )
            if swapped != stated.text:
                return Stated(stated.kind, swapped, document)
    return None


def sample(data: Path, seed: int, each: int) -> tuple[list[Stated], list[Stated]]:
    """Return right sentences and planted errors, `each` of every kind of rewording."""
    drawn = random.Random(seed)
    pool = documents(data)
    kept = right(pool, drawn, each)
    planted: list[Stated] = []
    for one in right(pool, drawn, each * 3):
        made = wrong(one, drawn)
        if made and sum(p.kind == one.kind for p in planted) < each:
            planted.append(made)
    return kept, planted
