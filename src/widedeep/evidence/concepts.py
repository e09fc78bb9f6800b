"""Which words of English say the same relation, whatever their form?

Ordinary English only: nothing here may come from a corpus or from a set of questions.
"""

from __future__ import annotations

from functools import lru_cache

_SAME = (
    "birth born birthplace birthdate birthday native",
    "death die died dies dead dying deathplace deceased",
    "parent parents father mother",
    "child children son sons daughter daughters",
    "spouse marry married marries marrying marriage husband wife wives widow widower wed wedded",
    "sibling brother brothers sister sisters",
    "write writes wrote written writing writer author screenplay screenwriter script",
    "compose composer composed composing music score soundtrack",
    "star stars starred starring feature features featured featuring cast lead",
    "base based source adapted adaptation adapt",
    "found founded founder founding foundation established establish establishment",
    "release released publish published publication premiere premiered issued",
    "produce produced producer producers producing production",
    "direct directed director directors directing directorial direction",
    "perform performer performed sing singer sang sung record recorded",
    "place location located locate situated lies site",
    "educate educated education study studied studies graduate graduated graduating alma",
    "win won winner winning wins victory",
    "begin began begun beginning start started starting",
    "make made making maker",
    "build built building builder construct constructed construction",
    "lead led leader leading head headed",
    "become became",
    "kill killed killing murder murdered",
    "inhabitant inhabitants population people resident residents",
    "height high tall elevation",
    "length long",
    "depth deep",
    "width wide",
    "sell sold selling sale sales",
    "buy bought purchase purchased acquire acquired acquisition",
    "name named known called",
    "succeed succeeded successor succeeding succession",
    "teach taught teacher teaching",
    "date day",
    "nationality citizen citizenship",
    "include included including includes",
    "live lived living reside resided",
    "move moved relocate relocated",
    "end ended ending finish finished",
    "choose chose chosen select selected",
    "appoint appointed appointment",
    "film movie",
    "firm company corporation",
    "go went gone",
    "give gave given",
    "take took taken",
    "draw drew drawn",
    "hold held",
    "play played player playing",
    "speak spoke spoken",
    "fight fought battle",
    "rise rose risen",
    "fall fell fallen",
)
WORKS = {
    "film": "direct",
    "movie": "direct",
    "documentary": "direct",
    "album": "perform",
    "song": "perform",
    "single": "perform",
    "novel": "write",
    "book": "write",
    "play": "write",
    "poem": "write",
    "story": "write",
    "opera": "compose",
    "series": "",
    "game": "",
    "magazine": "",
}
"""Works, and what the one does that they are by."""

_CONVERSE = {"parent": "child", "child": "parent"}
_SEX = {
    "male": "father son sons brother brothers husband widower king duke archduke prince count "
    "baron earl marquess margrave landgrave viscount emperor tsar lord sir mr actor",
    "female": "mother daughter daughters sister sisters wife wives widow queen duchess "
    "archduchess princess countess baroness marchioness viscountess empress tsarina lady dame mrs "
    "ms miss margravine actress",
}
_SEX_OF = {word: sex for sex, words in _SEX.items() for word in words.split()}
_MEANS = {word: line.split()[0] for line in _SAME for word in line.split()}
_ENDINGS = (
    "ation ition ated ment ness ions ion ings ing ers ors er or ed ies es s ly al y e".split()
)


@lru_cache(maxsize=32768)
def concept(word: str) -> str:
    """Return what a folded word means: the word of its family, or its stem.

    Args:
        word: folded, as `text.words` returns it.
    """
    word = word.removesuffix("'s")
    known = _MEANS.get(word)
    if known or not word.isalpha():
        return known or word
    for ending in _ENDINGS:
        root = word.removesuffix(ending)
        if root != word and len(root) >= 4:
            doubled = root[-1] == root[-2] and root[-1] not in "lsz"
            root = root[:-1] if doubled else root
            return _MEANS.get(root, root)
    return word


def converse(key: str) -> str:
    """Return what A is to B when B is the concept to A: the parent for the child."""
    return _CONVERSE.get(key, key)


def sex(word: str) -> str:
    """Return `male` or `female` where a folded word says so of a person, else an empty string."""
    return _SEX_OF.get(word, "")


def known(word: str) -> bool:
    """Say whether a folded word belongs to a family of words that say a relation."""
    return word in _MEANS
