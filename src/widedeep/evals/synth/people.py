"""How does English ask for what prose says of people?"""

from __future__ import annotations

import re

from widedeep.evals.synth.types import Relation

_PERSON = frozenset({"person"})

RELATIONS = (
    Relation(
        "birth date",
        "date of birth",
        (
            "When was {s} born?",
            "What is the date of birth of {s}?",
            "On what date was {s} born?",
        ),
        more=("Who was born later, {a} or {b}?", "Who is younger, {a} or {b}?"),
        less=("Who was born first, {a} or {b}?", "Who is older, {a} or {b}?"),
        each="When was each of these people born: {list}?",
        of=_PERSON,
        cue=re.compile(r"\bborn\b|birth|\bb\.|\d{3,4}", re.IGNORECASE),
    ),
    Relation(
        "birth year",
        "year of birth",
        ("In what year was {s} born?", "What is the birth year of {s}?"),
        more=("Who was born later, {a} or {b}?",),
        less=("Who was born first, {a} or {b}?",),
        each="In what year was each of these people born: {list}?",
        of=_PERSON,
    ),
    Relation(
        "death date",
        "date of death",
        ("When did {s} die?", "What is the date of death of {s}?", "On what date did {s} die?"),
        more=("Who died later, {a} or {b}?",),
        less=("Who died first, {a} or {b}?", "Who died earlier, {a} or {b}?"),
        each="When did each of these people die: {list}?",
        of=_PERSON,
    ),
    Relation(
        "death year",
        "year of death",
        ("In what year did {s} die?",),
        more=("Who died later, {a} or {b}?",),
        less=("Who died first, {a} or {b}?",),
        each="In what year did each of these people die: {list}?",
        of=_PERSON,
    ),
    Relation(
        "birth place",
        "place of birth",
        (
            "Where was {s} born?",
            "What is the place of birth of {s}?",
            "In which place was {s} born?",
        ),
        bridge="the place where {s} was born",
        same=("Were {a} and {b} born in the same place?",),
        each="Where was each of these people born: {list}?",
        of=_PERSON,
        value_of=frozenset({"place"}),
        cue=re.compile(r"\bborn\b|birth|native|\bfrom\b|hail|grew up|\braised\b", re.IGNORECASE),
    ),
    Relation(
        "death place",
        "place of death",
        ("Where did {s} die?", "What is the place of death of {s}?"),
        bridge="the place where {s} died",
        same=("Did {a} and {b} die in the same place?",),
        each="Where did each of these people die: {list}?",
        of=_PERSON,
        value_of=frozenset({"place"}),
    ),
    Relation(
        "nationality",
        "nationality",
        ("What is the nationality of {s}?", "What nationality is {s}?"),
        same=(
            "Do {a} and {b} have the same nationality?",
            "Are {a} and {b} of the same nationality?",
        ),
        each="What is the nationality of each of these people: {list}?",
        of=_PERSON,
    ),
    Relation(
        "father",
        "father",
        ("Who is the father of {s}?", "Who was {s's} father?"),
        bridge="the father of {s}",
        each="Who is the father of each of these people: {list}?",
        of=_PERSON,
        value_of=_PERSON,
        cue=re.compile(
            r"father|\bsons?\b|daughter|parent|child|brother|sister|famil", re.IGNORECASE
        ),
    ),
    Relation(
        "mother",
        "mother",
        ("Who is the mother of {s}?", "Who was {s's} mother?"),
        bridge="the mother of {s}",
        of=_PERSON,
        value_of=_PERSON,
        cue=re.compile(
            r"mother|\bsons?\b|daughter|parent|child|brother|sister|famil", re.IGNORECASE
        ),
    ),
    Relation(
        "spouse",
        "spouse",
        ("Who is the spouse of {s}?", "Who was {s} married to?"),
        bridge="the spouse of {s}",
        of=_PERSON,
        value_of=_PERSON,
        cue=re.compile(
            r"marri|spouse|wife|husband|wed\b|wedd|consort|widow|partner", re.IGNORECASE
        ),
    ),
    Relation(
        "education",
        "place of education",
        ("Where was {s} educated?", "At which school or university did {s} study?"),
        of=_PERSON,
        value_of=frozenset({"organisation"}),
        cue=re.compile(
            r"educat|stud(?:y|ied)|graduat|school|universit|college|degree", re.IGNORECASE
        ),
    ),
)
"""Relations whose subject is a person."""
