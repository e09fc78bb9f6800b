"""Citations whose value stands in the source, but in another role than the sentence says."""

import pytest

from widedeep import evidence
from widedeep.evidence import Sources
from widedeep.messages import Found


def verified(claim, text, title):
    sources = Sources()
    sources.meet(Found("doc", text, title=title), turn=1)
    (citation,), _ = evidence.check(claim, sources)
    return citation.verified


PRINCESS = (
    "Princess Ada of Lund (1414 – 1474) was the second daughter of Erik I of Uppsala and his wife, "
    "the former Princess Dora of Ghent. After her father died in 1447 she was raised at Odense. "
    "Her brother, King Carl, was killed in 1460. She had a son, Otto Falk, and her daughter was "
    "Helga. Dora was a patron of poets."
)


@pytest.mark.parametrize(
    ("claim", "true"),
    [
        ("The father of Princess Ada of Lund is Erik I of Uppsala [1].", True),
        ("The mother of Princess Ada of Lund is Erik I of Uppsala [1].", False),
        ("The mother of Princess Ada of Lund is Princess Dora of Ghent [1].", True),
        ("The father of Princess Ada of Lund is Dora [1].", False),
        ("The father of Princess Ada of Lund is Otto Falk [1].", False),
        ("The mother of Princess Ada of Lund is Helga [1].", False),
        ("The son of Princess Ada of Lund is Otto Falk [1].", True),
        ("The child of Princess Ada of Lund is Erik [1].", False),
        ("The mother of Princess Ada of Lund is Ghent [1].", False),
        ("The mother of Princess Ada of Lund is Odense [1].", False),
        ("The father of Princess Ada of Lund is Uppsala [1].", False),
        ("The father of Princess Ada of Lund is Carl [1].", False),
        ("The brother of Princess Ada of Lund is Carl [1].", True),
        ("The death of Princess Ada of Lund is 1474 [1].", True),
        ("The death of Princess Ada of Lund is 1447 [1].", False),
        ("Princess Ada of Lund's father was Erik I of Uppsala [1].", True),
        ("Princess Ada of Lund's mother was Erik I of Uppsala [1].", False),
    ],
)
def test_a_relative_is_of_one_sex_and_generation(claim, true):
    assert verified(claim, PRINCESS, "Princess Ada of Lund") is true


FIRM = (
    "Blum Pictures is a Dutch film company based in Kollam. It was founded in 2014 by producer "
    "Sofia van der Paul, the daughter of Otto von Falk, Duke of Ulm, and his wife, Countess Eva of "
    "Ghent."
)


@pytest.mark.parametrize(
    ("claim", "true"),
    [
        ("The founder of Blum Pictures is Sofia van der Paul [1].", True),
        ("The founder of Blum Pictures is Dutch [1].", False),
        ("The founder of Blum Pictures is 2014 [1].", False),
        ("The founder of Blum Pictures is Pictures [1].", False),
        ("The founder of Blum Pictures is Kollam [1].", False),
        ("The mother of Sofia van der Paul is Countess Eva of Ghent [1].", True),
        ("The mother of Sofia van der Paul is Otto von Falk [1].", False),
    ],
)
def test_a_name_with_a_particle_is_one_and_a_founder_is_no_date(claim, true):
    assert verified(claim, FIRM, "Blum Pictures") is true


FILM = (
    "Ann, Bob and the Hill is a 1969 Italian- American film written and directed by Pia Rossi, "
    "and starring Max Kern as Bob. It is based on the 1920 Lou Stern Hay play "
    '"The Bad Hill" by Ugo Neri under the Banner of Oak. The song in it is by Swiss singer Eva.'
)


@pytest.mark.parametrize(
    ("claim", "true"),
    [
        ("The director of the film Ann, Bob and the Hill is Pia Rossi [1].", True),
        ("The director of the film Ann, Bob and the Hill is Max Kern [1].", False),
        ("The star of the film Ann, Bob and the Hill is Max Kern [1].", True),
        ("The star of the film Ann, Bob and the Hill is Pia Rossi [1].", False),
        ("The writer of the film Ann, Bob and the Hill is Italian-American [1].", False),
        ("The singer of the song is Swiss [1].", False),
        ("The singer of the song is Eva [1].", True),
        ("The source work of the film Ann, Bob and the Hill is The Bad Hill [1].", True),
        ("The source work of the film Ann, Bob and the Hill is Italian- American [1].", False),
        ("The writer of the film Ann, Bob and the Hill is Oak [1].", False),
        ("Ann, Bob and the Hill was directed by Max Kern [1].", False),
        ("Ann, Bob and the Hill, written by Pia Rossi, stars Max Kern [1].", True),
    ],
)
def test_who_made_a_work_is_no_adjective_and_no_other_of_its_makers(claim, true):
    assert verified(claim, FILM, "Ann, Bob and the Hill (film)") is true


TABLE = (
    "## Economy\nLife expectancy, male: 75.6 years\nLife expectancy, female: 78.8 years\n"
    "Legislature name: National Assembly\nSeats: 78"
)


@pytest.mark.parametrize(
    ("claim", "true"),
    [
        ("The Life expectancy, male of Peru is 75.6 years [1].", True),
        ("The Life expectancy, male of Peru is 78.8 years [1].", False),
        ("The Legislature name of Peru is National Assembly [1].", True),
        ("The Legislature name of Peru is Economy [1].", False),
    ],
)
def test_a_label_that_is_named_in_full_holds_the_value(claim, true):
    assert verified(claim, TABLE, "Peru") is true


HINDI = "दिल्ली भारत की राजधानी है। इसकी जनसंख्या 16787941 है। यह यमुना नदी के किनारे बसी है।"


@pytest.mark.parametrize(
    ("claim", "true"),
    [
        ("दिल्ली भारत की राजधानी है [1]।", True),
        ("दिल्ली भारत की राजधानी है। [1]", True),
        ("इसकी जनसंख्या 16787941 है [1]।", True),
        ("इसकी जनसंख्या 16787942 है [1]।", False),
        ("मुम्बई समुद्र तट पर फैला व्यापारिक नगर [1]।", False),
    ],
)
def test_a_script_with_vowel_signs_is_cut_into_whole_words(claim, true):
    assert verified(claim, HINDI, "दिल्ली") is true


def test_a_sentence_that_stands_in_its_source_word_for_word_is_supported():
    text = "Kin of A: B, C. Its source lies, said Ann Lee, in Peru, and Peru's in Ann Lee."
    assert verified("Its source lies, said Ann Lee, in Peru, and Peru's in Ann Lee [1].", text, "X")
    assert not verified("It costs 5 [1].", "It costs 5.1 dollars.", "X")


def test_a_name_with_an_apostrophe_is_the_name():
    assert verified("Kizir River's source is in Tuva [1].", "Its source is in Tuva.", "Kizir River")
