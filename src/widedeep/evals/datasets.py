"""Which questions does a folder or a file hold?

A BEIR folder (https://github.com/beir-cellar/beir) has `corpus.jsonl`, `queries.jsonl` and
`qrels.tsv` or `qrels/test.tsv`, each also gzipped; answers stand in `metadata.answers`. A file of
JSON Lines has a question a line: `question` or `text`, and `answers` or `answer`.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from widedeep.errors import TaskError
from widedeep.evals.tasks import Sample, Task

_GZIP = b"\x1f\x8b"
_QRELS = ("qrels.tsv", "qrels/test.tsv", "qrels/dev.tsv")
_FORMS = (
    "a folder with queries.jsonl (and corpus.jsonl, qrels.tsv), or a .jsonl file with "
    "`question` and `answers` in each line"
)


def load(path: Path) -> Task:
    """Return the task that a BEIR folder or a JSON Lines file holds.

    Raises:
        TaskError: there are no questions, or a line cannot be read; the message names it.
    """
    if not path.exists():
        raise TaskError(f"no questions at {str(path)!r}: give {_FORMS}")
    samples = tuple(_folder(path) if path.is_dir() else _file(path))
    if not samples:
        raise TaskError(f"{str(path)!r} holds no questions: give {_FORMS}")
    _check_ids(path, samples)
    corpus = _there(path, "corpus.jsonl") if path.is_dir() else None
    return Task(_name(path.resolve()), samples, corpus, fingerprint(samples))


def take(task: Task, limit: int | None, seed: int) -> Task:
    """Return the task with `limit` of its samples, drawn by `seed`; a larger limit adds to them."""
    if limit is None or limit >= len(task.samples):
        return task
    drawn = random.Random(seed).sample(task.samples, len(task.samples))[:limit]
    chosen = {sample.id for sample in drawn}
    return replace(task, samples=tuple(s for s in task.samples if s.id in chosen))


def fingerprint(samples: Iterable[Sample]) -> str:
    """Return a hash of the samples, in 16 characters."""
    return hashlib.sha256("\n".join(map(repr, samples)).encode()).hexdigest()[:16]


def _name(path: Path) -> str:
    own = path.name.removesuffix(".gz").removesuffix(".jsonl")
    return path.parent.name if own in {"queries", "questions"} else own


def _folder(path: Path) -> Iterator[Sample]:
    queries = _there(path, "queries.jsonl")
    if queries is None:
        raise TaskError(f"{str(path)!r} has no queries.jsonl: give {_FORMS}")
    judged = next((found for name in _QRELS if (found := _there(path, name))), None)
    gold = _gold(judged) if judged else {}
    some = judged is not None and judged.parent != path  # of a split, others are not asked
    for sample in _file(queries):
        if sample.id in gold or not some:
            yield replace(sample, gold=tuple(gold.get(sample.id, ())))


def _there(folder: Path, name: str) -> Path | None:
    both = (folder / name, folder / f"{name}.gz")
    return next((path for path in both if path.is_file()), None)


def _file(path: Path) -> Iterator[Sample]:
    for number, line in _lines(path):
        place = f"{path.name}, line {number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            raise TaskError(f"{place}: not JSON: {line[:60]!r}; give {_FORMS}") from None
        if not isinstance(row, dict):
            raise TaskError(f"{place}: not an object: {line[:60]!r}; give {_FORMS}")
        yield _sample(cast("dict[str, Any]", row), number, place)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if data.startswith(_GZIP) else data).decode("utf-8-sig")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise TaskError(f"{str(path)!r}: cannot be read ({reason}); give {_FORMS}") from None
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line.strip()


def _sample(row: Mapping[str, Any], number: int, place: str) -> Sample:
    metadata = row.get("metadata")
    more = cast("dict[str, Any]", metadata) if isinstance(metadata, dict) else {}
    question = next((row[key] for key in ("question", "text", "query") if row.get(key)), None)
    if not isinstance(question, str) or not question.strip():
        raise TaskError(f"{place}: no question in {sorted(row)!r}; give it as `question` or `text`")
    every = {**more, **{key: value for key, value in row.items() if key != "metadata"}}
    id = next((row[key] for key in ("_id", "id", "qid") if row.get(key) is not None), number)
    kind = every.get("type")
    return Sample(
        id=str(id),
        question=" ".join(question.split()),
        answers=_answers(every),
        gold=tuple(map(str, _list(every.get("gold")))),
        kind=str(kind) if kind is not None else None,
        answerable=every.get("answerable") is not False,
        removed=tuple(map(str, _list(every.get("removed")))),
    )


def _answers(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what is right: each of `answers`, or the one `answer`, and each alias."""
    given = _list(row.get("answers"))
    if not given and (answer := row.get("answer")) is not None:
        given = [answer]
    texts = [_text(one) for one in [*given, *_list(row.get("answer_aliases"))]]
    return tuple(dict.fromkeys(text for text in texts if text))


def _list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else [] if value is None else [value]


def _text(value: Any) -> str:
    """Return an answer as text; one of several parts has all of them."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_text, cast("list[Any]", value)))
    if isinstance(value, dict):
        parts = cast("dict[str, Any]", value).items()
        return ", ".join(f"{key}: {_text(part)}" for key, part in parts)
    return str(value).strip()


def _gold(path: Path) -> dict[str, list[str]]:
    """Return the relevant documents of each question: BEIR's three columns, or TREC's four."""
    gold: dict[str, list[str]] = {}
    for number, line in _lines(path):
        row = line.split("\t") if "\t" in line else line.split()
        if len(row) == 4:
            row = [row[0], *row[2:]]
        try:
            query, document, score = row[0], row[1], float(row[2])
        except (IndexError, ValueError):
            if number == 1:
                continue  # the header
            fix = "give question id, document id and score, with tabs between"
            raise TaskError(f"{path.name}, line {number}: {line[:60]!r} cannot be; {fix}") from None
        if score > 0 and document not in gold.setdefault(query, []):
            gold[query].append(document)
    return gold


def _check_ids(path: Path, samples: Iterable[Sample]) -> None:
    seen: set[str] = set()
    for sample in samples:
        if sample.id in seen:
            raise TaskError(f"{str(path)!r}: two questions have the id {sample.id!r}: change one")
        seen.add(sample.id)
