"""Two small corpora about things that do not exist: prose, and lines of facts."""

import json

PROSE = {
    "Oren Dalvik": (
        "Oren Dalvik (12 March 1921, Pellin – 4 May 1999) was a Norwegian film director. "
        "He studied at Harbour College. He married the actress Mira Solheim."
    ),
    "Mira Solheim": (
        "Mira Solheim (born 2 June 1930) is a Norwegian actress. She was born in Tarsk, Norway."
    ),
    "Pia Lundqvar": (
        "Pia Lundqvar ( 7 July 1955 – 1 January 2020) was a Danish film director. "
        "She died in Aarby, Denmark. Her films were seen by many."
    ),
    "The Glass Ferry": (
        "The Glass Ferry is a 1958 Norwegian drama film directed by Oren Dalvik and starring "
        'Mira Solheim. It is based on the novel "Slow Water" by Ada Brink.'
    ),
    "Nine Lanterns": "Nine Lanterns is a 1991 Danish comedy film directed by Pia Lundqvar.",
    "Winter Post": (
        "Winter Post is a 1962 Norwegian film directed by Oren Dalvik and Pia Lundqvar."
    ),
    "Salt Road (film)": "Salt Road is a 1970 Danish film directed by Oren Dalvik.",
    "Salt Road (song)": "Salt Road is a 1971 song by the Danish band Low Tide.",
    "Slow Tide": (
        "Slow Tide is a 1990 Danish film directed by Pia Lundqvar and co-written by Ada Brink. "
        "It was produced by Tor Holm alongside Ada Brink."
    ),
    "Halvor Strand": "Halvor Strand (18 May 18996 June 1992) was a Danish film and stage actor.",
    "Princess Ulla of Harn": (
        "Princess Ulla of Harn (1820 – 1899) was a German princess. She was loved by all. "
        "He was born in Berlin."
    ),
    "Harrow": "Harrow may refer to: a farm tool; a town.",
    "Kesti Works": (
        "Kesti Works is a Finnish company founded in 1931 by Aino Kestila. "
        "It is headquartered in Oulunmaa, Finland."
    ),
    "Velna, Norr County": "Velna is a town in Norr County, Estmark. It has a population of 4,210.",
    "Duke Albin of Harn": (
        "Duke Albin of Harn (1801 – 1870) was a German nobleman. He was the eldest son of "
        "Otto III, Duke of Harn and his wife Countess Ida of Brell. He was a keen rider."
    ),
    "Otto III, Duke of Harn": (
        "Otto III, Duke of Harn (3 May 1770 – 9 June 1840) was a German nobleman. "
        "He was the father of Albin. He lived in Harn."
    ),
    "Emil Taver": "Emil Taver (born 1950) is a Swedish painter. He is known for his seascapes.",
    "Jonas Ekvall": "Jonas Ekvall is a Swedish composer who lived with his brother for years.",
    "Cold Belle": "Cold Belle is the fourth studio album by New Zealand singer Ada Vorn.",
    "Hot Belle": "Hot Belle is a song by Danish-American rapper and singer Bo Lind.",
    "Warm Belle": "Warm Belle is an album by Danish singer Ida Kjeld.",
}

# Capital, area, surface, mean temperature, export partners.
PLANETS = {
    "Aster": ("Quill", 812, "moss", 14.5, "Brom 60%, Corin 25%"),
    "Brom": ("Ondra", 90, "ice", 3.25, "Corin 70%, Aster 11%"),
    "Corin": ("Wexa", 4100, "moss", 77.0, "Aster 30%, Brom 30%"),
    "Delph": ("Tamsin", 2400, "sand", 51.0, "Aster 44%, Elion 12%"),
    "Elion": ("Vire", 560, "sand", 23.9, "Delph 81%, Brom 9%"),
    "Fenra": ("Ulby", 7300, "ice", 9.1, "Gault 55%, Aster 5%"),
    "Gault": ("Marn", 15, "sand", 61.4, "Fenra 35%, Delph 20%"),
    "Hyle": ("Sorrel", 1250, "moss", 18.6, "Ixen 90%, Brom 2%"),
    "Ixen": ("Pradd", 330, "ice", 1.7, "Hyle 41%, Corin 31%"),
    "Jorun": ("Tolva", 9900, "moss", 44.4, "Kerwy 52%, Hyle 8%"),
    "Kerwy": ("Lidd", 640, "sand", 36.2, "Jorun 66%, Gault 7%"),
    "Lomax": ("Brae", 2050, "ice", 5.8, "Kerwy 38%, Ixen 30%"),
}


def prose(folder):
    rows = [
        {"_id": f"p{number}", "title": title, "text": text}
        for number, (title, text) in enumerate(PROSE.items())
    ]
    return _written(folder, rows)


def planets(folder):
    # Every section is long, so that each is a passage of its own.
    tale = " ".join(f"They tell of winter {year}." for year in range(60))
    rows = [
        {
            "_id": name.lower(),
            "title": name,
            "Names": {"Planet name": {"short form": name}, "Tale": {"one": tale}},
            "Seat": {"Capital": {"name": {"text": capital}}, "Tale": {"two": tale}},
            "Land": {"Area": {"total": f"{area} sq km (2020 est.)", "note": "wet"}, "T": [tale]},
            "Cover": {"Surface": cover, "Odd/label": {"a": "x"}, "Tale": {"three": tale}},
            "Air": {"Mean temperature": {"text": f"{heat} degrees" if name != "Brom" else ""}},
            "Trade": {"Exports - partners": {"text": partners}, "Tale": {"four": tale}},
        }
        for name, (capital, area, cover, heat, partners) in PLANETS.items()
    ]
    return _written(folder, rows)


def _written(folder, rows):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "corpus.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path
