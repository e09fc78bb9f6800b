"""Which names does a question hold, and where?

By quotes, capitals and codes; by titles of documents already met; in a question without useful
capitals by the places where names stand in English.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from widedeep.models.builtin.folding import fold
from widedeep.models.builtin.words import is_generic, tokens
from widedeep.text import STOP

Sort = Literal["title", "quoted", "code", "acronym", "capital", "guess"]


@dataclass(frozen=True, slots=True)
class Span:
    """A name in a text: `text[start:end]`, and what gives it away as one."""

    start: int
    end: int
    name: str
    sort: Sort


_JOIN = (
    r"(?:of the|of|the|de la|de los|de|del|du|des|da|do|dos|das|di|van der|van|von|den|der|la|le"
    r"|les|las|los|el|al|bin|ibn|y|e|au|aux|sur|en|un|&)"
)
_CAPITAL = r"(?:d'|l'|al-|el-)?[^\W\d_a-zß-ÿ][\w]*(?:[-'.’/](?!s\b)[^\W_]+)*\.?(?![^\W_])"
_RUN = re.compile(
    rf"(?<![\w'.])(?:People's\s)?(?:{_CAPITAL}|\d+(?=\s[A-Z]))(?:(?:\s{_JOIN})?\s(?:{_CAPITAL}|[IVX]+\b|\d+\b))*"
)
_QUOTED = re.compile(r"\"([^\"]{1,120})\"|(?<!\w)'([^']{2,120})'(?!\w)")
_CODE = re.compile(r"(?<![\w.])(?:\.[a-z]{2,6}\b|[+#@]\w+|[A-Za-z]*\d+[A-Za-z]+\w*)", re.IGNORECASE)

OPENERS = frozenset(
    "what which who whom whose when where why how is are was were does do did has have had in "
    "of at on for from to by with and or but compare list name give tell show find rank "
    "order sort between contrast among amongst across please can could would should will may "
    "might the a an if as than i we you it its their they his her this that these those "
    "there many much most more state describe explain identify make build create draw "
    "produce write put provide calculate determine report get look not regarding concerning "
    "considering given using based according about also then so now today currently both "
    "each every all any some no yes let suppose say rather versus vs tabulate summarise "
    "summarize table comparison country countries nation nations ".split()
)
_TYPE_BEFORE_OF = re.compile(r"\s+of\s+", re.IGNORECASE)


def is_caseless(text: str) -> bool:
    """Tell whether capitals say nothing: there are none inside, or nearly all words have one."""
    small = [word for word in re.findall(r"[^\W\d_]+", text)[1:] if word.lower() in STOP]
    if len(small) > 1 and sum(word[0].isupper() for word in small) >= 0.6 * len(small):
        return True
    inner = re.sub(r"^\W*\w+", "", text)
    first = re.match(r"\W*(\w+)", text)
    opens = first is not None and (first[1].lower() in OPENERS or first[1][:1].islower())
    return not any(letter.isupper() for letter in inner) and opens


def names(text: str, titles: Iterable[str] = ()) -> tuple[Span, ...]:
    """Return the names in a text in order, none within another."""
    caseless = is_caseless(text)
    found = [
        Span(match.start(), match.end(), (match[1] or match[2]).strip(" .,?!"), "quoted")
        for match in _QUOTED.finditer(text)
    ]
    runs = [] if caseless else list(_runs(text))
    found += _titled(text, titles, runs, caseless=caseless)
    found += [
        Span(match.start(), match.end(), match.group(), "code")
        for match in _CODE.finditer(text)
        if not match.group().isdigit()
    ]
    return _apart([*found, *runs])


def _apart(spans: list[Span]) -> tuple[Span, ...]:
    """Return the spans without those that overlap an earlier one of the list."""
    kept: list[Span] = []
    for span in spans:
        if span.name and all(span.end <= each.start or span.start >= each.end for each in kept):
            kept.append(span)
    return tuple(sorted(kept, key=lambda span: span.start))


def _runs(text: str) -> Iterable[Span]:
    for match in _RUN.finditer(text):
        start, run = match.start(), match.group()
        opens = not re.search(r"\w", text[:start]) or text[:start].rstrip()[-1:] in ".?!:"
        if measure := re.match(r"[A-Z]{2,5} of (?:the )?", run):
            start, run = start + measure.end(), run[measure.end() :]
        elif opens:
            start, run = _without_opener(text, start, run)
            if _is_heading(text, start + len(run), run):
                continue
        run = run.rstrip(".") if not re.search(r"\.\w*\.$|\b\w\.$", run) else run
        run = run.removesuffix("'")
        if run and re.search(r"[^\W\d_]", run) and fold(run) not in OPENERS:
            acronym = run.isupper() and " " not in run and len(run) <= 5
            yield Span(start, start + len(run), run, "acronym" if acronym else "capital")


def _lower_words(text: str) -> list[str]:
    return [
        word
        for word in re.findall(r"(?<![^\W_])[a-zß-ÿ][\w-]+", text)
        if word not in STOP and not is_generic(word)
    ]


def _is_heading(text: str, end: int, run: str) -> bool:
    """Tell whether the first word is an attribute: `Population and area of Chile`."""
    if " " in run or not re.search(r"[^\W\d_a-zß-ÿ]|[\ue000-\uf8ff]", text[end:]):
        return False
    return bool(
        re.match(
            r"(?:,| and| or| of| &|:)\s(?:the )?(?:[a-zß-ÿ]\w{3,}|[\ue000-\uf8ff]|[A-Z]{2,5}\b)|:",
            text[end:],
        )
    )


def _without_opener(text: str, start: int, run: str) -> tuple[int, str]:
    """Cut the words a sentence merely starts with off a run of capitals."""
    while run:
        first, _, rest = run.partition(" ")
        plain = fold(first.rstrip(".,"))
        joined = _TYPE_BEFORE_OF.match(run[len(first) :])
        after = _lower_words(text[start + len(run) :])
        opens = plain in OPENERS or plain in STOP or is_generic(plain)
        if not opens and not (joined and not after):
            break
        skip = joined.end() if joined else 1
        start, run = (start + len(first) + skip, run[len(first) + skip :]) if rest else (start, "")
        while (lower := re.match(rf"{_JOIN}\s+", run)) is not None:
            start, run = start + lower.end(), run[lower.end() :]
    return start, run


def _titled(text: str, titles: Iterable[str], runs: list[Span], *, caseless: bool) -> list[Span]:
    """Find titles in the text: the longest first, none that is only a part of a longer name."""
    found: list[Span] = []
    yes_no = bool(re.match(r"(?:is|are|was|were|does|do|did)\b", text, re.IGNORECASE))
    low = text.lower()
    known = {form for title in titles for form in _forms(title) if form.lower() in low}
    for form in sorted(known, key=lambda form: (-len(form), form)):
        pattern = rf"(?<![\w-]){re.escape(form)}(?![\w-])"
        for match in re.finditer(pattern, text, re.IGNORECASE):
            if not caseless and not match.group()[:1].isupper():
                continue
            inside = any(_is_part(match, run, yes_no=yes_no) for run in runs)
            if not inside:
                found.append(Span(match.start(), match.end(), match.group(), "title"))
    return found


def _is_part(match: re.Match[str], run: Span, *, yes_no: bool) -> bool:
    """Tell whether a title is only a part of a longer name, as `Kenya` is of `Mount Kenya`.

    In `Is the capital of Ecuador Quito` two names stand side by side.
    """
    if not (run.start <= match.start() and match.end() <= run.end):
        return False
    longer = run.end - run.start > match.end() - match.start()
    return longer and not (yes_no and match.start() == run.start)


@lru_cache(maxsize=8192)
def _forms(title: str) -> tuple[str, ...]:
    return tuple(_bare_forms(title))


def _bare_forms(title: str) -> Iterable[str]:
    plain = re.sub(r"\s*\([^)]*\)", "", title).strip()
    for form in (title, plain, *re.findall(r"\(([^)]*)\)", title)):
        bare = form.removeprefix("The ").strip()
        if any(word not in STOP and not is_generic(word) for word in tokens(bare)):
            yield bare
    if plain.count(",") == 1:
        last, first = (part.strip() for part in plain.split(","))
        yield f"{first} {last}"


_STOPS = (
    r"(?=\s*(?:[?.!;:]|$|, (?:what|which|how|who|when|in|by|and (?:what|how|which|who)\b)|\b(?:"
    r"have|has|use|uses|speak|export|import|get|gain|become|border|in terms|by|with|compare|based"
    r"|is|are|was|were|as|on|per|and (?:what|how|who|when))\b))"
)
_NOUNISH = r"(?P<name>[^\W\d_][\w'.,& -]{0,80}?)"
_PLACES = (
    re.compile(rf"\b(?:of|in|for|from|between|about) (?:the )?{_NOUNISH}{_STOPS}", re.IGNORECASE),
    re.compile(rf"\b(?:does|do|did) (?:the )?{_NOUNISH}{_STOPS}", re.IGNORECASE),
    re.compile(
        rf"\b(?:how \w+|when|where|who) (?:is|are|was|were) (?:the )?{_NOUNISH}{_STOPS}",
        re.IGNORECASE,
    ),
    re.compile(rf"^(?:compare|contrast) (?:the )?{_NOUNISH}{_STOPS}", re.IGNORECASE),
    re.compile(rf"[,:] (?:the )?{_NOUNISH}{_STOPS}", re.IGNORECASE),
)
_POSSESSIVE = re.compile(
    r"(?:^|\b(?:is|are|was|were|of|in) )(?P<name>[^\W\d_][\w-]*)'s\b", re.IGNORECASE
)


def guesses(text: str) -> tuple[Span, ...]:
    """Return where names would stand in a text whose capitals say nothing."""
    found = [
        Span(match.start("name"), match.end("name"), match["name"], "guess")
        for match in _POSSESSIVE.finditer(text)
    ]
    for pattern in _PLACES:
        if found:
            break
        places = list(pattern.finditer(text))
        found += [piece for match in places[-1:] for piece in _listed(match)]
    return _apart(found)


def _listed(match: re.Match[str]) -> Iterable[Span]:
    """Cut `chile, peru and bolivia` into its names."""
    start, run = match.start("name"), match["name"]
    at = 0
    for piece in re.split(r"(\s*,\s*(?:and |or )?|\s+(?:and|or|vs\.?|versus)\s+)", run):
        bare = piece.strip(" ,")
        if bare and bare not in {"and", "or", "vs", "vs.", "versus"}:
            lead = len(piece) - len(piece.lstrip(" ,"))
            yield Span(start + at + lead, start + at + lead + len(bare), bare, "guess")
        at += len(piece)
