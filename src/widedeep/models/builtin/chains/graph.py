"""Which chains of documents does a question lead along, and which names do they end in?

A chain starts at a document that speaks of a name of the question and goes on to the document
about a name that stands in it near words of the question that the chain has not covered yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from widedeep.models.builtin.chains.asked import Asked, Unit
from widedeep.models.builtin.chains.page import Mention, Page, Sentence
from widedeep.models.builtin.chains.roots import Sort, alike, called, key_of, telling
from widedeep.models.builtin.reading.roles import Role, named_as

BEAM = 10
DEEPEST = 4
NEAR = 4.0
"""Words after which a mention gains half as much from a word of the question."""

_FIRST = 0.25
_SORT_GAIN = 0.5
_MODIFIER_COST = 0.5
ROLE_GAIN = 1.0
"""What it is worth that a sentence gives a name the very role that is asked for."""


class Chain(NamedTuple):
    """Documents in order, by number, and the units of the question that they cover so far.

    `origin`: the units that it started from.
    """

    pages: tuple[int, ...]
    covered: int
    origin: int
    score: float


class Lead(NamedTuple):
    """A name that a chain comes to: `covered` with it, `page` when its document is known.

    `source` is the document and sentence it stands in.
    """

    chain: Chain
    name: str
    key: frozenset[str]
    covered: int
    score: float
    source: tuple[int, int]
    page: int | None = None


class Held(NamedTuple):
    """What of the question a sentence holds: all of it, and the word units with their places."""

    mask: int
    places: tuple[tuple[int, Unit], ...]


class Graph:
    """The documents met, as one question sees them."""

    def __init__(self, asked: Asked, pages: Mapping[int, Page]) -> None:
        self.asked = asked
        self.pages = pages
        self._weights: dict[int, float] = {}
        self._orders: dict[tuple[int, int], float] = {}
        self._wanted: dict[int, Sort] = {}
        self._name_bits = sum(unit.bit for unit in asked.names)
        self._by_root: dict[str, list[Unit]] = {}
        for unit in asked.others:
            for each in unit.roots:
                self._by_root.setdefault(each, []).append(unit)
        self._titles = {n: self._named(page) for n, page in pages.items()}
        self._held = {
            n: [self._hold(one, titled=page.titled) for one in page.sentences]
            for n, page in pages.items()
        }
        self._about: dict[frozenset[str], list[int]] = {}
        self._speaking: dict[str, list[tuple[int, int]]] = {}
        self._last: dict[str, list[tuple[str, int]]] = {}
        for n, page in pages.items():
            for name, key in zip(page.names, page.keys, strict=True):
                self._about.setdefault(key, []).append(n)
                self._last.setdefault(telling(name)[-1], []).append((name, n))

    def _named(self, page: Page) -> int:
        """Return the name units of the question that a document is about."""
        mask = 0
        for unit in self.asked.names:
            if _is_called(page, unit.text, unit.key):
                mask |= unit.bit
        return mask

    def _hold(self, sentence: Sentence, *, titled: bool) -> Held:
        places = tuple(
            (at, unit)
            for at, each in enumerate(sentence.roots)
            for unit in self._by_root.get(each, ())
        )
        mask = 0
        for _, unit in places:
            mask |= unit.bit
        for unit in self.asked.names:
            if _names(sentence, unit.key) or (not titled and _has_last(sentence, unit.text)):
                mask |= unit.bit
        return Held(mask, places)

    def about(self, name: str) -> list[int]:
        """Return the documents that are called so."""
        found = self._about.get(key_of(name))
        if found is not None:
            return found
        words = telling(name)
        if len(words) < 2:
            return []
        near = self._last.get(words[-1], ())
        return list(dict.fromkeys(n for known, n in near if alike(known, name)))

    def speaking(self, name: str) -> list[tuple[int, int]]:
        """Return the documents, and in each the sentences, in which a name stands."""
        if name not in self._speaking:
            key, last = key_of(name), called(name)[-1]
            self._speaking[name] = [
                (n, at)
                for n, page in self.pages.items()
                if key <= page.words or (not page.titled and last in page.words)
                for at, sentence in enumerate(page.sentences)
                if key <= sentence.words or (not page.titled and _has_last(sentence, name))
            ]
        return self._speaking[name]

    def weight(self, mask: int) -> float:
        """Return what the units of a set weigh."""
        if mask not in self._weights:
            weights = (unit.weight for unit in self.asked.units if unit.bit & mask)
            self._weights[mask] = sum(weights)
        return self._weights[mask]

    def order(self, covered: int, unit: Unit) -> float:
        """Return how soon a word is to come, 0 to 1."""
        if (covered, unit.bit) not in self._orders:
            self._orders[covered, unit.bit] = self.asked.order(covered, unit)
        return self._orders[covered, unit.bit]

    def title(self, n: int) -> int:
        """Return the names of the question that document `n` is about."""
        return self._titles[n]

    def held(self, n: int) -> list[Held]:
        """Return what each sentence of document `n` holds of the question."""
        return self._held[n]

    def starts(self) -> list[Chain]:
        """Return the chains of one document: those that speak of the question's names."""
        found: list[Chain] = []
        for n in self.pages:
            about = self._titles[n]
            held = self._held[n]
            spoken = max((one.mask for one in held), key=self.weight, default=0)
            covered = about | spoken
            names = covered & self._name_bits
            if not names and self._name_bits:
                continue
            words = spoken & ~self._name_bits
            score = self.weight(names) * (1.0 if about else 0.5) + 0.5 * self.weight(about)
            score += 0.4 * self.weight(words)
            met = about | self._defined(n, about) if about else spoken
            found.append(Chain((n,), met, names, score))
        return sorted(found, key=lambda chain: (-chain.score, chain.pages))[:BEAM]

    def _defined(self, n: int, about: int) -> int:
        """Return the words beside a name that the first sentence says of it: `film` and a title."""
        names = [unit for unit in self.asked.names if unit.bit & about]
        held = self._held[n][0].mask if self._held[n] else 0
        mask = 0
        for unit in self.asked.others:
            if unit.bit & held and any(unit.away(name) == 0 for name in names):
                mask |= unit.bit
        return mask

    def leads(self, chain: Chain) -> Iterator[Lead]:
        """Yield the names that the last document of a chain leads to."""
        n = chain.pages[-1]
        page = self.pages[n]
        wanted = self.wanted(chain.covered)
        best: dict[frozenset[str], Lead] = {}
        for at, (sentence, held) in enumerate(zip(page.sentences, self._held[n], strict=True)):
            roles = self._roles(sentence, chain.covered)
            for mention in sentence.mentions:
                if self._is_known(mention, page):
                    continue
                lead = self._lead(chain, mention, held, (n, at), wanted)
                if role := roles.get(mention.key, 0):
                    more = ROLE_GAIN * self.weight(role & ~chain.covered)
                    lead = lead._replace(covered=lead.covered | role, score=lead.score + more)
                known = best.get(mention.key)
                if known is None or lead.score > known.score:
                    best[mention.key] = lead
        yield from best.values()

    def _roles(self, sentence: Sentence, covered: int) -> dict[frozenset[str], int]:
        """Return who is said to stand in a role that is to be covered: `directed by X`."""
        soonest: dict[Role, Unit] = {}
        for unit in self.asked.others:
            if unit.role is not None and not unit.bit & covered:
                known = soonest.setdefault(unit.role, unit)
                if self.order(covered, unit) > self.order(covered, known):
                    soonest[unit.role] = unit
        found: dict[frozenset[str], int] = {}
        for role, unit in soonest.items():
            for name in named_as(role, sentence.text):
                key = key_of(name)
                found[key] = found.get(key, 0) | unit.bit
        return found

    def _is_known(self, mention: Mention, page: Page) -> bool:
        """Tell whether a mention only repeats the question or what the document is about."""
        if mention.key <= page.keys[0] if page.keys else False:
            return True
        return any(mention.key <= unit.key for unit in self.asked.names)

    def _lead(
        self, chain: Chain, mention: Mention, held: Held, source: tuple[int, int], wanted: Sort
    ) -> Lead:
        covered, gain = chain.covered, 0.0
        taken, said = 0, frozenset[str]()
        for place, unit in held.places:
            if unit.bit & (chain.covered | taken) or unit.roots & said:
                continue
            close = _closeness(mention, place)
            if mention.start <= place < mention.end:
                close = 1.0
            taken |= unit.bit
            said |= unit.roots
            gain += unit.weight * close * self.order(chain.covered, unit)
            if close >= 0.5:
                covered |= unit.bit
        name_bits = self._name_bits & held.mask & ~chain.covered
        covered |= name_bits
        gain += 0.5 * self.weight(name_bits)
        gain += _FIRST if source[1] == 0 else 0.0
        if wanted != "other":
            gain += _SORT_GAIN * _fits(mention, wanted)
        if mention.modifies and len(mention.key) == 1:
            gain -= _MODIFIER_COST
        return Lead(chain, mention.text, mention.key, covered, chain.score + gain, source)

    def wanted(self, covered: int) -> Sort:
        """Return what sort of thing the next word to be covered looks for."""
        if covered not in self._wanted:
            rest = [u for u in self.asked.others if not u.bit & covered and u.weight >= 1.0]
            soonest = max(rest, key=lambda unit: self.order(covered, unit), default=None)
            self._wanted[covered] = soonest.sort if soonest else "other"
        return self._wanted[covered]


