"""How are made questions written down, and what is said of how they were made?"""

from __future__ import annotations

import json
import platform
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from widedeep import __version__
from widedeep.errors import TaskError
from widedeep.evals.synth.making import Set
from widedeep.evals.synth.types import Question
from widedeep.retrieval import Index

REPORT = "report.json"
_FAMILY = re.compile(r": | > ")


def report(made: Set, index: Index, corpus: str, wanted: int, seed: int) -> dict[str, Any]:
    """Return what was kept and what was dropped, by kind and filter, as one JSON object."""
    return {
        "schema": 1,
        "widedeep_synth": __version__,
        "python": platform.python_version(),
        "corpus": corpus,
        "fingerprint": index.fingerprint,
        "documents": index.documents,
        "passages": index.size,
        "documents_left_out": made.left_out,
        "labels_left_out": made.odd_labels,
        "seed": seed,
        "wanted": wanted,
        "kept": len(made.questions),
        "kinds": {
            kind: {
                "candidates": tally.candidates,
                "tried": tally.tried,
                "kept": tally.kept,
                "dropped": dict(tally.dropped.most_common()),
                "families": _families(q for q in made.questions if q.kind == kind),
            }
            for kind, tally in made.tallies.items()
        },
        "facts": dict(made.facts.most_common()),
    }


def write(made: Set, told: Mapping[str, Any], out: Path) -> None:
    """Write `queries.jsonl`, `qrels.tsv`, `corpus.json` (a pointer), `report.json`, `report.md`.

    Args:
        made: the questions.
        told: what `report` returned for them.
        out: a folder; what an earlier `write` left there is replaced.

    Raises:
        TaskError: the folder holds something else, or cannot be written to.
    """
    try:
        if out.exists() and not (out / REPORT).exists() and any(out.iterdir()):
            raise TaskError(f"{str(out)!r} is there and holds something else: give a new folder")
        out.mkdir(parents=True, exist_ok=True)
        named = list(_named(made.questions))
        pointer = {key: told[key] for key in ("corpus", "fingerprint", "documents", "passages")}
        _put(out / "queries.jsonl", "".join(_line(row) for row in map(_row, named)))
        _put(out / "qrels.tsv", _qrels(named))
        _put(out / "corpus.json", _pretty(pointer))
        _put(out / REPORT, _pretty(told))
        _put(out / "report.md", markdown(told))
    except OSError as error:
        raise TaskError(
            f"questions cannot be written to {str(out)!r} ({error.strerror or error}): "
            "give another folder"
        ) from None


def markdown(told: Mapping[str, Any]) -> str:
    """Return a report as Markdown."""
    lines = [
        f"# {told['kept']:,} questions from {told['corpus']}",
        "",
        _circumstances(told),
        "",
        "| kind | candidates | tried | kept |",
        "|---|---|---|---|",
    ]
    for kind, tally in told["kinds"].items():
        counts = (tally["candidates"], tally["tried"], tally["kept"])
        lines.append(f"| {kind} | {' | '.join(f'{count:,}' for count in counts)} |")
    lines += ["", "| kind | dropped because | count |", "|---|---|---|"]
    for kind, tally in told["kinds"].items():
        lines += [f"| {kind} | {why} | {count:,} |" for why, count in tally["dropped"].items()]
    lines += ["", "| kind | family | kept |", "|---|---|---|"]
    for kind, tally in told["kinds"].items():
        lines += [f"| {kind} | {name} | {count:,} |" for name, count in tally["families"].items()]
    return "\n".join(lines) + "\n"


def _circumstances(told: Mapping[str, Any]) -> str:
    return (
        f"widedeep {told['widedeep_synth']}, Python {told['python']}, seed {told['seed']}, "
        f"{told['wanted']:,} wanted. Corpus: {told['documents']:,} documents, "
        f"{told['passages']:,} passages, fingerprint `{told['fingerprint'][:16]}`. Labels that "
        f"do not read as English and are left out: {told['labels_left_out']:,}."
    )


def _families(questions: Iterable[Question]) -> dict[str, int]:
    counts = Counter(_FAMILY.split(question.shape, maxsplit=1)[0] for question in questions)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _named(questions: Iterable[Question]) -> Iterator[tuple[str, Question]]:
    return ((f"synth-{number:05}", each) for number, each in enumerate(questions, 1))


def _row(named: tuple[str, Question]) -> dict[str, Any]:
    id, question = named
    stated = [fact for fact in question.facts if fact.quote]
    metadata: dict[str, Any] = {
        "answers": list(question.answers),
        "type": question.kind,
        "answerable": question.kind != "unanswerable",
        "form": question.form,
        "hops": question.hops,
        "gold": [] if question.kind == "unanswerable" else list(question.gold),
        "evidence": [
            {"id": fact.entry, "passage": fact.passage, "quote": fact.quote} for fact in stated
        ],
        "made_from": [
            {
                "id": fact.entry,
                "subject": fact.subject,
                "relation": fact.relation.name,
                "value": fact.value.text or None,
            }
            for fact in question.facts
        ],
        "shape": question.shape,
        "removed": list(question.removed),
    }
    if question.cells:
        metadata["cells"] = dict(question.cells)
    return {"_id": id, "text": question.text, "metadata": metadata}


def _qrels(named: Iterable[tuple[str, Question]]) -> str:
    rows = ["query-id\tcorpus-id\tscore"]
    for id, question in named:
        if question.kind != "unanswerable":
            rows += [f"{id}\t{document}\t1" for document in question.gold]
    return "\n".join(rows) + "\n"


def _line(row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def _pretty(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _put(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", errors="backslashreplace")
