"""Which wordings of an English sentence state a relation of its subject?

`<NAME>` and the like mark the value. A pattern is looked for in what follows the subject, from the
verb on; `^` means that it must come first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from widedeep.evals.synth.lexicon import NATIONALITIES
from widedeep.evals.synth.patterns import DAY, YEAR, compiled

_NOT = r"(?!(?:de|von|van|der|den|di|da|del|la|le|and|bin|ibn|al|el|in|from|of|with) )"
_NATION = f"(?:{'|'.join(sorted(NATIONALITIES))})"
_AS = (
    rf"(?:(?:the|his|her|fellow|late) )?(?:(?:{_NATION}(?:-{_NATION})? )?"
    rf"(?:{_NOT}[a-z][a-z-]+ ){{1,4}})?"
)
"""What may stand before a name: "American rock singer"."""
_ON = rf"(?:(?:on |in )?(?:{DAY}|{YEAR}),? )?"
_TOWN = r"(?:the (?:small )?(?:village|town|city) of )?"
_FILM = (
    r"^(?:is|was) (?:an?|the)\b[^.;]*?\b"
    r"(?:film|movie|drama|comedy|western|thriller|musical)\b[^.;]*?"
)
_SCHOOL = (
    r"(?:[A-Z][\w'’.-]+ ){0,4}(?:University|College|School|Academy|Institute|Conservatory)"
    r"(?: of (?:the )?[A-Z]\w+(?: (?:and )?[A-Z]\w+){0,3})?"
)


@dataclass(frozen=True, slots=True)
class Wording:
    """A pattern of a relation; `single`: no second name may follow the value."""

    relation: str
    pattern: re.Pattern[str]
    single: bool = True


def _wordings(relation: str, *patterns: str) -> list[Wording]:
    return [Wording(relation, compiled(pattern)) for pattern in patterns]


PEOPLE = (
    *_wordings("birth date", r"^was born (?:on )?<DAY>"),
    *_wordings("birth place", rf"^was born {_ON}(?:in|at) {_TOWN}<PLACES>"),
    *_wordings("death date", r"^died\b[^.;]{0,40}? on <DAY>"),
    *_wordings("death place", rf"^died {_ON}(?:in|at) {_TOWN}<PLACES>"),
    *_wordings("father", rf"^'s father (?:was|is) {_AS}<NOBLE>"),
    *_wordings("mother", rf"^'s mother (?:was|is) {_AS}<NOBLE>"),
    *_wordings(
        "spouse",
        rf"^(?:is |was )married (?:to )?{_AS}<NOBLE>",
        rf"^married {_AS}<NOBLE>",
        rf"^(?:is|was) (?:the )?(?:wife|husband) of {_AS}<NOBLE>",
    ),
    *_wordings(
        "education",
        rf"^(?:was educated|studied(?: [a-z][a-z ]*)?) at (?:the )?(?P<v>{_SCHOOL})",
        rf"^graduated (?:from|at) (?:the )?(?P<v>{_SCHOOL})",
    ),
)

WORKS = (
    *_wordings(
        "director",
        rf"{_FILM}(?<!co-)directed by {_AS}<NAME>",
        rf"^(?:is|was) (?:written and |produced and )?directed(?: and \w+)? by {_AS}<NAME>",
    ),
    *_wordings(
        "writer",
        rf"{_FILM}(?<!co-)\bwritten(?: and directed|, directed and produced)? by {_AS}<NAME>",
        rf"{_FILM}(?<!co-)\bdirected and written by {_AS}<NAME>",
        rf"^(?:is|was) written (?:and directed )?by {_AS}<NAME>",
        rf"^(?:is|was) (?:an?|the)\b[^.;,]*?\b(?:novel|book|play|novella|memoir|poem)"
        rf"(?: written)? by {_AS}<NAME>",
    ),
    *_wordings(
        "producer",
        rf"{_FILM}(?<!co-)\bproduced by {_AS}<NAME>",
        rf"^(?:is|was) (?:directed and )?produced (?:and \w+ )?by {_AS}<NAME>",
    ),
    *_wordings(
        "composer",
        rf"^(?:is|was) (?:an?|the)\b[^.;,]*?\b(?:song|opera|operetta|hymn|anthem)"
        rf"[^.;,]*? composed by {_AS}<NAME>",
        rf"^(?:is|was) (?:an?|the)\b[^.;,]*?\bopera(?: in \w+ acts?)? by {_AS}<NAME>",
    ),
    *_wordings("film composer", rf"\bwith music (?:composed )?by {_AS}<NAME>"),
    *_wordings(
        "performer",
        rf"^(?:is|was) (?:an?|the)\b[^.;,]*?\b(?:song|single|album)"
        rf"(?: (?:recorded|performed)(?: in {YEAR})?)? by {_AS}<NAME>",
    ),
    *_wordings("star", rf"{_FILM}\bstarring {_AS}<NAME>"),
    Wording(
        "source work",
        compiled(
            r"\bbased on (?:the|an?|his|her)\b[^.\"“”]{0,50}?\b"
            r"(?:novel|play|book|short story|novella|memoir)\b[^.\"“”]{0,25}?[\"“] ?<QUOTED>[\"”]"
        ),
        single=False,
    ),
)

PLACES_AND_GROUPS = (
    *_wordings(
        "location",
        r"^(?:is|was) (?:an?|the)\b[^.;,]*? (?:located|situated) in {_TOWN}<PLACES>",
        r"^(?:is|was) (?:located|situated) in <PLACES>",
        r"^(?:is|was) an? (?:small |former )?"
        r"(?:village|town|city|commune|hamlet|suburb) in <PLACES>",
    ),
    *_wordings("seat", r"\bheadquartered in <PLACES>", r"\bwith its headquarters in <PLACES>"),
    *_wordings("founding year", r"^(?:was|is an?\b[^.;,]*?) (?:founded|established) in <YEAR>"),
    *_wordings(
        "founder",
        rf"^(?:was|is an?\b[^.;,]*?) (?:founded|established)(?: in {YEAR})? by {_AS}<NAME>",
    ),
    *_wordings(
        "population",
        r"\bpopulation (?:of|was|is) (?:about |around |approximately )?<NUMBER>",
    ),
    *_wordings(
        "capital of",
        r"^(?:is|was) the capital(?: city)?(?: and (?:the )?(?:largest|most populous|biggest) "
        r"(?:city|town))? of (?:the )?<PLACES>",
    ),
    *_wordings(
        "tributary of", r"^(?:is|was) (?:an?|the)\b[^.;]{0,60}? tributary of (?:the )?<NAME>"
    ),
)
ALL = (*PEOPLE, *WORKS, *PLACES_AND_GROUPS)