def _is_called(page: Page, name: str, key: frozenset[str]) -> bool:
    """Tell whether a document is about what bears a name; a title may say more after a comma."""
    if len(page.keys) > 1 and page.keys[0] <= key <= page.keys[1]:
        return True
    return any(alike(known, name) for known in page.names)


def _names(sentence: Sentence, key: frozenset[str]) -> bool:
    """Tell whether a name stands in a sentence; one of a single word must have its capital."""
    if not key <= sentence.words:
        return False
    return len(key) > 1 or any(key <= one.key for one in sentence.mentions)


def _has_last(sentence: Sentence, name: str) -> bool:
    """Tell whether the last word of a longer name stands alone, as surnames do."""
    words = called(name)
    return len(words) > 1 and any(one.key == frozenset(words[-1:]) for one in sentence.mentions)


def _closeness(mention: Mention, place: int) -> float:
    """Return how close a word stands to a mention; English says more often what follows is."""
    if place < mention.start:
        away = max(0, mention.start - place - 2)
    else:
        away = max(0.0, 1.0 + 1.5 * (place - mention.end))
    return NEAR / (NEAR + away)


def _fits(mention: Mention, wanted: Sort) -> float:
    words = mention.text.split()
    if wanted == "place":
        return 1.0 if mention.before in ("in", "at", "from", "near", "of", "to") else 0.3
    is_full = 2 <= len(words) <= 4 and not any(word.isdigit() for word in words)
    return 1.0 if is_full and "of" not in words and mention.before not in ("in", "at") else 0.0
