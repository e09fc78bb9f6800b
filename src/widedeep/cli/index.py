"""What does `widedeep index` do?"""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from widedeep.cli.options import JsonFlag, QuietFlag
from widedeep.errors import UsageError

Corpus = Annotated[str, Parameter(help="A file or folder; `sample` is the packaged factbook.")]
Out = Annotated[str | None, Parameter(metavar="DIR", help="Where the index is written.")]


def index(
    path: Corpus, /, *, out: Out = None, json: JsonFlag = False, quiet: QuietFlag = False
) -> int:
    """Build an index of a corpus in a directory of its own, for `search` and `--corpus`."""
    from widedeep.cli import wiring
    from widedeep.cli.output import write, write_json
    from widedeep.cli.progress import indexing, warn
    from widedeep.retrieval import write_index

    if out is None:
        raise UsageError("--out is missing: name the directory that the index is written to")
    target = wiring.place(out, "--out")
    [source] = wiring.existing((path,), "PATH")
    with indexing(quiet=quiet) as progress:
        made = write_index(source, target, progress)
    warn(made, quiet=quiet)
    if json:
        write_json(
            {
                "schema": 1,
                "index": str(target),
                "documents": made.documents,
                "passages": made.size,
                "renamed": made.renamed,
                "skipped": [
                    {"path": each.path, "reason": each.reason, "count": each.count}
                    for each in made.skipped
                ],
            }
        )
    else:
        renamed = f", {made.renamed:,} renamed (their ids were taken)" if made.renamed else ""
        write(f"{target}: {made.documents:,} documents, {made.size:,} passages{renamed}")
    return 0
