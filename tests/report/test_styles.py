"""Does each style tell what it says it tells, and nothing that the run did not find?"""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.report.recorded import ANSWER, ECUADOR, PERU, records

from widedeep.events import LedgerChanged
from widedeep.messages import Citation, LedgerEntry, Quote, Source
from widedeep.report.dates import stated
from widedeep.report.json import answer_object
from widedeep.report.markdown import document, sections
from widedeep.report.plain import short_text, styled_text
from widedeep.report.styles import short
from widedeep.report.timeline import follow

LEDGER = (
    LedgerEntry("1", "people of Ecuador", "supported", (Quote(1, "Ecuador has 18 people"),)),
    LedgerEntry("lead", "people of Ecuador", "supported", (Quote(1, "Ecuador has  18 people"),)),
    LedgerEntry("2", "people of Chile"),
    LedgerEntry("3", "Peru is empty", "refuted", (Quote(2, "Peru has many people"),)),
    LedgerEntry("4", "no lead", "refuted"),
)
TABLE = "|  | People |\n| --- | --- |\n| Ecuador | 18 [1] |\n| Peru | many [2] |\n\nThat is all."


@pytest.mark.parametrize(
    ("said", "text", "shown"),
    [
        ("18", ANSWER.text, "18 [1]"),
        ("many", ANSWER.text, "many [2]"),
        ("yes", ANSWER.text, "yes [1] [2]"),
        ("18 [1]", ANSWER.text, "18 [1]"),
        (None, ANSWER.text, "Ecuador has 18 people [1]."),
        (None, TABLE, TABLE.partition("\n\n")[0]),
        ("many", TABLE, "many [2]"),
        (
            None,
            "# People\n\n- Ecuador 18 [1]\n- Peru many [2]",
            "- Ecuador 18 [1]\n- Peru many [2]",
        ),
        (None, "## People\n\nFew [1]. Many [2].", "Few [1]."),
        (None, "# People", ""),
        ("18", "", "18"),
        (None, "", ""),
    ],
)
def test_short_is_the_short_answer_with_its_sources(said, text, shown):
    assert short(replace(ANSWER, short_answer=said, text=text)) == shown


def test_short_names_only_its_own_sources_and_how_sure_it_is():
    assert short_text(ANSWER) == "18 [1]\n\n[1] Ecuador (ec.json)\n"
    assert short_text(ANSWER, brief=True) == "18 [1]\n"
    cut = replace(ANSWER, status="partial", stopped_by="max_turns")
    assert short_text(cut).endswith("\n\nstatus    partial: all turns were used\n")
    empty = replace(ANSWER, text="", short_answer=None, status="no_evidence", citations=())
    assert short_text(empty) == "No answer: the sources hold no evidence for one.\n"
    assert "18 [1]\n\n**[1]** Ecuador, <https://x.example/ec>\n" in document(ANSWER, "short")


def test_a_report_has_its_sections_in_order():
    text = sections(ANSWER, LEDGER)
    heads = [line for line in text.splitlines() if line.startswith("#")]
    assert heads == [
        "## Answer",
        "## Evidence",
        "### people of Ecuador",
        "### Also cited",
        "## Open questions and contradictions",
        "### Contradicted: Peru is empty",
        "## Sources",
    ]
    assert text.count("> Ecuador has 18 people [1]") == 1
    assert "> Peru has many people [2]" in text
    assert "Left open when the answer was found:\n\n- people of Chile" in text
    assert r"does not bear out what cites it: \[2\]" in text
    assert "- **[1]** Ecuador, <https://x.example/ec>" in text
    assert "- **[2]** `peru.json` — **not verified**" in text


def test_a_report_without_a_ledger_has_what_the_answer_cites():
    text = sections(replace(ANSWER, notes=("Still open: people of Chile", "one call was late")))
    assert "### What the answer cites\n\n> Ecuador has 18 people [1]\n\n> Peru has many" in text
    assert "- people of Chile" in text
    assert "one call was late" not in text
    none = replace(ANSWER, text="", short_answer=None, citations=(), status="no_evidence", notes=())
    bare = sections(none)
    assert "*No answer: no evidence*\n\n## Evidence\n\n*No quote was kept.*" in bare
    assert "*None that the run knows of.*\n\n## Sources\n\n- and 2 sources met" in bare


