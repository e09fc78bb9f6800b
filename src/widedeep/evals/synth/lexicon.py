"""Which general English words tell what a document is about and where someone is from?"""

from __future__ import annotations

NATIONALITIES = frozenset(
    (
        "Afghan Albanian Algerian American Andorran Angolan Argentine Argentinian Armenian "
        "Australian Austrian Azerbaijani Bahamian Bahraini Bangladeshi Barbadian Belarusian "
        "Belgian Belizean Beninese Bhutanese Bolivian Bosnian Botswanan Brazilian British "
        "Bulgarian Burmese Burundian Cambodian Cameroonian Canadian Chadian Chilean Chinese "
        "Colombian Congolese Croatian Cuban Cypriot Czech Czechoslovak Danish Dominican Dutch "
        "Ecuadorian Egyptian English Eritrean Estonian Ethiopian Fijian Filipino Finnish French "
        "Gabonese Gambian Georgian German Ghanaian Greek Grenadian Guatemalan Guinean Guyanese "
        "Haitian Honduran Hungarian Icelandic Indian Indonesian Iranian Iraqi Irish Israeli "
        "Italian Ivorian Jamaican Japanese Jordanian Kazakh Kazakhstani Kenyan Kosovan Kuwaiti "
        "Kyrgyz Laotian Latvian Lebanese Liberian Libyan Lithuanian Luxembourgish Macedonian "
        "Malagasy Malawian Malaysian Maldivian Malian Maltese Mauritian Mexican Moldovan "
        "Mongolian Montenegrin Moroccan Mozambican Namibian Nepalese Nicaraguan Nigerian Nigerien "
        "Norwegian Omani Pakistani Palestinian Panamanian Paraguayan Peruvian Polish Portuguese "
        "Qatari Romanian Russian Rwandan Salvadoran Samoan Saudi Scottish Senegalese Serbian "
        "Singaporean Slovak Slovenian Somali Soviet Spanish Sudanese Surinamese Swedish Swiss "
        "Syrian Taiwanese Tajik Tanzanian Thai Togolese Tongan Trinidadian Tunisian Turkish "
        "Turkmen Ugandan Ukrainian Uruguayan Uzbek Venezuelan Vietnamese Welsh Yemeni Yugoslav "
        "Zambian Zimbabwean"
    ).split()
)

OCCUPATIONS = frozenset(
    (
        "academic activist actor actress admiral anarchist animator anthropologist architect "
        "archbishop archaeologist artist astronaut astronomer athlete author aviator ballerina "
        "banker baritone barrister bassist biologist bishop botanist boxer broadcaster "
        "businessman businesswoman cardinal cartoonist chemist choreographer cinematographer "
        "clergyman coach comedian comedienne commander composer conductor cricketer critic "
        "curator cyclist dancer designer diplomat director dramatist drummer economist editor "
        "educator engineer entrepreneur explorer fencer filmmaker footballer forward general "
        "geographer geologist goalkeeper golfer guitarist gymnast historian illustrator "
        "industrialist inventor journalist judge jurist lawyer librettist linguist lyricist "
        "magician mathematician merchant midfielder missionary model musician naturalist "
        "neurologist novelist nurse officer official organist painter palaeontologist "
        "percussionist performer philanthropist philosopher photographer physician physicist "
        "pianist pitcher playwright poet politician priest printmaker producer professor "
        "programmer psychiatrist psychologist rabbi racer rapper rower sailor saxophonist scholar "
        "scientist screenwriter sculptor senator singer singer-songwriter skater skier "
        "sociologist soldier songwriter soprano spy sprinter statesman surgeon swimmer teacher "
        "tenor theologian theorist translator trumpeter violinist vocalist weightlifter wrestler "
        "writer zoologist nobleman noblewoman peer prelate aristocrat landowner courtier governor "
        "king queen prince princess duke duchess count countess emperor empress sultan"
    ).split()
)

TYPES = {
    "film": "film",
    "movie": "film",
    "song": "song",
    "single": "song",
    "album": "album",
    "novel": "book",
    "novella": "book",
    "book": "book",
    "play": "play",
    "opera": "opera",
    "poem": "book",
    "memoir": "book",
    "village": "place",
    "town": "place",
    "city": "place",
    "municipality": "place",
    "commune": "place",
    "hamlet": "place",
    "suburb": "place",
    "settlement": "place",
    "community": "place",
    "neighborhood": "place",
    "neighbourhood": "place",
    "district": "place",
    "county": "place",
    "country": "place",
    "island": "place",
    "parish": "place",
    "mountain": "place",
    "river": "river",
    "lake": "place",
    "castle": "building",
    "church": "building",
    "museum": "building",
    "stadium": "building",
    "bridge": "building",
    "building": "building",
    "company": "organisation",
    "corporation": "organisation",
    "organization": "organisation",
    "organisation": "organisation",
    "university": "organisation",
    "college": "organisation",
    "school": "organisation",
    "club": "organisation",
    "team": "organisation",
    "band": "organisation",
    "newspaper": "organisation",
    "magazine": "organisation",
    "institute": "organisation",
    "airline": "organisation",
    "label": "organisation",
    "group": "organisation",
}
"""The last word of "is a ..." and what sort of thing it makes the subject."""

CALLED = {
    "film": "the film",
    "song": "the song",
    "album": "the album",
    "play": "the play",
    "opera": "the opera",
    "novel": "the novel",
    "book": "the book",
}
"""What is said before the title of a work."""
