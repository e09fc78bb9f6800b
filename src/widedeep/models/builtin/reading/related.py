"""Which words of a sentence account for a word of a question?

Ordinary English only: how people ask for births, roles, places and dates, and how texts state them.
"""

from __future__ import annotations

from functools import lru_cache

from widedeep.models.builtin.reading.passage import STEM
from widedeep.models.builtin.words import concept

_SAID = """
birthplace: birth native
birth: birth native birthplace
death: death kill execute assassinate murder
father: father son daughter child
mother: mother son daughter child
parent: father mother son daughter child
child: son daughter father mother child
son: son father mother
daughter: daughter father mother
grandfather: grandfather grandson granddaughter father son
grandmother: grandmother grandson granddaughter mother daughter
husband: husband wife marry widow consort spouse
sibling: brother sister
brother: brother sister
sister: brother sister
study: study graduate attend educate university college school degree
attend: study graduate attend educate university college school
educate: study graduate attend educate university college school
alma: study graduate attend educate university college school
mater: study graduate attend educate university college school
graduate: study graduate attend educate degree
nationality: american british english french german italian spanish
citizen: born citizen national
citizenship: born citizen national
performer: sing singer song record artist band rapper musician perform album
perform: sing singer song record artist band rapper musician perform album play
singer: sing singer song record artist
compose: music compose score composer soundtrack
composer: music compose score composer soundtrack
release: release issue publish premiere
come: release premiere found
publish: publish publisher release press
found: found establish form create launch start begin open
form: form found establish create
start: start begin launch found commence
begin: begin start launch open
create: create develop invent design found
own: own owner acquire buy subsidiary parent
headquarters: headquarters base office
base: base headquarters
work: work employ job
employ: work employ
job: work serve profession
occupation: profession work
profession: profession work
team: team club play
win: win champion winner award
star: star actor actress cast play role
play: play star portray role cast
portray: play portray role
voice: voice play
border: border adjacent adjoin
share: border adjacent share
locate: locate situate city town village county district
fight: fight battle war
fought: fight battle war
end: end finish last
join: join become member
govern: governor govern
charge: president minister head leader
president: president head
label: label record sign release
bury: bury inter cemetery tomb
language: language speak
hometown: born native grow
raise: raise grow
member: member
produce: produce producer
make: make produce manufacture
manufacture: manufacture make produce
lead: lead leader head
detain: detain imprison prison arrest jail
imprison: imprison prison jail sentence
career: career professional
wed: marry
spouse: marry husband wife widow
write: write author writer novel book poem
author: write author writer novel book poem
screenwriter: write screenplay
direct: direct director
founder: found establish
movie: film
film: film
"""
_COVERED = {
    concept(head.strip()): frozenset(concept(word) for word in (head, *said.split()))
    for head, _, said in (line.partition(":") for line in _SAID.strip().splitlines())
}


@lru_cache(maxsize=4096)
def saying(word: str) -> frozenset[str]:
    """Return the concepts any of which accounts for a concept of a question."""
    return _COVERED.get(word, frozenset({word}))


def covers(words: frozenset[str], word: str) -> bool:
    """Tell whether a sentence's concepts account for a concept of a question."""
    if word in words or (len(word) > STEM and word[:STEM] in words):
        return True
    return not words.isdisjoint(saying(word))
