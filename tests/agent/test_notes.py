"""The ledger as an LLM keeps it, with the free tool `note`."""

import pytest
from tests.fakes.runs import Scripted, of, outcomes, research, results
from tests.fakes.tools import look

from widedeep import Agent, UsageError, tool
from widedeep.events import LedgerChanged

LOOK = ("look", {"query": "Quito"})


def note(state="open", *quotes, id="1"):
    return ("note", {"id": id, "text": "How many live there?", "state": state, "quotes": quotes})


def test_notes_are_in_no_count_and_take_no_slot():
    calls = [note(), LOOK, note(id="2"), ("look", {"query": "Lima"})]
    answer, events = research(
        [calls, "Quito has 42 inhabitants [1]."], [look], schedule="constant:2!"
    )
    assert outcomes(events) == ["ok"] * 4
    assert [result.call.id for result in results(events)] == ["1.1", "1.2", "1.3", "1.4"]
    assert (answer.calls.requested, answer.calls.executed) == (2, 2)
    assert [entry.id for event in of(events, LedgerChanged) for entry in event.entries] == [
        "1",
        "2",
    ]
    assert (answer.status, answer.notes) == ("answered", ())


def test_only_a_quote_of_its_source_settles_an_entry():
    good = {"n": 1, "text": "quito has  42 INHABITANTS"}
    script = [
        [LOOK],
        [note("supported", {"n": 1, "text": "43 inhabitants"}, id="2"), note("supported", id="3")],
        [note("supported", good), note("refuted", good, id="2")],
        "Quito has 42 inhabitants [1].",
    ]
    answer, events = research(script, [look])
    assert "as open: supported takes a quote" in results(events, 2)[0].text
    assert "Source [1] does not hold '43 inhabitants'." in results(events, 2)[0].text
    ledger = {e.id: e for event in of(events, LedgerChanged) for e in event.entries}
    assert [ledger[id].state for id in "123"] == ["supported", "refuted", "open"]
    assert "Refuted: How many live there? [1]" in answer.notes
    assert answer.quotes[0].n == 1


def test_a_note_is_news_and_the_same_note_again_is_not():
    script = [[LOOK], [note()], [note()], [note()], [note()], "Quito has 42 inhabitants [1]."]
    answer, _ = research(script, [look])
    assert (answer.stopped_by, answer.turns) == ("nothing_new", 5)


def test_wrong_arguments_are_an_error_like_any_other():
    _, events = research([[("note", {"id": "1", "text": "?", "state": "maybe"})], "Done."], [look])
    assert outcomes(events) == ["error"]
    assert "state: Input should be 'open', 'supported' or 'refuted'" in results(events)[0].text


def test_it_is_offered_beside_tools_to_a_model_that_keeps_no_ledger():
    model = Scripted(["Done."])
    research(model, [look])
    assert [spec.name for spec in model.requests[0].tools] == ["look", "note"]
    model = Scripted(["Done."])
    research(model, [])
    assert model.requests[0].tools == ()


def test_no_other_tool_may_be_called_so():
    @tool(name="note")
    async def mine(text: str) -> str:
        """Write."""
        return text

    with pytest.raises(UsageError, match="'note'"):
        Agent(Scripted([]), [mine])


def test_what_stayed_open_is_told_where_the_question_is_not_answered():
    answer, _ = research([[LOOK, note(), note(id="2")], '{"answer": null}'], [look])
    assert answer.status == "no_evidence"
    assert answer.notes == ("Still open: How many live there?",)
