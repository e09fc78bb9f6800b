"""What is the machine-readable object of an answer (`ask --json`, `run.json`)?"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from widedeep.messages import Answer

SCHEMA = 1


def answer_object(answer: Answer) -> dict[str, Any]:
    """Return the answer as one JSON object of schema 1 (docs/cli.md).

    `citations.source` is the `id` of source `n`; `cited` tells which sources the answer cites.
    """
    cited = {citation.n for citation in answer.citations}
    return {
        "schema": SCHEMA,
        "run_id": answer.run_id,
        "question": answer.question,
        "continues": answer.continues,
        "status": answer.status,
        "stopped_by": answer.stopped_by,
        "answer": answer.text,
        "short_answer": answer.short_answer,
        "citations": [asdict(citation) for citation in answer.citations],
        "sources": [
            {
                "n": source.n,
                "kind": source.kind,
                "id": source.id,
                "title": source.title,
                "url": source.url,
                "turn": source.turn,
                "cited": source.n in cited,
            }
            for source in answer.sources
        ],
        "turns": answer.turns,
        "calls": asdict(answer.calls),
        "width": [asdict(used) for used in answer.width],
        "usage": asdict(answer.usage),
        "cost_usd": answer.cost_usd,
        "seconds": {
            "wall": answer.seconds.wall,
            "critical_path": answer.seconds.critical_path,
            "serial": answer.seconds.serial,
        },
        "model": answer.model,
        "schedule": answer.schedule,
        "notes": list(answer.notes),
    }
