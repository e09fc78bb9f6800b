"""What does `widedeep search` do?"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from widedeep.cli.options import ConfigOption, JsonFlag, QuietFlag, StoreOption
from widedeep.errors import UsageError

if TYPE_CHECKING:
    from widedeep.seams import Hit

Where = Annotated[str, Parameter(help="An index, a corpus, or `sample`.")]
Words = Annotated[str, Parameter(help="What is looked for.")]
Most = Annotated[str, Parameter(name="-k", metavar="N", help="Passages shown at most.")]


def search(
    index: Where,
    query: Words,
    /,
    *,
    k: Most = "5",
    json: JsonFlag = False,
    quiet: QuietFlag = False,
    store: StoreOption = None,
    config: ConfigOption = None,
) -> int:
    """Show the passages of an index or a corpus that match a query, best first."""
    from widedeep.cli import wiring
    from widedeep.cli.output import write, write_json
    from widedeep.cli.progress import indexing, warn_of_skipped
    from widedeep.seams import Query

    most = _count(k)
    if not query.strip():
        raise UsageError(f"the query is empty: {query!r}; pass what to look for")
    [where] = wiring.existing((index,), "INDEX")
    folder = wiring.ready_store(wiring.read_settings(config, store))
    with indexing(quiet=quiet) as progress:
        opened = wiring.open_corpus((where,), folder, progress)
    warn_of_skipped(opened, quiet=quiet)
    hits = asyncio.run(opened.search(Query(query), most))
    if json:
        write_json({"schema": 1, "query": query, "hits": [_object(hit) for hit in hits]})
    else:
        write(
            "\n\n".join(_text(place, hit) for place, hit in enumerate(hits, 1)) or "nothing found"
        )
    return 0


def _count(k: str) -> int:
    if not k.isdecimal() or int(k) < 1:
        raise UsageError(f"-k {k!r}: must be a whole number, 1 or more, such as -k 5")
    return int(k)


def _object(hit: Hit) -> dict[str, Any]:
    return {
        "id": hit.id,
        "title": hit.title,
        "url": hit.url,
        "passage": hit.passage,
        "score": hit.score,
        "text": hit.text,
    }


def _text(place: int, hit: Hit) -> str:
    from widedeep.report.inert import inert, one_line

    title, id = one_line(hit.title or ""), one_line(hit.id)
    name = id if not title or title == id else f"{title} ({id})"
    body = inert(hit.text).strip().replace("\n", "\n   ")
    return f"{place}. {name}, passage {hit.passage}, score {hit.score:.2f}\n   {body}"
