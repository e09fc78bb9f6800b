"""What the model is sent, word for word."""

import json
from pathlib import Path

import pytest

from tests.fakes import clock
from tests.fakes.runs import Budget, MemoryJournal, Scripted, research
from tests.fakes.tools import look
from widedeep import Agent, UsageError
from widedeep.agent.replay import replay
from widedeep.messages import Assistant, Results, System
from widedeep.prompts import fill
from widedeep.seams import ModelInfo

SNAPSHOT = Path(__file__).parent / "snapshots" / "prompts.txt"


def said(message):
    match message:
        case Assistant(text, calls):
            made = (f"\n  {c.id} {c.tool} {json.dumps(c.arguments)}" for c in calls)
            return f"[assistant] {text}" + "".join(made)
        case Results(results):
            return "[results]" + "".join(f"\n  {r.call.id} {r.text}" for r in results)
        case System(text):
            return f"[system] {text}"
        case _:
            return f"[user] {message.text}"


def test_a_whole_conversation_reads_as_reviewed():
    calls = [[("look", {"query": q, "seconds": s})] for q, s in (("a", 7), ("b", 4))]
    model = Scripted([calls[0], "", calls[1], "a has 42 inhabitants [1]."])
    answer, _ = research(
        model, [look], turn_deadline=5, budget=Budget(turns=3, calls=9), schedule="descending"
    )
    parts = [said(message) for message in model.requests[-1].history]
    parts += [f"[tail {n}] {request.tail}" for n, request in enumerate(model.requests, start=1)]
    parts += [f"[style {name}] {fill(f'style_{name}')}" for name in ("short", "brief", "report")]
    parts.append(f"[further question] {fill('follow_up', date='2026-01-01')}")
    text = "\n\n".join(parts) + "\n"
    mark = next(
        m for m in model.requests[-1].history if isinstance(m, Results) and m.results[0].sources
    )
    delimiter = mark.results[0].text.splitlines()[0].removeprefix("<<")
    text = text.replace(delimiter, "result-00000000").replace(
        f"Today is {answer.run_id[:4]}", "Today is 2026"
    )
    day = f"{answer.run_id[4:6]}-{answer.run_id[6:8]}"
    text = text.replace(f"2026-{day}", "2026-01-01")
    if not SNAPSHOT.exists():
        SNAPSHOT.parent.mkdir(exist_ok=True)
        SNAPSHOT.write_text(text)
    assert text == SNAPSHOT.read_text(encoding="utf-8"), f"reviewed? then delete {SNAPSHOT.name}"


@pytest.mark.parametrize("style", ["short", "brief", "report"])
def test_a_language_model_is_told_how_much_to_tell(style):
    plain, styled = Scripted(["Done."]), Scripted(["Done."])
    research(plain, [look])
    research(styled, [look], style=style)
    told = styled.requests[0].history[0].text.removeprefix(plain.requests[0].history[0].text)
    assert told.strip() == fill(f"style_{style}")
    ruled = Scripted(["Done."])
    ruled.info = ModelInfo("rules", keeps_ledger=True)
    research(ruled, [look], style=style)
    assert ruled.requests[0].history[0].text == plain.requests[0].history[0].text


def test_a_follow_up_is_told_its_own_style_and_replays():
    journal = MemoryJournal()
    model = Scripted(["First.", "Second."])
    agent = {
        style: Agent(model, [look], journal=journal, style=style) for style in ("short", "report")
    }
    first = clock.run(agent["short"].run("How many?"))
    second = clock.run(agent["report"].run("And in b?", continues=first.run_id))
    said = [message.text for message in model.requests[1].history if message.role == "user"]
    assert said[1].endswith(fill("style_report"))
    assert all(replay(journal.read(answer.run_id)).same for answer in (first, second))


def test_a_style_that_is_none_is_named():
    with pytest.raises(UsageError, match="the style is 'long'"):
        Agent(Scripted([]), [look], style="long")


def test_a_language_model_is_told_the_language_of_the_answer():
    plain, spoken = Scripted(["Done."]), Scripted(["Fertig."])
    research(plain, [look])
    research(spoken, [look], language="German")
    told = spoken.requests[0].history[0].text.removeprefix(plain.requests[0].history[0].text)
    assert told.strip() == fill("language", language="German")
