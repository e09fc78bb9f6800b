"""A third set of templates, written when the rules were done, for a last look."""

from __future__ import annotations

from bench.factbook_templates import Bridge, Fact, Templates

_PEOPLE = "People and Society"
_CAPITAL = Fact(("Government/Capital/name",), ("Which city serves as {c}'s capital?",), "capital")
_HOLIDAY = Fact(("Government/National holiday",), ("What is the national holiday in {c}?",))
_ADJECTIVE = Fact(
    (f"{_PEOPLE}/Nationality/adjective",),
    ("What is the nationality adjective for {c}?",),
)
_LONG = Fact(
    ("Government/Country name/conventional long form",),
    ("What is the conventional long form of the name of {c}?",),
)

FRESH = Templates(
    facts=(
        _CAPITAL,
        Fact(
            (f"{_PEOPLE}/Population/total",),
            ("{c} has how many inhabitants?", "What's the number of people living in {c}?"),
            "number of inhabitants",
        ),
        Fact(
            ("Geography/Area/total ", "Geography/Area/total"),
            ("What area does {c} cover?", "How many square kilometres is {c}?"),
            "size",
        ),
        Fact(
            (f"{_PEOPLE}/Life expectancy at birth/total population",),
            ("What age can a person born in {c} expect to reach?", "What's {c}'s life expectancy?"),
            "life expectancy at birth",
        ),
        Fact(
            (f"{_PEOPLE}/Net migration rate",),
            ("What is the net migration rate of {c}?", "Give {c}'s net migration rate."),
            "net migration rate",
        ),
        Fact(
            (f"{_PEOPLE}/Physician density",),
            ("What is the density of physicians in {c}?", "What's {c}'s physician density?"),
        ),
        Fact(
            (f"{_PEOPLE}/Obesity - adult prevalence rate",),
            ("What is the obesity rate in {c}?", "How common is obesity in {c}?"),
            "obesity",
        ),
        Fact(
            (f"{_PEOPLE}/Maternal mortality ratio",),
            (
                "What is the maternal mortality ratio in {c}?",
                "How high is maternal mortality in {c}?",
            ),
            "maternal mortality",
        ),
        Fact(
            ("Geography/Terrain",),
            ("What does the terrain of {c} look like?", "What is {c}'s terrain?"),
        ),
        Fact(
            ("Geography/Irrigated land",),
            ("How much irrigated land is there in {c}?", "What's the irrigated land area of {c}?"),
        ),
        Fact(
            ("Geography/Location",),
            ("Where in the world is {c}?", "Where does {c} lie?"),
        ),
        Fact(
            ("Geography/Natural hazards",),
            ("Which natural hazards threaten {c}?", "What natural hazards does {c} face?"),
        ),
        Fact(
            ("Government/Suffrage",),
            ("What is the rule on suffrage in {c}?", "Describe suffrage in {c}."),
        ),
        Fact(
            ("Government/Legislative branch/legislature name",),
            ("What is the name of {c}'s legislature?", "What is the legislature of {c} called?"),
        ),
        Fact(
            ("Economy/Agricultural products",),
            ("Which agricultural products come from {c}?", "What are {c}'s agricultural products?"),
        ),
        Fact(
            ("Economy/Exports - partners",),
            ("Which are the main export partners of {c}?", "Who buys the exports of {c}?"),
        ),
        Fact(
            ("Economy/Public debt/*",),
            ("How large is the public debt of {c}?", "What's {c}'s public debt?"),
            "public debt",
        ),
        Fact(
            ("Economy/Real GDP growth rate/*",),
            ("What is {c}'s GDP growth rate?", "At what rate is the GDP of {c} growing?"),
            "GDP growth",
        ),
        Fact(
            ("Transportation/Merchant marine/total",),
            ("How many ships does the merchant marine of {c} have?",),
        ),
        Fact(
            ("Energy/Electricity access/electrification - total population",),
            ("What share of the population of {c} has access to electricity?",),
        ),
        Fact(
            ("Communications/Broadband - fixed subscriptions/total",),
            ("How many fixed broadband subscriptions does {c} have?",),
            "fixed broadband subscriptions",
        ),
        _LONG,
    ),
    bridges=(
        Bridge(
            _CAPITAL,
            r"[^;,(]+$",
            (
                "the country whose seat and capital is {b}",
                "the country which has {b} for its capital",
                "the country for which {b} is the capital",
                "the place whose capital is called {b}",
            ),
            ("Ravenmoor", "Puerto Quimera"),
        ),
        Bridge(
            _LONG,
            r"[A-Z][^;,(]+$",
            ("the country whose conventional long form is {b}", "the country officially named {b}"),
            ("People's Republic of Vandalia",),
        ),
        Bridge(
            Fact(("Geography/Elevation/highest point",), ()),
            r"[A-Z][^\d;,(]+(?=\s[\d,]+ m$)",
            ("the country whose tallest mountain is {b}", "the country that has {b} as its peak"),
            ("Mount Zorvath",),
        ),
        Bridge(
            Fact(("Communications/Internet country code",), ()),
            r"\.[a-z]{2}$",
            (
                "the country behind the internet country code {b}",
                "the country with {b} as its top-level domain",
            ),
            (".qv",),
        ),
    ),
    frames=("{q}",) * 4
    + (
        "Would you tell me {lower}",
        "I was wondering: {lower}",
        "{q} Cite your sources.",
        "Please answer this: {lower}",
    ),
    comparisons=(
        "Put {names} side by side: {columns}.",
        "Give me a table with the {columns} of {names}.",
        "Tabulate {columns} for {names}.",
        "What are {columns} in {names}?",
        "I want to compare {names} on {columns}.",
        "Between {names}, how do {columns} differ?",
    ),
    nowhere=("Wakanda", "Freedonia", "San Escobar", "the Duchy of Grand Lumen", "Panem"),
    nonsense=(
        "What is the annual rainfall of chocolate in {c}?",
        "How many vampires vote in {c}?",
        "Who is the grand wizard of {c}?",
        "What is the teleportation budget of {c}?",
        "What colour are the invisible bridges of {c}?",
    ),
    later=(
        "What will {c}'s GDP per capita be in 2051?",
        "How many inhabitants did {c} have in 1899?",
        "What was the public debt of {c} in 1948?",
    ),
)
