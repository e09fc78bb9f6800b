"""Where does the built-in policy go next in documents of prose?"""

import pytest
from tests.models.builtin.histories import ask, queries, request

from widedeep.messages import ToolCall
from widedeep.models.builtin import Builtin

pytestmark = pytest.mark.anyio

FILM = (
    "The Salt Road",
    (
        "The Salt Road is a 1961 drama film directed by Ilse Marlow and starring Tom Vane. It was "
        "shot in Borland and released by Harbour Pictures."
    ),
)
OTHER = ("Night Ferry", "Night Ferry is a 1958 film directed by Anton Brugge, with Lena Quist.")
BORN = "Where was the director of the film The Salt Road born?"


async def test_a_name_that_a_document_gives_is_the_bridge():
    found = queries(await ask(BORN, FILM, width=1))
    assert found == ['"Ilse Marlow" born']


async def test_what_is_covered_is_not_asked_for_again():
    found = queries(await ask(BORN, FILM, width=3))
    assert "Marlow" in found[0]
    assert not any("film director" in query for query in found[:1])


async def test_each_name_compared_gets_its_turn():
    question = "Which film has the director who died first, The Salt Road or Night Ferry?"
    found = queries(await ask(question, FILM, OTHER, width=2))
    assert any("Ilse Marlow" in query for query in found)
    assert any("Anton Brugge" in query for query in found)


async def test_a_relative_of_a_relative_is_taken_in_two_steps():
    page = ("Otto Brandt", "Otto Brandt was a painter. His father was the miller Karl Brandt.")
    found = queries(await ask("Who was Otto Brandt's paternal grandfather?", page, width=1))
    assert found == ['"Karl Brandt" father']


async def test_a_question_in_lower_case_finds_its_names_in_the_documents():
    found = queries(await ask(BORN.lower(), FILM, width=1))
    assert found == ['"Ilse Marlow" born']


async def test_an_untitled_document_is_called_by_the_name_it_opens_with():
    found = queries(await ask(BORN, ("", FILM[1]), width=1))
    assert found == ['"Ilse Marlow" born']


async def test_the_ledger_tells_what_is_to_be_looked_up():
    reply = await ask(BORN, FILM, width=2)
    by_id = {entry.id: entry for entry in reply.ledger}
    assert by_id["name: The Salt Road"].state == "supported"
    assert by_id["name: The Salt Road"].quotes[0].n == 1
    assert by_id["lead 1"].state == "open"
    assert "Ilse Marlow" in by_id["lead 1"].text


async def test_one_shot_searches_once_with_the_question():
    policy = Builtin(one_shot=True)
    reply = await policy.reply(request(BORN), lambda _: None)
    assert queries(reply) == [BORN]
    again = await policy.reply(request(BORN, FILM, calls=reply.calls), lambda _: None)
    assert again.calls == ()


async def test_who_is_said_to_stand_in_the_role_asked_for_goes_before_other_names():
    page = ("Night Ferry", "Night Ferry, with Lena Quist and Tom Vane, was helmed by Anton Brugge.")
    found = queries(await ask("Where did the director of Night Ferry die?", page, width=1))
    assert found == ['"Anton Brugge" die']


async def test_a_name_that_was_never_looked_up_goes_before_what_follows_from_others():
    question = "Which singer of The Salt Road, made by Ilse Marlow, played at Corran Hall?"
    made = tuple(
        ToolCall("search_corpus", {"query": query}, id=f"1.{at}")
        for at, query in enumerate((question, '"The Salt Road" singer made'), 1)
    )
    found = queries(await ask(question, FILM, width=1, calls=made))
    assert "Corran Hall" in found[0] or "Ilse Marlow" in found[0]


async def test_an_untitled_document_may_be_called_by_small_words_too():
    page = ("", "You Can Run on the Ice (German: Lauf) is a 1958 film directed by Anton Brugge.")
    found = queries(
        await ask("Where did the director of You Can Run on the Ice die?", page, width=1)
    )
    assert found == ['"Anton Brugge" die']


async def test_what_courtesy_ends_in_is_no_part_of_the_question():
    plain, polite = await ask(BORN), await ask(f"Could you please tell me: {BORN}")
    assert queries(polite) == queries(plain)
