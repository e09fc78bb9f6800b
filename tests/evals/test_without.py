"""Is a document that is left out for a question neither found nor read, and every other still?"""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from widedeep.evals.without import Without
from widedeep.retrieval import open_index
from widedeep.seams import Hit, Query


class Ranked:
    """Finds the same documents for every query, in order, two passages each."""

    def __init__(self, ids):
        self.hits = [Hit(id, None, "text", 1.0, part) for id in ids for part in (0, 1)]

    async def search(self, query, k):
        return self.hits[:k]

    async def passages(self, id):
        return [hit for hit in self.hits if hit.id == id]


@given(st.integers(0, 30), st.sets(st.integers(0, 30)), st.integers(1, 20))
def test_what_is_left_moves_up(many, removed, k):
    ids = frozenset(map(str, removed))
    corpus = Ranked(list(map(str, range(many))))
    left = [hit for hit in corpus.hits if hit.id not in ids]
    assert asyncio.run(Without(corpus, ids).search(Query("x"), k)) == left[:k]


def test_a_document_left_out_of_an_index_is_gone_for_that_question_only(tmp_path):
    (tmp_path / "c").mkdir()
    for name in ("Quito", "Lima", "Santiago"):
        (tmp_path / "c" / f"{name}.txt").write_text(f"{name}\n\n{name} is a capital.\n")
    index = open_index([tmp_path / "c"], tmp_path / "store")
    left = Without(index, frozenset({"Lima.txt"}))
    found = asyncio.run(left.search(Query("Lima, a capital"), 2))
    assert {hit.id for hit in found} == {"Quito.txt", "Santiago.txt"}
    assert asyncio.run(left.passages("Lima.txt")) == []
    kept = asyncio.run(left.passages("Quito.txt"))
    assert kept == asyncio.run(index.passages("Quito.txt")) != []
    assert asyncio.run(index.search(Query("Lima"), 1))[0].id == "Lima.txt"
