"""What does the first sentence of a document say that its subject is?"""

from __future__ import annotations

import re
from dataclasses import dataclass

from widedeep.evals.synth import lexicon
from widedeep.evals.synth.patterns import tidy
from widedeep.evals.synth.types import Entry
from widedeep.text import sentences, words

_VERB = re.compile(r" (?:is|was|are|were) ")
_PHRASE = re.compile(
    r"^(?:is|was) (?:an?|the|one of the)(?: (?P<words>[^,.;:()]+?))"
    r"(?=,|\.|;|:| \(|$| (?:by|in|on|from|of|at|for|to|with|about|who|that|which|and|or|as|whose"
    r"|directed|written|starring|released|produced|based|located|situated|set|made|recorded"
    r"|composed|performed|published|founded|known|born|featuring|created|adapted|loosely"
    r"|co-written|co-directed|shot|filmed|distributed) )"
)
_OF_A_PERSON = re.compile(
    r"^(?:,| and| or)[a-z, -]*?\b(?P<noun>actor|actress|director|producer|composer|critic|editor"
    r"|historian|writer|screenwriter|comedian|personality|maker|star|presenter|designer)\b"
)
_HE = re.compile(r"\b(?:he|his|him|himself)\b", re.IGNORECASE)
_SHE = re.compile(r"\b(?:she|her|hers|herself)\b", re.IGNORECASE)
_FEMALE = re.compile(r"(?:ess|woman|daughter|wife|queen|mother|sister|soprano)$")
_KIN = frozenset({"son", "daughter", "wife", "husband", "child", "consort", "mother", "father"})


@dataclass(frozen=True, slots=True)
class Lead:
    """A first sentence taken apart.

    `brackets` is what stands in brackets after the name, `predicate` begins with its verb, `noun`
    is what the subject is and `before` the words before that: 1948, American, Western.
    """

    sentence: str
    brackets: str
    predicate: str
    noun: str
    before: tuple[str, ...]
    type: str


def lead(entry: Entry) -> Lead | None:
    """Return the first sentence of a document when it is about the document's title."""
    first = next(iter(sentences(entry.passages[0])), "")
    text = tidy(first)
    at = _verb(text)
    if at is None or len(text) > 1500:
        return None
    head, predicate = text[:at], text[at + 1 :]
    name = entry.name.split(",")[0]
    wanted = set(words(name))
    if not wanted or not wanted <= set(words(head)) or len(head) > 300:
        return None
    found = _PHRASE.match(predicate)
    *before, noun = found["words"].split() if found else [""]
    noun = noun.lower()
    if found and (person := _OF_A_PERSON.match(predicate[found.end() :])):
        noun = person["noun"]  # "a film, television and stage actor"
    brackets = re.search(r"\((.*)\)", head)
    inside = brackets[1] if brackets else ""
    return Lead(first, inside, predicate, noun, tuple(before), _type(noun, inside, entry))


def gender(entry: Entry, noun: str) -> str | None:
    """Return `he` or `she` by the pronouns of a text, None when they do not agree."""
    he, she = len(_HE.findall(entry.text)), len(_SHE.findall(entry.text))
    if _FEMALE.search(noun):
        return "she"
    if he > 2 * she:
        return "he"
    return "she" if she > 2 * he else None


def _verb(text: str) -> int | None:
    """Return where the verb of a sentence stands: outside of brackets."""
    for match in _VERB.finditer(text[:400]):
        before = text[: match.start()]
        if before.count("(") == before.count(")"):
            return match.start()
    return None


def _type(noun: str, inside: str, entry: Entry) -> str:
    if re.search(r"\bborn\b", inside) or noun in _KIN or noun == "player":
        return "person"
    lived = re.search(r"\d{3,4}\s*[-–—]\s*(?:\w+ )*\d{3,4}", inside)
    if noun in lexicon.TYPES and not lived:
        return lexicon.TYPES[noun]
    if noun in lexicon.OCCUPATIONS or noun.rsplit("-", 1)[-1] in lexicon.OCCUPATIONS:
        return "person"
    opening = entry.passages[0][:600]
    person = _HE.search(opening) or _SHE.search(opening)
    return "person" if lived and person else ""
