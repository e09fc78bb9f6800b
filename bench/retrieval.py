"""How well and how fast is a corpus searched?

Prints nDCG@10 for BEIR's scifact and nfcorpus and MAP for CACM over the data folder, then building
and query times over passages put together from their sentences, with versions and machine:

    python bench/retrieval.py            # quality
    python bench/retrieval.py --speed    # 200,000 passages of 110 words as well
"""

import gzip
import json
import math
import os
import platform
import random
import resource
import sys
import tempfile
import time
from collections import defaultdict
from importlib.metadata import version
from pathlib import Path

import memory

import widedeep
from widedeep.retrieval import open_index

DATA = Path(os.environ.get("WIDEDEEP_DATA") or Path(__file__).parents[2] / "shared" / "data")
SETS = {"beir_scifact": "nDCG@10", "beir_nfcorpus": "nDCG@10", "cacm": "MAP"}
DEPTH = {"nDCG@10": 10, "MAP": 1000}
PASSAGES = 200_000
QUERIES = 300


def main() -> None:
    print(f"widedeep {widedeep.__version__}, tantivy {version('tantivy')}")
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} CPUs")
    with tempfile.TemporaryDirectory() as store:
        for name, measure in SETS.items():
            if (DATA / name).is_dir():
                print(f"{name:14} {measure:8} {quality(DATA / name, measure, Path(store)):.4f}")
            else:
                print(f"{name:14} not in the data folder")
        if "--speed" in sys.argv:
            speed(Path(store))


def quality(folder: Path, measure: str, store: Path) -> float:
    """Return the mean of a measure over the queries that have judgements."""
    lexical = open_index([folder / "corpus.jsonl.gz"], store).parts[0].lexical
    judged: dict[str, dict[str, int]] = defaultdict(dict)
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, document, grade = line.split("\t")
        judged[query][document] = int(grade)
    scores: list[float] = []
    for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if any(grade > 0 for grade in judged[row["_id"]].values()):
            hits = lexical.search(row["text"], DEPTH[measure] + 50)
            ranked = list(dict.fromkeys(hit.id for hit in hits))[: DEPTH[measure]]
            score = ndcg if measure == "nDCG@10" else average_precision
            scores.append(score(ranked, judged[row["_id"]]))
    return sum(scores) / len(scores)


def ndcg(ranked: list[str], grades: dict[str, int]) -> float:
    """Return nDCG@10 with linear gains, as trec_eval computes it."""
    gains = [grades.get(document, 0) for document in ranked[:10]]
    best = sorted(grades.values(), reverse=True)[:10]
    return discounted(gains) / discounted(best)


def discounted(gains: list[int]) -> float:
    return sum(gain / math.log2(place + 2) for place, gain in enumerate(gains))


def average_precision(ranked: list[str], grades: dict[str, int]) -> float:
    found = 0
    total = 0.0
    for place, document in enumerate(ranked, 1):
        if grades.get(document, 0) > 0:
            found += 1
            total += found / place
    return total / sum(grade > 0 for grade in grades.values())


def speed(store: Path) -> None:
    """Print what building an index and asking it takes, in CPU time."""
    chance = random.Random(5)
    words = natural_words()
    corpus = store / "generated.jsonl"
    with corpus.open("w", encoding="utf-8") as stream:
        for number in range(PASSAGES):
            text = " ".join(" ".join(window(chance, words, 22)) for _ in range(5))
            row = {"_id": str(number), "title": " ".join(window(chance, words, 3)), "text": text}
            stream.write(json.dumps(row) + "\n")
    before = cpu()
    index = open_index([corpus], store)
    print(f"build   {cpu() - before:6.1f} CPU s for {index.size:,} passages, {size(store):.0f} MB")
    before = cpu()
    lexical = open_index([corpus], store).parts[0].lexical
    print(f"open    {(cpu() - before) * 1000:6.1f} CPU ms")
    asked = [" ".join(window(chance, words, chance.randint(4, 8))) for _ in range(QUERIES)]
    times: list[float] = []
    for query in asked:
        before = time.process_time()
        lexical.search(query, 5)
        times.append((time.process_time() - before) * 1000)
    times.sort()
    print(f"query   {times[QUERIES // 2]:6.2f} CPU ms p50, {times[QUERIES * 95 // 100]:.2f} p95")
    print(f"memory  {memory.peak():6.0f} MB at most, building included")


def natural_words() -> list[str]:
    """Return the words of the data sets' texts in their order."""
    words: list[str] = []
    for name in SETS:
        with gzip.open(DATA / name / "corpus.jsonl.gz", "rt", encoding="utf-8") as stream:
            for line in stream:
                words += json.loads(line)["text"].split()
    return words


def window(chance: random.Random, words: list[str], count: int) -> list[str]:
    start = chance.randrange(len(words) - count)
    return words[start : start + count]


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def size(store: Path) -> float:
    indexes = (store / "indexes").rglob("*")
    newest = max((each for each in indexes if each.is_dir()), key=lambda each: each.stat().st_mtime)
    return sum(each.stat().st_size for each in newest.rglob("*") if each.is_file()) / 2**20


if __name__ == "__main__":
    main()
