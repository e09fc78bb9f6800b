"""Are JSON, Markdown, plain text, lists and pictures of a run what they say they are?"""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree as ET

from tests.report import recorded
from tests.report.recorded import ANSWER

from widedeep.events import RunInterrupted
from widedeep.journal import RunSummary
from widedeep.messages import Citation
from widedeep.report.json import answer_object
from widedeep.report.markdown import document
from widedeep.report.picture import svg
from widedeep.report.plain import answer_text
from widedeep.report.runs import list_object, list_text, run_object
from widedeep.report.timeline import follow


def test_the_json_object_has_exactly_the_keys_of_schema_1():
    made = answer_object(ANSWER)
    assert list(made) == [
        "schema",
        "run_id",
        "question",
        "continues",
        "status",
        "stopped_by",
        "answer",
        "short_answer",
        "citations",
        "sources",
        "turns",
        "calls",
        "width",
        "usage",
        "cost_usd",
        "seconds",
        "model",
        "schedule",
        "notes",
    ]
    assert made["schema"] == 1
    assert made["citations"][0] == {
        "n": 1,
        "source": "ec.json",
        "title": "Ecuador",
        "quote": "Ecuador has 18 people",
        "verified": True,
    }
    assert made["sources"][0] == {
        "n": 1,
        "kind": "passage",
        "id": "ec.json",
        "title": "Ecuador",
        "url": "https://x.example/ec",
        "turn": 1,
        "cited": True,
    }
    assert list(made["calls"]) == [
        "requested",
        "executed",
        "ok",
        "error",
        "timeout",
        "late",
        "duplicate",
        "deferred",
        "refused",
        "cancelled",
        "interrupted",
    ]
    assert made["width"] == [{"turn": 1, "target": 3, "cap": 4, "requested": 4, "executed": 3}]
    assert list(made["usage"]) == ["input", "cached", "cache_write", "output", "reasoning"]
    assert list(made["seconds"]) == ["wall", "critical_path", "serial"]
    assert json.loads(json.dumps(made)) == made


def test_only_cited_sources_are_marked_so():
    answer = replace(ANSWER, citations=ANSWER.citations[:1])
    assert [one["cited"] for one in answer_object(answer)["sources"]] == [True, False]


def test_markdown_has_question_answer_quotes_and_summary():
    text = document(ANSWER)
    assert text.startswith("# How many people live in Ecuador?\n\nEcuador has 18 people [1].")
    assert "**[1]** Ecuador, <https://x.example/ec>\n\n> Ecuador has 18 people" in text
    assert "**[2]** peru.json, `peru.json` — **not verified**" in text
    assert "- calls: 4 requested: 1 ok, 1 error, 1 late, 1 duplicate" in text
    assert text.endswith("\n")


def test_markdown_of_others_titles_is_text():
    evil = Citation(1, "ec.json", "[click](javascript:x) <script>", "a `b`\n# c", verified=True)
    text = document(replace(ANSWER, citations=(evil,), question="# what *is* <b>"))
    assert "<script>" not in text.replace(r"\<script\>", "")
    assert r"\[click\](javascript:x)" in text
    assert "> a \\`b\\`\n> \\# c" in text


def test_documents_without_an_answer_say_why():
    empty = replace(
        ANSWER, text="", short_answer=None, status="no_evidence", stopped_by="nothing_new"
    )
    assert "*No answer: no evidence*" in document(empty)
    assert answer_text(empty).startswith("No answer: the sources hold no evidence for one.")
    failed = replace(empty, status="failed", stopped_by="model_error")
    assert answer_text(failed).startswith("No answer: the model could not be asked.")


def test_short_answer_stands_first_when_the_text_lacks_it():
    assert "**Quito**\n\nEcuador has" in document(replace(ANSWER, short_answer="Quito"))


def test_plain_text_numbers_the_sources_and_marks_the_unverified():
    text = answer_text(ANSWER)
    assert '[1] Ecuador (ec.json)\n    "Ecuador has 18 people"' in text
    assert '[2] peru.json  not verified\n    "Peru has many people"' in text
    assert "serial    5.0 s for the same calls one after another, 2.5 times as long" in text
    assert "serial" not in answer_text(ANSWER, brief=True)


def test_a_list_of_runs():
    runs = [
        RunSummary("b", 1767322800.0, "second\nquestion", "answered", 3, 12, 1.5),
        RunSummary("a-longer", 1767322000.0, "first", None, None, None, None),
    ]
    lines = list_text(runs).splitlines()
    assert lines[0].split() == ["RUN", "WHEN", "STATUS", "TURNS", "CALLS", "QUESTION"]
    assert lines[1].startswith("b         2026-01-0")
    assert lines[1].endswith("answered    3      12     second question")
    assert lines[2].endswith("unfinished  -      -      first")
    narrow = list_text(runs, 75).splitlines()
    assert narrow[1].endswith("second question")
    assert len(list_text([replace(runs[0], question="x" * 99)], 90).splitlines()[1]) == 90
    made = list_object(runs)
    assert made["schema"] == 1
    assert made["runs"][0]["at"] == "2026-01-02T03:00:00Z"


def test_a_run_as_an_object():
    made = run_object(follow(recorded.records()))
    assert made["run_id"] == recorded.RUN
    assert made["answer"]["status"] == "answered"
    turn = made["turns"][0]
    assert (turn["hint"], turn["target"], turn["cap"]) == ("Make 3 calls now.", 3, 4)
    assert [one["outcome"] for one in turn["calls"]] == ["ok", "error", "duplicate", "late"]
    assert turn["calls"][3]["late_outcome"] == "ok"
    assert turn["calls"][0]["sources"] == [1, 2]
    assert json.loads(json.dumps(made)) == made


def test_an_unfinished_run_as_an_object():
    timeline = follow(recorded.records()[:6])
    timeline.take(RunInterrupted("user"), 9.0)
    made = run_object(timeline)
    assert (made["status"], made["answer"], made["interrupted"]) == (None, None, "user")
    assert run_object(follow([]))["run_id"] is None


def test_a_picture_is_svg_that_loads_nothing():
    picture = svg(follow(recorded.records()))
    root = ET.fromstring(picture)
    assert root.tag.endswith("svg")
    text = "".join(root.itertext()).replace("\N{NO-BREAK SPACE}", " ")
    assert "How many people live in Ecuador?" in text
    assert "people of Peru" in text
    assert "not verified" in text
    assert "url(http" not in picture
    assert "@font-face" not in picture
    assert svg(follow(recorded.records())) == picture
