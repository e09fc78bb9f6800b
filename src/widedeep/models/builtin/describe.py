"""Which subject does a question describe instead of naming it?

`the country whose capital is Quito`, `the nation that uses the sol as its currency`, `the state
of which Lima is the capital`: a noun, an attribute and its value, in the ways English says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from widedeep.models.builtin.names import names
from widedeep.models.builtin.words import is_generic, tokens
from widedeep.text import STOP


@dataclass(frozen=True, slots=True)
class Description:
    """A described subject at `text[start:end]`: the `noun` whose `attribute` is `value`.

    `longer`: the value with the words after it up to `longer_end`, which may belong to it.
    """

    start: int
    end: int
    noun: str
    attribute: str
    value: str
    longer: str = ""
    longer_end: int = 0


_DET = r"(?:the|a|an|which|what|that|this|some|any|one)"
_MARK = r"[\ue000-\uf8ff]"
_NOUN = (
    rf"\b(?:{_DET} )(?:same |only |one |certain |\w+an |\w+ern )?(?P<noun>[\w-]+)"
    rf"(?: on earth| in the world| (?:in|of|from) {_MARK})?"
)
_BE = r"(?:is|are|was|were|being|happens to be|reads?|equals)"
_CALLED = (
    r"(?:(?:also |officially )?(?:called|named|known as|given as|listed as|entitled|titled) )?"
)
_THAT = r"(?:that|which|who)"
_ATTR = r"(?P<attr>[^,?!;:]{2,70}?)"
_PLAIN = r"(?P<attr>[^,?!;:\ue000-\uf8ff]{2,70}?)"
_VALUE = r"(?P<value>[^?!;]{1,90})"
_ITS = r"(?:its|the|a|an|their|his|her)"

_CLAUSE = (
    rf"(?:{_THAT}|governed|ruled|led|run|directed|written|founded|headed|won|using|having"
    r"|containing|producing|based|located|born|built|made|created|\w+ed)\b"
)

_WITH = (
    rf"(?:{_THAT} (?:has|have|had|uses?)|with|having|has|uses|using|under|behind|assigned|given"
    r"|allocated|bearing|carrying|holding)"
)
_SOME = r"(?:the |a |an |its )?"
_INNER = r"(?P<value>[^?!;,]{1,70}?)"
_LAST = r"(?P<attr>[^,?!;:]{2,50})"
_NAMED = rf"(?P<value>{_MARK})"
_OF_WHICH = r"(?:(?:of|for|in) which|whereof|where|that)"
_HAS = r"(?:has|have|had|with|having|uses?|using|lists?|calls?|claims?|recogni[sz]es|counts)"

_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # the country whose capital is Quito
        rf"{_NOUN},? whose {_ATTR} (?:{_BE} {_CALLED}|(?:is|are) )(?:the )?{_VALUE}",
        # which country's capital is Quito
        (
            rf"\b(?:which|what|a|some|one|this) (?P<noun>[\w-]+)'s {_ATTR} {_BE} {_CALLED}"
            rf"(?:the )?{_VALUE}"
        ),
        # the country of which Quito is the capital
        rf"{_NOUN},? {_OF_WHICH} {_INNER} {_BE} (?:{_ITS} ){_LAST}",
        # the country where the capital is Quito
        rf"{_NOUN},? {_OF_WHICH}(?: the)? {_ATTR} {_BE} {_CALLED}(?:the )?{_VALUE}",
        # which country is Quito the capital of
        (
            rf"\b(?:of )?(?:which|what) (?P<noun>[\w-]+) {_BE} {_INNER} (?:{_ITS} )"
            rf"(?P<attr>[^,?!;:]{{2,40}}?)(?: of)?(?=[?.,]|$| and)"
        ),
        # the country that has Quito as its capital
        rf"{_NOUN},? (?:{_THAT} \w+|{_HAS}) (?:the )?{_INNER} as (?:{_ITS} )?{_LAST}",
        # the country Quito is the capital of
        rf"{_NOUN} {_INNER} {_BE} (?:{_ITS} )(?P<attr>[^,?!;:]{{2,40}}?) of\b",
        # Quito is the capital of which country
        (
            rf"^{_INNER} {_BE} (?:{_ITS} )(?P<attr>[^,?!;:]{{2,50}}?) (?:of|in|for) (?:which|what"
            rf"|an?|some|one|the same|this|that) (?:certain )?(?P<noun>[\w-]+)"
        ),
        # the capital of a country is Quito
        (
            rf"^(?:if )?(?:the )?(?P<attr>[^,?!;:]{{2,50}}?) of (?:a|some|one|a certain) "
            rf"(?P<noun>[\w-]+) {_BE} {_CALLED}(?:the )?{_VALUE}"
        ),
        # the country that has its capital at Quito
        rf"{_NOUN},? (?:{_THAT} )?{_HAS} its {_ATTR} (?:at|in) {_NAMED}",
        # the country with a capital called Quito
        (
            rf"{_NOUN},? {_WITH} {_SOME}{_PLAIN} (?:of |called |named |being |is |set at )"
            rf"(?:the )?{_VALUE}"
        ),
        # the country with the capital Quito
        rf"{_NOUN},? {_WITH} {_SOME}{_ATTR} {_NAMED}",
        # the country using the .ec domain
        rf"{_NOUN},? {_WITH} {_SOME}{_NAMED} {_LAST}",
        # the country governed from Quito
        (
            rf"{_NOUN},? (?={_CLAUSE})(?P<attr>[a-z][^,?!;:\ue000-\uf8ff]{{2,60}}?) "
            rf"(?:the |in |by |on |at |from |of )*{_NAMED}"
        ),
    )
)
WAITS = re.compile(
    r"\b(?:does|do|did)(?: (?:the|a|most|all|people|they|citizens|residents|inhabitants|in|of"
    r"|from))*\s*$",
    re.IGNORECASE,
)
"""What ends so still wants its verb: `what languages do people in ...`."""

_NO_SUBJECT = frozenset("table list comparison chart overview summary question way number".split())
_RELATIVE = re.compile(r"\b(?:whose|which|where|with|that|who)\b", re.IGNORECASE)
_LEADING = re.compile(r"^(?:that|which|who)\s+", re.IGNORECASE)
_HANGING = re.compile(r"\b(?:of|in|on|at|for|from|by|to|the|a)$", re.IGNORECASE)
_VERB_AFTER = re.compile(
    r"\s+(?:have|has|had|use|uses|speak|speaks|export|exports|import|imports|get|gets|gain|gained"
    r"|become|became|border|borders|live|lives|do|does|did|is|are|was|were|in terms|on average"
    r"|and (?:what|how|who|when|where|which|its|their)|, (?:what|how|who|when|where|which))\b.*$",
    re.IGNORECASE,
)


def describe(text: str) -> Description | None:
    """Return the first description of a subject in the text, if there is one."""
    spans = names(text)
    masked, shown = _mask(text, [(span.start, span.end) for span in spans])
    for pattern in _PATTERNS:
        match = pattern.search(masked)
        while match is not None:
            if (found := _taken(match, masked, shown)) is not None:
                return found
            match = pattern.search(masked, match.start() + 1)
    return None


def _mask(text: str, spans: list[tuple[int, int]]) -> tuple[str, dict[str, str]]:
    """Put one private character in the place of each name."""
    pieces: list[str] = []
    shown: dict[str, str] = {}
    at = 0
    for number, (start, end) in enumerate(spans):
        mark = chr(0xE000 + number)
        shown[mark] = text[start:end]
        pieces += [text[at:start], mark]
        at = end
    return "".join([*pieces, text[at:]]), shown


def _taken(match: re.Match[str], masked: str, shown: dict[str, str]) -> Description | None:
    value, attr, longer = match["value"], match["attr"], ""
    end = match.end()
    if match.end("value") == end:
        value, longer = _value(value, shown)
        end = match.start("value") + len(value)
    else:
        attr = _attribute(attr, masked[: match.start()])
        if match.end("attr") == end:
            end = match.start("attr") + len(attr)
    plain = _unmask(value, shown).strip(" \"'").rstrip(".,")
    attribute = _LEADING.sub("", _unmask(attr, shown))
    noun = match["noun"].lower()
    if value not in shown and (_RELATIVE.search(plain) or _HANGING.search(plain)):
        return None
    if _RELATIVE.search(attribute):
        return None
    if not _is_subject(noun) or not _is_value(plain) or not _asks(attribute):
        return None
    longer_end = match.start("value") + len(longer) if longer else end
    return Description(
        start=len(_unmask(masked[: match.start()], shown)),
        end=len(_unmask(masked[:end], shown)),
        noun=noun,
        attribute=attribute,
        value=plain,
        longer=_unmask(longer, shown).strip(),
        longer_end=len(_unmask(masked[:longer_end], shown)),
    )


def _attribute(text: str, before: str) -> str:
    """Cut what follows the attribute: `'s ...`, a verb, the verb a `does` before still wants."""
    plain = re.split(r"'s\b", _VERB_AFTER.sub("", text))[0]
    if plain == text and WAITS.search(before) and " " in text.strip():
        plain = text.rstrip().rsplit(" ", 1)[0]
    return plain


def _value(text: str, shown: Mapping[str, str]) -> tuple[str, str]:
    """Cut what follows the value; a name may be longer than its capitals: `Swiss francs`."""
    name = re.match(r"[\ue000-\uf8ff](?:, [\ue000-\uf8ff](?=$|[?.]))?", text)
    text = _VERB_AFTER.sub("", text)
    if name is None:
        return re.split(r",(?!\d{3})|\.\s|[:;]", text)[0].rstrip(" ."), ""
    rest = re.match(r"(?:\s[a-zß-ÿ]\w+|\s[\ue000-\uf8ff])+", text[name.end() :])
    if (
        rest is None
        or re.match(r"\s\w+ing\b", rest.group())
        or not shown[name.group()[0]][:1].isalpha()
    ):
        return name.group(), ""
    return name.group(), name.group() + rest.group()


def _unmask(text: str, shown: dict[str, str]) -> str:
    return "".join(shown.get(character, character) for character in text)


def _is_subject(noun: str) -> bool:
    return noun not in STOP and not noun.isdigit() and noun not in _NO_SUBJECT


def _is_value(value: str) -> bool:
    if re.fullmatch(r"[.+#@]?\w*[\d.+#@]\w*", value):
        return True
    found = tokens(value)
    if value.startswith(("of ", "in ", "for ", "to ")):
        return False
    return bool(found) and any(word not in STOP for word in found) and len(found) <= 14


def _asks(attribute: str) -> bool:
    return any(word not in STOP and not is_generic(word) for word in tokens(attribute))
