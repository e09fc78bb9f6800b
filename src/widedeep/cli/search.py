"""What does `widedeep search` do?"""

from __future__ import annotations

import asyncio
import sys
from typing import Annotated

from cyclopts import Parameter

from widedeep.cli.given import whole, words
from widedeep.cli.options import ConfigOption, JsonFlag, QuietFlag, StoreOption

MOST = 1000

Where = Annotated[str, Parameter(help="An index, a corpus, or `sample`.")]
Words = Annotated[str, Parameter(help="What is looked for.")]
Count = Annotated[str, Parameter(name="-k", metavar="N", help="Passages shown at most.")]


def search(
    index: Where,
    query: Words,
    /,
    *,
    k: Count = "5",
    json: JsonFlag = False,
    quiet: QuietFlag = False,
    store: StoreOption = None,
    config: ConfigOption = None,
) -> int:
    """Show the passages of an index or a corpus that match a query, best first."""
    from widedeep.cli import wiring
    from widedeep.cli.output import terminal, write, write_json
    from widedeep.cli.progress import indexing, warn
    from widedeep.report.hits import hits_block, hits_object, hits_text
    from widedeep.seams import Query

    most = whole("-k", k, 1, MOST)
    query = words(query, "query", "pass what to look for")
    [where] = wiring.existing((index,), "INDEX")
    folder = wiring.ready_store(wiring.read_settings(config, store))
    with indexing(quiet=quiet) as progress:
        opened = wiring.open_corpus((where,), folder, progress)
    warn(opened, quiet=quiet)
    hits = asyncio.run(opened.search(Query(query), most))
    if json:
        write_json(hits_object(query, hits))
    elif console := terminal(sys.stdout):
        console.print(hits_block(hits))
    else:
        write(hits_text(hits))
    return 0
