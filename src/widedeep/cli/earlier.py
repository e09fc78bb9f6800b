"""How do the sources of an earlier run become a corpus: `--corpus run:ID`?"""

from __future__ import annotations

import json
from pathlib import Path

from widedeep.cli.output import write_file
from widedeep.errors import JournalError, UsageError
from widedeep.events import Continued, Record, SourcesMet

PREFIX = "run:"
FOLDER = "run-corpora"
"""The folder of a store in which such corpora stand."""


def corpus_of(named: str, store: str | None, config: str | None, folder: Path) -> str:
    """Write the sources that a run met into a file of the store and return its path.

    Args:
        named: `run:` and a run's id, how it begins, or `last`.
        store: the store that is asked for.
        config: the settings file that is asked for.
        folder: the store's folder.

    Raises:
        UsageError: there is no such run, or it met no source.
    """
    from widedeep.cli.runs import recorded

    records = recorded(store, config, named.removeprefix(PREFIX))
    rows = _rows(records)
    if not rows:
        raise UsageError(f"--corpus {named!r}: that run met no source; see `widedeep runs list`")
    file = folder / FOLDER / f"{records[0].run_id}.jsonl"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_file(file, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    except OSError as error:
        raise UsageError(f"--corpus {named!r}: cannot be written to the store ({error})") from None
    return str(file)


def _rows(records: list[Record]) -> list[dict[str, str]]:
    """Return each source once, with all of its text that was read."""
    texts: dict[str, list[str]] = {}
    titles: dict[str, str] = {}
    try:
        for record in records:
            if isinstance(record.event, SourcesMet | Continued):
                for source in record.event.sources:
                    titles.setdefault(source.id, source.title or "")
                    texts.setdefault(source.id, []).append(source.text)
    except JournalError as error:
        raise UsageError(str(error)) from None
    return [
        {"_id": name, "title": titles[name], "text": "\n\n".join(dict.fromkeys(read))}
        for name, read in texts.items()
    ]
