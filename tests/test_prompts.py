"""What the model is sent, word for word."""

import json
from pathlib import Path

from tests.fakes.runs import Budget, Scripted, research
from tests.fakes.tools import look
from widedeep.messages import Assistant, Results, System

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
