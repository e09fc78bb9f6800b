"""Which forms of an English word are the same word, and what do nouns name?"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from widedeep.models.builtin.words import concept, tokens
from widedeep.text import STOP

Sort = Literal["person", "place", "other"]

PARTICLES = frozenset(
    "of the a an and in on at for to de la le el al del della di da do dos das du des van von der "
    "den bin ibn y e zu ter ten".split()
)
JOINING = PARTICLES - frozenset("a an and in on at for to".split())
_LENGTH = 6

_SAME = (
    "born birth birthplace birthdate native",
    "die death dead deceased burial buried",
    "spouse wife husband marry married marriage wed widow widower",
    "child son daughter children kid",
    "father mother parent dad mum",
    "brother sister sibling",
    "perform performer sing singer sang sung vocalist record recorded song",
    "write writer author wrote written penned novelist",
    "direct director filmmaker",
    "film movie picture",
    "found founder establish established founding co-founder",
    "compose composer music score",
    "produce producer production",
    "star starring cast actor actress play played role portray portrayed",
    "locate located location situate situated lie lies place",
    "city town municipality village",
    "country nation nationality citizen citizenship",
    "work employ employed employer job occupation profession",
    "study studied educate educated education school university attend attended graduate alma",
    "company firm corporation manufacturer",
    "release released publish published publisher publication",
    "make made manufacture create created creator",
    "own owner owned ownership belong",
    "lead leader head chief",
    "win won winner award awarded",
    "begin began start started",
    "finish end ended",
    "kill killed murder murdered assassinated",
    "live lived reside residence residing",
    "capture captured take taken",
    "border bordering adjacent neighbour neighbor",
    "team club",
    "position post office",
    "design designer designed architect",
    "build built builder construct constructed construction",
    "name named namesake eponym",
    "rule ruler reign monarch king queen emperor",
    "develop developer developed",
    "edit editor magazine journal",
    "label record",
)


def _chopped(word: str) -> str:
    base = concept(word)
    for ending in ("er", "or"):
        if len(base) > 6 and base.endswith(ending):
            base = base[: -len(ending)]
            break
    return base[:_LENGTH] if len(base) > _LENGTH else base


_CANON: dict[str, str] = {}
for _line in _SAME:
    for _word in _line.split():
        _CANON.setdefault(_chopped(_word), _chopped(_line.split()[0]))


@lru_cache(maxsize=32768)
def root(word: str) -> str:
    """Return what forms of a folded word share: `directed` and `director` are one."""
    chopped = _chopped(word)
    return _CANON.get(chopped, chopped)


_RANKS = frozenset(
    "sir dr mr mrs ms dame lord lady king queen prince princess emperor empress saint st pope "
    "president senator general colonel captain major lieutenant sergeant constable reverend bishop "
    "professor".split()
)


@lru_cache(maxsize=16384)
def telling(name: str) -> tuple[str, ...]:
    """Return the words that tell a name from others, in order: no particles, no rank before it."""
    found = (word.removesuffix("'s").removesuffix("'") for word in tokens(name))
    kept = tuple(word for word in found if word not in PARTICLES)
    while len(kept) > 1 and kept[0] in _RANKS:
        kept = kept[1:]
    return kept


@lru_cache(maxsize=16384)
def key_of(name: str) -> frozenset[str]:
    """Return the telling words of a name, in any order."""
    return frozenset(telling(name))


def called(name: str) -> tuple[str, ...]:
    """Return the telling words of a name without the rank after it: `John Roe, Duke of Kent`."""
    return telling(name.split(",", maxsplit=1)[0]) or telling(name)


def alike(first: str, second: str) -> bool:
    """Tell whether two names may be one: the same words, or some more between first and last."""
    one, other = telling(first), telling(second)
    if frozenset(one) == frozenset(other):
        return bool(one)
    if len(one) < 2 or len(other) < 2 or one[0] != other[0] or one[-1] != other[-1]:
        return False
    return frozenset(one) <= frozenset(other) or frozenset(other) <= frozenset(one)


_KIN = frozenset(
    "who whom whose spouse wife husband father mother son daughter brother sister sibling child "
    "parent person man woman king queen uncle aunt grandfather grandmother actress president "
    "artist wrote written directed performed sang founded star player poet prince princess".split()
)
_PLACES = frozenset(
    "where city town country county state province place location birthplace region district "
    "capital island village nation continent territory located born birth headquarters".split()
)
_AGENT = ("er", "or", "ist", "ian")
_NO_AGENT = frozenset(
    "number other river order letter member chapter water september october november december "
    "color center quarter winter summer after former under over ever never major minor matter "
    "power border theater offer tower paper weather larger smaller older younger earlier later "
    "better greater higher lower longer shorter bigger".split()
)


@lru_cache(maxsize=4096)
def sort_of(word: str) -> Sort:
    """Return what a folded word of a question says it is looking for."""
    if word in _KIN or (len(word) > 4 and word.endswith(_AGENT) and word not in _NO_AGENT):
        return "person"
    return "place" if word in _PLACES else "other"


def is_content(word: str) -> bool:
    """Tell whether a folded word says something."""
    return len(word) > 1 and word not in STOP and word not in PARTICLES
