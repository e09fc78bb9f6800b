"""How many planted errors the citation check flags, and how many right answers it flags too.

The first table has answers written from facts of `widedeep synth`, 50 of each kind: a wrong number
or name taken from the same source; a right answer citing a wrong source of the right type; right
ones in other words (rounded, another form of a date, two sources in a sentence); and right ones as
they are. The second has 240 real sentences that cite their own document, most of them reworded, and
240 with one value swapped for another of its type of the same document.

    python bench/citations.py [--seed 1] [--show]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import citations_prose

import widedeep
from widedeep import evidence
from widedeep.evidence import Sources
from widedeep.messages import Found
from widedeep.retrieval import Index, open_index
from widedeep.text import dates, names, numbers, sentences

DATA = Path(os.environ.get("WIDEDEEP_DATA") or Path(__file__).parents[2] / "shared" / "data")
KINDS = ("wrong value", "wrong source", "other words", "as it is")
SEVERAL = ("release", "publication")
"""What may be true of several years: a sentence that tells of it holds no wrong one."""

OUT = re.compile(r"releas|publish|premier", re.IGNORECASE)
PHRASE = re.compile(r"[A-ZÀ-Þ][\w'’-]+(?: (?:[A-ZÀ-Þ]\. ?)*[A-ZÀ-Þ][\w'’-]+)*")


@dataclass(frozen=True)
class Fact:
    subject: str
    relation: str
    value: str
    id: str


@dataclass(frozen=True)
class Planted:
    kind: str
    text: str
    cited: tuple[str, ...]


def facts(corpus: str, folder: Path, seed: int) -> list[Fact]:
    """Return the facts that one-fact questions of `synth` were made from."""
    command = [
        str(Path(sys.executable).with_name("widedeep")),
        "synth",
        corpus,
        "--out",
        str(folder),
    ]
    command += ["--n", "600", "--kinds", "one", "--seed", str(seed)]
    subprocess.run(command, check=True, capture_output=True)
    rows = (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    made = [json.loads(row)["metadata"]["made_from"][0] for row in rows]
    return [Fact(m["subject"], m["relation"], m["value"], m["id"]) for m in made]


def stated(fact: Fact, value: str | None = None) -> str:
    relation = fact.relation.replace("year", "").strip() or fact.relation
    return f"The {relation} of {fact.subject} is {value or fact.value}"


def wrong_value(fact: Fact, text: str, drawn: random.Random) -> str | None:
    """Return another number or name of the same source, or None when it has none."""
    if numbers(fact.value):
        if fact.relation.startswith(SEVERAL):
            text = " ".join(s for s in sentences(text) if not OUT.search(s))
        others = [
            number
            for number in re.findall(r"\d[\d,]*(?:\.\d+)?", text)
            if len(number) > 1 and not numbers(number) & numbers(fact.value)
        ]
    else:
        taken = names(f"x {fact.value} {fact.subject}")
        found = [re.sub(r"['’]s$", "", name) for name in PHRASE.findall(text)]
        others = [name for name in found if not names(f"x {name}") & taken]
        others = [name for name in others if len(name) > 3 and f". {name}" not in text]
    return drawn.choice(others) if others else None


def other_words(fact: Fact) -> str | None:
    """Return the value rounded, or its date in another form, or None when it has neither."""
    for year, month, day in sorted(dates(fact.value)):
        return f"{year}-{month:02}-{day:02}"
    plain = next(iter(numbers(fact.value)), "")
    if plain.isdigit() and int(plain) > 100_000:
        millions = int(plain) / 1_000_000
        unit = re.sub(r"^[^\w]*[\d,.]+\s*(?:[mb]illion|trillion)?\s*", "", fact.value.split("(")[0])
        return f"about {millions:.1f} million {unit}".strip() if millions >= 1 else None
    return None


def planted(pool: list[Fact], texts: dict[str, str], seed: int, each: int) -> list[Planted]:
    """Return `each` answers of every kind."""
    drawn = random.Random(seed)
    order = drawn.sample(pool, len(pool))
    made: list[Planted] = []
    for fact in order:
        wrong = wrong_value(fact, texts[fact.id], drawn)
        if wrong and count(made, "wrong value") < each:
            made.append(Planted("wrong value", f"{stated(fact, wrong)} [1].", (fact.id,)))
    for fact in order:
        same = next((f for f in order if f.relation == fact.relation and f.id != fact.id), None)
        if same and same.value != fact.value and count(made, "wrong source") < each:
            made.append(Planted("wrong source", f"{stated(fact)} [1].", (same.id,)))
        said = other_words(fact)
        if said and count(made, "other words") < each - each // 3:
            made.append(Planted("other words", f"{stated(fact, said)} [1].", (fact.id,)))
    for fact, other in zip(order[::2], order[1::2], strict=False):
        if count(made, "other words") < each:
            both = f"{stated(fact)}, and the {other.relation} of {other.subject} is {other.value}"
            made.append(Planted("other words", f"{both} [1][2].", (fact.id, other.id)))
    made += [Planted("as it is", f"{stated(fact)} [1].", (fact.id,)) for fact in order[-each:]]
    return made


def count(made: list[Planted], kind: str) -> int:
    return sum(one.kind == kind for one in made)


async def whole_texts(index: Index, ids: set[str]) -> dict[str, list[Found]]:
    """Return the passages of each document as they are met."""
    met: dict[str, list[Found]] = {}
    for each in ids:
        met[each] = [Found(hit.id, hit.text, title=hit.title) for hit in await index.passages(each)]
    return met


def flagged(one: Planted, met: dict[str, list[Found]]) -> bool:
    """Say whether the check leaves any citation of the answer unverified."""
    sources = Sources()
    for at in one.cited:
        for found in met[at]:
            sources.meet(found, turn=1)
    citations, _ = evidence.check(one.text, sources)
    return not citations or not all(citation.verified for citation in citations)


def answers(seed: int, folder: Path, *, show: bool) -> None:
    """Print the table of answers written from facts."""
    total: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    for corpus in ("sample", str(DATA / "2wikimultihopqa" / "corpus.jsonl.gz")):
        pool = facts(corpus, folder / str(len(corpus)), seed)
        index = open_index([corpus], folder / "store")
        met = asyncio.run(whole_texts(index, {fact.id for fact in pool}))
        texts = {at: "\n".join(found.text for found in met[at]) for at in met}
        for one in planted(pool, texts, seed, 25):
            caught = flagged(one, met)
            total[one.kind] += 1
            hits[one.kind] += caught
            if show and caught != one.kind.startswith("wrong"):
                print(f"{one.kind}: {one.text} {one.cited}")
    for kind in KINDS:
        print(f"{kind}: {hits[kind]} of {total[kind]} flagged")
    wrong = [kind for kind in KINDS if kind.startswith("wrong")]
    right = [kind for kind in KINDS if kind not in wrong]
    for name, kinds in (("planted errors", wrong), ("right answers", right)):
        share = sum(hits[k] for k in kinds) / max(1, sum(total[k] for k in kinds))
        print(f"{name} flagged: {share:.1%}")


def prose(seed: int, *, show: bool) -> None:
    """Print the table of real sentences."""
    right, wrong = citations_prose.sample(DATA, seed, 40)
    for name, made in (("right sentences", right), ("swapped values", wrong)):
        hits: Counter[str] = Counter()
        for one in made:
            found = Found(one.document.id, one.document.text, title=one.document.title)
            planted = Planted(one.kind, f"{one.text} [1].", (found.id,))
            caught = flagged(planted, {found.id: [found]})
            hits[one.kind] += caught
            if show and caught != (made is wrong):
                print(f"{name}, {one.kind}: {one.text} ({found.id})")
        kinds = ", ".join(f"{kind} {hits[kind]}" for kind in citations_prose.KINDS)
        print(f"{name} flagged: {hits.total() / len(made):.1%} of {len(made)} ({kinds})")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print what was judged wrongly")
    options = parser.parse_args()
    print(f"widedeep {widedeep.__version__}, seed {options.seed}")
    with tempfile.TemporaryDirectory() as folder:
        answers(options.seed, Path(folder), show=options.show)
    prose(options.seed, show=options.show)


if __name__ == "__main__":
    main()
