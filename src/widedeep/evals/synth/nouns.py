"""Which English words does a label need to be asked for? General words, of no one corpus."""

from __future__ import annotations

PERSONS = frozenset(
    (
        "author builder chairman chief composer creator designer developer director discoverer "
        "editor founder governor head inventor king leader maker manager mayor minister monarch "
        "owner president producer publisher queen representative ruler secretary writer"
    ).split()
)
"""Heads that ask for a person: "Who is the chief of state?"""

AVERAGES = frozenset({"age", "expectancy", "rate", "ratio", "density", "index", "coefficient"})
"""What has no total: "the overall median age"."""

LENGTHS = frozenset("border boundary coastline highway lake network river road wall".split())
"""What has a length that is not said: "the length of the coastline"."""

SUPERLATIVE = frozenset(
    "highest lowest largest smallest longest shortest oldest youngest tallest deepest".split()
)

EMPTY = frozenset({"name", "text", "value"})
"""Last parts that add nothing: `Capital, name`."""

OWN = frozenset({"title", "number", "code", "date", "motto", "address", "length", "height"})
"""Last parts that belong to the part before: "the title of the national anthem"."""

LIMITING = frozenset(
    (
        "male female urban rural average mean median gross net annual daily monthly minimum "
        "maximum former total permanent temporary domestic foreign public private"
    ).split()
)
"""Last parts that stand before the noun: "the male life expectancy at birth"."""

PROCESSES = frozenset(
    (
        "consumption production imports exports generation revenues revenue expenditures "
        "expenditure income output sales use capacity reserves emissions"
    ).split()
)
"""Last parts that form a compound: "coal consumption"."""

PARTS = frozenset(
    (
        "branch chamber capital anthem flag court office headquarters engine body company author "
        "owner team school library museum bridge"
    ).split()
)
"""Things that belong to the subject and have facts of their own: "of the capital of Peru"."""

MEASURED = frozenset({"area", "population", "length", "height", "temperature", "workforce"})

HEADS = frozenset(
    (
        "abbreviation age airport altitude animal anthem area author authority balance birthplace "
        "bird board body border boundary branch brand budget builder capacity capital category "
        "chairman chief city class classification climate coastline code coefficient colour color "
        "company composer consumption country county creator currency date day debt deficit "
        "density depth designer designation developer diameter director discoverer distance "
        "district duration economy editor elevation emissions engine expectancy expenditure "
        "expenditures exports extent family fertility founder frequency genre genus "
        "government governor growth habitat head headquarters height highway holiday household "
        "imports income index industry inflation inventor island king label lake language leader "
        "legislature length level licence license lifespan line location maker manager "
        "manufacturer mass material mayor minister monarch mortality motto mountain name number "
        "occupation official operator order organization origin output owner parliament party "
        "peak percentage period person place platform point population position power "
        "precipitation president price producer product production profession province publisher "
        "queen rainfall range rank rate ratio region religion remittances representative reserves "
        "revenue revenues ruler salary season seat secretary sector service share shape size "
        "speed spelling sponsor sport staff stadium stage state status structure style supply "
        "surface surplus symbol system team temperature tenure term territory time title "
        "tonnage total town trade type unemployment unit university value velocity vendor "
        "version village volume voltage wage weight width workforce writer year "
        "expenditure"
    ).split()
)
"""Nouns that name an attribute: the head of what a label asks for must be one of them."""

LEAVE = frozenset(
    (
        "note notes other others comparative remark remarks comment comments etymology history "
        "description sample samples source sources link links url website image photo map"
    ).split()
)
"""Parts of a label that show that its value is no fact to be asked for."""

PLURAL_LOOKS_SINGULAR = frozenset({"people", "headquarters"})
SINGULAR_LOOKS_PLURAL = frozenset(
    "status gross census class mass access genus headquarters series species process".split()
)

GENERAL = LIMITING | frozenset(
    (
        "recent expected next latest overall number name title date year rate ratio level amount "
        "percentage share value largest current estimated first last"
    ).split()
)
"""Words that say little of what an attribute is about."""
