"""The second set of templates: other attributes, bridges and wordings than `DEV`."""

from __future__ import annotations

from bench.factbook_templates import Bridge, Fact, Templates

_PEOPLE = "People and Society"
_CAPITAL = Fact(("Government/Capital/name",), ("What's the capital city of {c}?",), "capital city")
_CODE = Fact(("Communications/Internet country code",), ("What is the TLD of {c}?",), "")
_ANTHEM = Fact(
    ("Government/National anthem(s)/title",),
    ("What is the title of {c}'s national anthem?", "What's the anthem of {c} called?"),
)
_LEADER = Fact(
    ("Government/Executive branch/chief of state",),
    ("Who is the chief of state of {c}?", "Who's the head of state in {c}?"),
)

HELD = Templates(
    facts=(
        _ANTHEM,
        _LEADER,
        Fact(
            (f"{_PEOPLE}/Death rate",),
            ("What's the death rate in {c}?", "Tell me {c}'s death rate."),
            "death rate",
        ),
        Fact(
            (f"{_PEOPLE}/Total fertility rate",),
            ("What is {c}'s total fertility rate?", "What's the fertility rate in {c}?"),
            "fertility rate",
        ),
        Fact(
            (f"{_PEOPLE}/Infant mortality rate/total",),
            ("How high is infant mortality in {c}?", "Give me the infant mortality rate of {c}."),
            "infant mortality",
        ),
        Fact(
            (f"{_PEOPLE}/Literacy/total population",),
            ("What's {c}'s literacy rate?", "How high is literacy in {c}?"),
        ),
        Fact(
            (f"{_PEOPLE}/Urbanization/urban population",),
            (
                "What percentage of {c}'s population is urban?",
                "What share of the people in {c} live in cities?",
            ),
            "urban population",
        ),
        Fact(
            (f"{_PEOPLE}/Population growth rate",),
            ("How fast is the population of {c} growing?", "What is {c}'s population growth rate?"),
            "population growth rate",
        ),
        Fact(
            (f"{_PEOPLE}/Ethnic groups",),
            ("Which ethnic groups live in {c}?", "What is the ethnic makeup of {c}?"),
        ),
        Fact(
            ("Geography/Elevation/lowest point",),
            ("Where is the lowest point of {c}?", "Name {c}'s lowest point."),
            "lowest point",
        ),
        Fact(
            ("Geography/Climate",),
            ("Describe the climate of {c}.", "What's the climate like in {c}?"),
        ),
        Fact(
            ("Geography/Natural resources",),
            ("What natural resources does {c} have?", "Which natural resources are found in {c}?"),
        ),
        Fact(
            ("Geography/Land boundaries/total",),
            (
                "How long are {c}'s land borders in total?",
                "What is the total length of the land boundaries of {c}?",
            ),
            "total land boundaries",
        ),
        Fact(
            ("Economy/Inflation rate (consumer prices)/*",),
            ("How high is inflation in {c}?", "What's the rate of inflation in {c}?"),
            "inflation",
        ),
        Fact(
            ("Economy/Exports - commodities",),
            ("What does {c} export?", "What are the main export goods of {c}?"),
        ),
        Fact(
            ("Economy/Imports - partners",),
            ("From which countries does {c} import?", "Who are {c}'s main import partners?"),
        ),
        Fact(
            ("Economy/Industries",),
            ("Which industries does {c} have?", "What are the major industries in {c}?"),
        ),
        Fact(
            ("Government/National holiday",),
            ("When is {c}'s national holiday?", "Which national holiday is celebrated in {c}?"),
        ),
        Fact(
            ("Government/Legal system",),
            ("What kind of legal system does {c} have?", "Describe {c}'s legal system."),
        ),
        Fact(
            ("Transportation/Railways/total",),
            ("How long is the railway network of {c}?", "How many km of railways does {c} have?"),
            "railway length",
        ),
        Fact(
            ("Communications/Telephones - mobile cellular/total subscriptions",),
            ("How many mobile phone subscriptions are there in {c}?",),
        ),
        Fact(
            ("Military and Security/Military expenditures/*",),
            ("How much does {c} spend on its military?", "What is {c}'s military spending?"),
            "military expenditure",
        ),
        Fact(
            ("Environment/Carbon dioxide emissions/total emissions",),
            ("How much carbon dioxide does {c} emit?", "What are {c}'s total CO2 emissions?"),
            "carbon dioxide emissions",
        ),
    ),
    bridges=(
        Bridge(
            _CAPITAL,
            r"[^;,(]+$",
            (
                "the country that {b} is the capital of",
                "the country with {b} as capital",
                "the state whose capital city is {b}",
                "the country where {b} is the capital city",
            ),
            ("Brimholm", "Santa Velora", "Kadesh-on-Sea"),
        ),
        Bridge(
            _ANTHEM,
            r"\"[^\"]+\"$",
            (
                "the country whose national anthem is {b}",
                "the country with the national anthem {b}",
                "the country whose anthem is called {b}",
            ),
            ('"Song of the Seven Turnips"', '"March of the Glass Herons"'),
        ),
        Bridge(
            _CODE,
            r"\.[a-z]{2}$",
            (
                "the country that uses the internet domain {b}",
                "the country whose web domain is {b}",
            ),
            (".qq", ".xj"),
        ),
        Bridge(
            _LEADER,
            r"(?<=\bPresident )[A-Z][^(,;]+|President [A-Z][^(,;]+",
            ("the country whose head of state is {b}", "the country led by {b}"),
            ("President Olbrecht VANDERSNOOT",),
        ),
    ),
    frames=("{q}",) * 5
    + (
        "I would like to know: {lower}",
        "{q} Please keep it short.",
        "Quick question: {lower}",
        "Hello, can you help? {q}",
        "{q} Thanks!",
    ),
    comparisons=(
        "For {names}, list the {columns}.",
        "I need a comparison of {names} with respect to {columns}.",
        "Show me {columns} for each of these countries: {names}.",
        "{names}: {columns}?",
        "Contrast the {columns} of {names}.",
        "Which {columns} do {names} have?",
    ),
    nowhere=("Latveria", "Grand Fenwick", "the Kingdom of Arendelle", "Qumar", "Sokovia"),
    nonsense=(
        "How many unicorns are registered in {c}?",
        "What's the official ice cream flavour of {c}?",
        "Which superhero protects {c}?",
        "How many time machines does {c} own?",
        "What is the telepathy rate in {c}?",
    ),
    later=(
        "How many people will live in {c} in 2075?",
        "What was the inflation rate of {c} in 1955?",
        "What will {c}'s life expectancy be in 2090?",
    ),
)
