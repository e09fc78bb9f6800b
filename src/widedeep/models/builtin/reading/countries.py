"""Which country does a word name: `Norwegian` and `Ohio` name Norway and the United States?

The countries of the world with their adjectives, as any almanac lists them.
"""

from __future__ import annotations

import re
from functools import lru_cache

from widedeep.models.builtin.folding import fold

_ADJECTIVES = """
Afghanistan Afghan|Albania Albanian|Algeria Algerian|Andorra Andorran|Angola Angolan
Argentina Argentine Argentinian|Armenia Armenian|Australia Australian|Austria Austrian
Azerbaijan Azerbaijani|Bahrain Bahraini|Bangladesh Bangladeshi|Barbados Barbadian
Belarus Belarusian|Belgium Belgian|Benin Beninese|Bhutan Bhutanese|Bolivia Bolivian
Botswana Botswanan|Brazil Brazilian|Bulgaria Bulgarian|Burundi Burundian|Cambodia Cambodian
Cameroon Cameroonian|Canada Canadian|Chad Chadian|Chile Chilean|China Chinese
Colombia Colombian|Croatia Croatian|Cuba Cuban|Cyprus Cypriot|Denmark Danish|Ecuador Ecuadorian
Egypt Egyptian|England English|Eritrea Eritrean|Estonia Estonian|Ethiopia Ethiopian|Fiji Fijian
Finland Finnish|France French|Gabon Gabonese|Georgia Georgian|Germany German|Ghana Ghanaian
Greece Greek|Guatemala Guatemalan|Guinea Guinean|Guyana Guyanese|Haiti Haitian
Honduras Honduran|Hungary Hungarian|Iceland Icelandic|India Indian|Indonesia Indonesian
Iran Iranian Persian|Iraq Iraqi|Ireland Irish|Israel Israeli|Italy Italian|Jamaica Jamaican
Japan Japanese|Jordan Jordanian|Kazakhstan Kazakh Kazakhstani|Kenya Kenyan|Kosovo Kosovar
Kuwait Kuwaiti|Kyrgyzstan Kyrgyz|Laos Laotian|Latvia Latvian|Lebanon Lebanese|Liberia Liberian
Libya Libyan|Liechtenstein Liechtensteiner|Lithuania Lithuanian|Luxembourg Luxembourgish
Madagascar Malagasy|Malawi Malawian|Malaysia Malaysian|Mali Malian|Malta Maltese|Mexico Mexican
Moldova Moldovan|Monaco Monegasque|Mongolia Mongolian|Montenegro Montenegrin|Morocco Moroccan
Mozambique Mozambican|Myanmar Burmese|Namibia Namibian|Nepal Nepalese Nepali|Netherlands Dutch
Nicaragua Nicaraguan|Niger Nigerien|Nigeria Nigerian|Norway Norwegian|Oman Omani
Pakistan Pakistani|Palestine Palestinian|Panama Panamanian|Paraguay Paraguayan|Peru Peruvian
Philippines Filipino Philippine|Poland Polish|Portugal Portuguese|Qatar Qatari
Romania Romanian|Russia Russian|Rwanda Rwandan|Samoa Samoan|Scotland Scottish|Senegal Senegalese
Serbia Serbian|Singapore Singaporean|Slovakia Slovak|Slovenia Slovene Slovenian|Somalia Somali
Spain Spanish|Sudan Sudanese|Suriname Surinamese|Sweden Swedish|Switzerland Swiss|Syria Syrian
Taiwan Taiwanese|Tajikistan Tajik|Tanzania Tanzanian|Thailand Thai|Togo Togolese
Tunisia Tunisian|Turkey Turkish|Turkmenistan Turkmen|Uganda Ugandan|Ukraine Ukrainian
Uruguay Uruguayan|Uzbekistan Uzbek|Venezuela Venezuelan|Vietnam Vietnamese|Wales Welsh
Yemen Yemeni|Zambia Zambian|Zimbabwe Zimbabwean|Yugoslavia Yugoslav|Czechoslovakia Czechoslovak
"""
_LONGER = {
    "american": "United States",
    "united states": "United States",
    "united states of america": "United States",
    "usa": "United States",
    "u.s": "United States",
    "us": "United States",
    "british": "United Kingdom",
    "united kingdom": "United Kingdom",
    "uk": "United Kingdom",
    "great britain": "United Kingdom",
    "czech republic": "Czech Republic",
    "czech": "Czech Republic",
    "new zealand": "New Zealand",
    "south african": "South Africa",
    "south africa": "South Africa",
    "south korean": "South Korea",
    "south korea": "South Korea",
    "north korean": "North Korea",
    "north korea": "North Korea",
    "sri lankan": "Sri Lanka",
    "sri lanka": "Sri Lanka",
    "saudi arabian": "Saudi Arabia",
    "saudi arabia": "Saudi Arabia",
    "soviet": "Soviet Union",
    "soviet union": "Soviet Union",
    "costa rican": "Costa Rica",
    "costa rica": "Costa Rica",
    "hong kong": "Hong Kong",
    "puerto rican": "Puerto Rico",
    "puerto rico": "Puerto Rico",
    "ivorian": "Ivory Coast",
    "ivory coast": "Ivory Coast",
    "bosnian": "Bosnia and Herzegovina",
}
_STATES = (
    "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Hawaii|Idaho"
    "|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan"
    "|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico"
    "|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island"
    "|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia"
    "|Wisconsin|Wyoming"
)
_BY_WORD = {
    fold(word): entry.split()[0]
    for entry in _ADJECTIVES.replace("\n", "|").split("|")
    for word in entry.split()
} | _LONGER
_BY_STATE = {fold(state): "United States" for state in _STATES.split("|")}
_ALL = _BY_STATE | _BY_WORD
_FIRST = frozenset(name.split()[0] for name in _ALL)
_MOST_WORDS = 4
_CAPITAL = re.compile(r"[^\W\d_a-zß-ÿ][^\W_]*(?:\.[A-Z])*")


@lru_cache(maxsize=16384)
def named(text: str) -> tuple[tuple[int, str, str], ...]:
    """Return the places, words and countries that a text names, in order."""
    found: list[tuple[int, str, str]] = []
    words = list(_CAPITAL.finditer(text))
    end = 0
    for at, first in enumerate(words):
        if first.start() < end or first.group().lower() not in _FIRST:
            continue
        for last in reversed(words[at : at + _MOST_WORDS]):
            written = text[first.start() : last.end()]
            if (of := _ALL.get(written.lower())) is not None:
                found.append((first.start(), written, of))
                end = last.end()
                break
    return tuple(found)


def country(word: str) -> str | None:
    """Return the country that a name or adjective stands for."""
    plain = fold(word)
    return _BY_WORD.get(plain) or _BY_STATE.get(plain)


def is_state(word: str) -> bool:
    """Tell whether a word names a state of the United States."""
    return fold(word) in _BY_STATE


def is_adjective(word: str) -> bool:
    """Tell whether a word says whose nationality something is of."""
    plain = fold(word)
    return plain in _BY_WORD and fold(_BY_WORD[plain]) != plain and plain not in ("usa", "uk", "us")
