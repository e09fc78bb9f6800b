"""How does English ask for what prose says of works, places and groups?"""

from __future__ import annotations

import re

from widedeep.evals.synth.types import Relation

_PERSON = frozenset({"person"})
_WORKS = frozenset({"film", "song", "album", "book", "play", "opera"})
_MADE = re.compile(
    r"film|movie|cinema|direct|produc|screen|actor|actress|televis|theat|music|compos|sing|song"
    r"|writ|wrote|novel|author|poet|play|journal",
    re.IGNORECASE,
)
_SCREEN = re.compile(r"film|movie|cinema|direct|screen|actor|actress|televis|theat", re.IGNORECASE)
_MUSIC = re.compile(
    r"music|compos|sing|song|band|album|record|rapp|conduct|pian|orchestr", re.IGNORECASE
)
_WRITING = re.compile(r"writ|wrote|novel|author|poet|play|journal|book|screen", re.IGNORECASE)

RELATIONS = (
    Relation(
        "director",
        "director",
        ("Who directed {s}?", "Who is the director of {s}?", "Who was {s} directed by?"),
        bridge="the director of {s}",
        same=(
            "Were {a} and {b} directed by the same person?",
            "Do {a} and {b} have the same director?",
        ),
        each="Who directed each of these films: {list}?",
        of=frozenset({"film"}),
        value_of=_PERSON,
        about=_SCREEN,
        cue=re.compile(r"\bdirect|film-?maker|\bby\b|'s ", re.IGNORECASE),
    ),
    Relation(
        "writer",
        "writer",
        ("Who wrote {s}?", "Who was {s} written by?"),
        bridge="the writer of {s}",
        same=("Were {a} and {b} written by the same person?",),
        each="Who wrote each of these: {list}?",
        of=_WORKS,
        value_of=_PERSON,
        about=_WRITING,
        cue=re.compile(r"\bwr(?:it|ote)|screenplay|script|author|penned|\bby\b", re.IGNORECASE),
    ),
    Relation(
        "producer",
        "producer",
        ("Who produced {s}?", "Who is the producer of {s}?"),
        bridge="the producer of {s}",
        same=("Were {a} and {b} produced by the same person?",),
        of=_WORKS,
        value_of=_PERSON,
        about=_MADE,
        cue=re.compile(r"\bproduc|\bby\b", re.IGNORECASE),
    ),
    Relation(
        "composer",
        "composer",
        ("Who composed {s}?", "Who is the composer of {s}?"),
        bridge="the composer of {s}",
        of=_WORKS - {"film"},
        value_of=_PERSON,
        about=_MUSIC,
    ),
    Relation(
        "film composer",
        "composer of the music",
        ("Who composed the music of {s}?", "Who wrote the score of {s}?"),
        bridge="the composer of the music of {s}",
        of=frozenset({"film"}),
        value_of=_PERSON,
        about=_MUSIC,
        cue=re.compile(r"music|score|soundtrack|compos|songs", re.IGNORECASE),
    ),
    Relation(
        "performer",
        "performer",
        ("Who is the performer of {s}?", "Which artist or band is {s} by?"),
        bridge="the performer of {s}",
        same=("Are {a} and {b} by the same artist?",),
        of=frozenset({"song", "album"}),
        value_of=frozenset({"person", "organisation"}),
        about=_MUSIC,
    ),
    Relation(
        "star",
        "star",
        ("Which actor is named as the star of {s}?", "Who stars in {s}?"),
        bridge="the star of {s}",
        of=frozenset({"film"}),
        value_of=_PERSON,
        about=_SCREEN,
    ),
    Relation(
        "release year",
        "year of release",
        ("In what year was {s} released?", "From which year is {s}?"),
        more=(
            "Which came out later, {a} or {b}?",
            "Which was released more recently, {a} or {b}?",
        ),
        less=("Which came out first, {a} or {b}?", "Which was released earlier, {a} or {b}?"),
        each="From what year is each of these films: {list}?",
        of=frozenset({"film"}),
    ),
    Relation(
        "origin",
        "country of origin",
        (),
        same=("Are {a} and {b} from the same country?",),
        of=frozenset({"film"}),
    ),
    Relation(
        "location",
        "location",
        ("Where is {s} located?", "In which place is {s}?"),
        bridge="the place where {s} is located",
        of=frozenset({"place", "building", "organisation"}),
        value_of=frozenset({"place"}),
    ),
    Relation(
        "seat",
        "headquarters",
        ("Where are the headquarters of {s}?", "In which place is {s} based?"),
        bridge="the place where {s} has its headquarters",
        of=frozenset({"organisation"}),
        value_of=frozenset({"place"}),
        cue=re.compile(r"headquarter|based|located|\bin\b|seat", re.IGNORECASE),
    ),
    Relation(
        "founding year",
        "year of foundation",
        ("In what year was {s} founded?", "When was {s} founded?"),
        more=("Which was founded later, {a} or {b}?",),
        less=("Which was founded first, {a} or {b}?",),
        each="When was each of these founded: {list}?",
        of=frozenset({"organisation"}),
        cue=re.compile(r"found|establish|form|creat|start|\d{4}|began|open", re.IGNORECASE),
    ),
    Relation(
        "founder",
        "founder",
        ("Who founded {s}?", "Who is the founder of {s}?"),
        bridge="the founder of {s}",
        of=frozenset({"organisation"}),
        value_of=_PERSON,
        cue=re.compile(r"found|establish|form|creat|start|\bby\b|began", re.IGNORECASE),
    ),
    Relation(
        "population",
        "population",
        ("What is the population of {s}?", "How many people live in {s}?"),
        more=("Which has the larger population, {a} or {b}?",),
        less=("Which has the smaller population, {a} or {b}?",),
        each="What is the population of each of these: {list}?",
        of=frozenset({"place"}),
        cue=re.compile(r"population|inhabitants|people|residents|census", re.IGNORECASE),
    ),
    Relation(
        "capital of",
        "region",
        ("What is {s} the capital of?",),
        bridge="the region or country whose capital is {s}",
        of=frozenset({"place"}),
        value_of=frozenset({"place"}),
    ),
    Relation(
        "tributary of",
        "river that it flows into",
        ("Which river is {s} a tributary of?",),
        bridge="the river that {s} is a tributary of",
        of=frozenset({"river"}),
        value_of=frozenset({"river"}),
    ),
    Relation(
        "source work",
        "work that it is based on",
        ("Which work is {s} based on?", "What is the title of the work that {s} is based on?"),
        of=frozenset({"film"}),
        cue=re.compile(r"based|adapt|novel|book|play|story|inspired", re.IGNORECASE),
    ),
)
"""Relations whose subject is a work, a place or a group."""
