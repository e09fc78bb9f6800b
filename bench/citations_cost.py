"""What the citation check of an answer takes, and whether it grows no faster than its sources.

The answer has 20 sentences that cite 20 articles of the sample corpus. The long sources are one
article again and again, once line by line, once as one line, once as sentences that all go on about
the one before. Printed are CPU milliseconds and, for the long sources, how many times as long twice
the text takes: about 2 is linear.

    python bench/citations_cost.py [--sources 20] [--kilobytes 500]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

import widedeep
from widedeep import evidence
from widedeep.evidence import Sources
from widedeep.messages import Found
from widedeep.retrieval import open_index
from widedeep.seams import Hit, Query
from widedeep.text import sentences

CLAIM = "The population of {title} is 47,735,685, and its capital is {title} City [{n}]."


async def articles(most: int) -> list[list[Hit]]:
    """Return the passages of articles of the sample corpus."""
    with tempfile.TemporaryDirectory() as folder:
        index = open_index(["sample"], Path(folder))
        hits = await index.search(Query("population and capital of a country"), 10 * most)
        ids = list(dict.fromkeys(hit.id for hit in hits))[:most]
        return [await index.passages(each) for each in ids]


def answer(met: list[list[Hit]]) -> tuple[str, Sources]:
    """Return two sentences for each article: one with values of its own, one with others."""
    sources = Sources()
    said: list[str] = []
    for n, passages in enumerate(met, start=1):
        for hit in passages:
            sources.meet(Found(hit.id, hit.text, title=hit.title), turn=1)
        title = passages[0].title or ""
        own = next(s for s in sentences(passages[0].text) if len(s) > 60)
        said += [f"{title}: {own.rstrip('.')} [{n}].", CLAIM.format(title=title, n=n)]
    return " ".join(said), sources


def milliseconds(text: str, sources: Sources) -> float:
    """Return the CPU time of a check, the best of three."""
    taken: list[float] = []
    for _ in range(3):
        start = time.process_time()
        evidence.check(text, sources)
        taken.append(time.process_time() - start)
    return 1000 * min(taken)


def long_source(text: str, length: int) -> tuple[str, Sources]:
    sources = Sources()
    repeated = text * (length // len(text) + 1)
    sources.meet(Found("long", repeated[:length], title="Long"), turn=1)
    claims = [CLAIM.format(title="Long", n=1), "In 1962 the Long Party won 74 seats in Oran [1]."]
    return " ".join(claims), sources


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sources", type=int, default=20)
    parser.add_argument("--kilobytes", type=int, default=500)
    options = parser.parse_args()
    print(f"widedeep {widedeep.__version__}")
    met = asyncio.run(articles(options.sources))
    text, sources = answer(met)
    size = sum(len(hit.text) for passages in met for hit in passages)
    print(f"{len(met)} sources of {size // len(met):,} characters each, {2 * len(met)} sentences:")
    print(f"  {milliseconds(text, sources):,.0f} ms")
    page = "\n".join(hit.text for hit in met[0])
    flat = " ".join(page.replace(".", " ").split())
    forms = {
        "lines": page,
        "one line": f"{flat} ",
        "going on": "It had 42 seats in Oran in 1962, as Ann Lee said.\n",
        "abbreviations": "A. Lee, vs. B. Wood, approx. 12 ",
    }
    for name, part in forms.items():
        once, twice = (
            milliseconds(*long_source(part, 1000 * options.kilobytes * times)) for times in (1, 2)
        )
        print(
            f"  {name}: {options.kilobytes} kB {once:,.0f} ms, twice as much {twice / once:.1f} x"
        )


if __name__ == "__main__":
    main()