def test_the_guess_of_a_run_that_abstains_is_not_told_as_an_answer():
    guess = replace(ANSWER, status="no_evidence", short_answer="Krähenberg")
    assert short(guess) == "Ecuador has 18 people [1]."
    for style in ("short", "brief", "report"):
        assert "Krähenberg" not in styled_text(guess, style)
        assert "Krähenberg" not in document(guess, style)


def test_notes_of_the_run_stay_in_the_summary_and_those_of_the_ledger_do_not():
    noted = replace(ANSWER, notes=("Still open: people of Chile", "one call was late"))
    text = document(noted, "report", LEDGER)
    assert text.startswith("# How many people live in Ecuador?\n\n## Answer\n\nEcuador has 18")
    summary = text.partition("## Summary")[2]
    assert "one call was late" in summary
    assert "Still open" not in summary


def test_what_others_wrote_stays_text_in_a_report():
    evil = "# head\n<script>`x`</script> [a](javascript:b)\x1b[2J"
    entry = LedgerEntry("1", evil, "supported", (Quote(1, evil), Quote(2, " \n")))
    text = sections(replace(ANSWER, sources=(replace(ECUADOR, title=evil), PERU)), (entry,))
    assert "\x1b" not in text
    assert "<script>" not in text.replace(r"\<script\>", "")
    assert "> \\# head\n> \\<script\\>" in text
    assert [line for line in text.splitlines() if line.startswith("# ")] == []


def test_the_object_is_the_same_in_every_style():
    texts = {styled_text(ANSWER, style, LEDGER) for style in ("short", "brief", "report")}
    assert len(texts) == 3
    assert answer_object(ANSWER)["answer"] == ANSWER.text


def test_the_ledger_is_the_last_that_a_run_told():
    happened = [record.event for record in records()]
    first, last = LEDGER[2], replace(LEDGER[2], state="supported")
    events = [*happened[:9], LedgerChanged(1, (first,)), LedgerChanged(1, (last,))]
    told = [replace(record, event=each) for record, each in zip(records(), events, strict=False)]
    assert follow(told).ledger == {"2": last}


@pytest.mark.parametrize(
    ("text", "title", "day"),
    [
        ("Published: 3 May 2024\nText.", None, "2024-05-03"),
        ("Title\n\n**Last updated on** May 3, 2024\nText of 1 June 2020.", None, "2024-05-03"),
        ("date: 2024-05-03T10:15:00Z", None, "2024-05-03"),
        ("Date published - 2024-05-03 10:15", None, "2024-05-03"),
        ("As of 3 May 2024", None, "2024-05-03"),
        ("News\n3 May 2024\nText.", None, "2024-05-03"),
        ("Text.", "Minutes of 3 May 2024", "2024-05-03"),
        ("1\n2\n3\n4\n5\n3 May 2024", None, None),
        ("Ada was born on 3 May 2024.", "Ada", None),
        ("Published on 3 May 2024, the novel was a success.", None, None),
        ("Release date: 3 May 2024", None, None),
        ("Updated: 3 May 2024 and 4 May 2024", None, None),
        ("Published: 2024-13-03", None, None),
        ("Dates", "From 3 May 2024 to 4 May 2024", None),
        ("", None, None),
    ],
)
def test_a_day_is_given_only_where_the_source_states_it_as_its_own(text, title, day):
    assert stated(Source(1, "a", text, "passage", title, None, 1)) == day


def test_a_dated_source_shows_its_day():
    dated = replace(ECUADOR, text="Published: 3 May 2024\n\nEcuador has 18 people")
    text = sections(replace(ANSWER, sources=(dated, PERU)))
    assert "- **[1]** Ecuador, <https://x.example/ec>, 2024-05-03\n" in text


def test_an_unquoted_citation_is_no_evidence():
    bare = Citation(1, "ec.json", None, "", verified=False)
    assert "*No quote was kept.*" in sections(replace(ANSWER, citations=(bare,)))
